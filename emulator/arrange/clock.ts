/** The tracker's clock. If a test holds it, it stands still until the test advances it. */

/** Milliseconds, or a number and a unit: `250ms`, `30s`, `5m`, `2h`, `1d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

export interface Clock {
  now(): Date
  /** Advances the clock and releases the answers that are due. Throws on an invalid duration, and beyond the year 9999. */
  advance(by: Duration): void
}

export type TrackerClock = ReturnType<typeof createClock>

/** The machine's clock (undefined), a function, or an instant at which the clock stands still. */
export type Now = (() => Date) | Date | string | number

export function createClock(start?: Now) {
  const running = start === undefined || typeof start === 'function'
  const base = typeof start === 'function' ? () => start().getTime() : startingAt(start)
  const waiting = new Set<{ readonly until: number; readonly resolve: () => void }>()
  let advanced = 0

  return {
    now: () => new Date(base() + advanced),
    /** The sum of all advances, in milliseconds. */
    get advanced(): number {
      return advanced
    },
    advance(by: Duration): void {
      const ms = milliseconds(by)
      if (base() + advanced + ms > LAST_INSTANT)
        throw new RangeError(`The clock goes to the end of the year 9999; "${by}" is too far`)
      advanced += ms
      for (const each of waiting) if (each.until <= advanced) each.resolve()
    },
    /** Resolves once this time has passed, or was advanced; a clock that a test holds waits for advances. Rejects on abort. */
    async wait(ms: number, signal?: AbortSignal): Promise<void> {
      if (ms <= 0) return
      signal?.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        const ended = (settle: () => void) => () => {
          waiting.delete(each)
          clearRealTimeout(timer)
          signal?.removeEventListener('abort', aborted)
          settle()
        }
        const aborted = ended(() => reject(signal?.reason))
        const each = { until: advanced + ms, resolve: ended(resolve) }
        const timer = running ? setRealTimeout(each.resolve, Math.min(ms, LONGEST)) : undefined
        signal?.addEventListener('abort', aborted)
        waiting.add(each)
      })
    },
    release(): void {
      for (const { resolve } of waiting) resolve()
    },
    /** Sets the sum of all advances. */
    rewind(to = 0): void {
      advanced = to
    },
  }
}

/** The last instant with a year of four digits, which every date in a state has. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The longest delay of a timer; a longer one would end at once. */
const LONGEST = 2 ** 31 - 1

// Taken before a test can replace them by fake timers.
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis
/** Undefined outside Node; only Node's types declare it. */
export const setRealImmediate: (work: () => void) => unknown = globalThis.setImmediate

/** Returns the time in milliseconds since 1970. */
function startingAt(start: Exclude<Now, () => Date> | undefined): () => number {
  if (start === undefined) return () => Date.now()
  const instant = new Date(start).getTime()
  if (Number.isNaN(instant)) throw new RangeError(`The clock must start at a date, not at "${String(start)}"`)
  return () => instant
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Throws on an invalid duration, and on a negative one: this clock does not go back. */
export function milliseconds(duration: Duration): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration)) ?? []
  const ms = typeof duration === 'number' ? duration : Number(amount) * (units[unit] ?? Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return ms
  throw new RangeError(`"${duration}" is not a duration; give milliseconds, or text such as 30s, 5m, 2h, 1d`)
}
