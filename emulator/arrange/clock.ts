/** The tracker's clock. A test may hold it: then it stands still until it is told to move on. */

/** Milliseconds, or a number and a unit: `250ms`, `30s`, `5m`, `2h`, `1d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

export interface Clock {
  now(): Date
  /** Gives the answers that were delayed until then. Throws on what is no duration, and beyond the year 9999. */
  advance(by: Duration): void
}

export interface TrackerClock extends Clock {
  /** How far `advance` has moved it on, in milliseconds. */
  readonly advanced: number
  /** Resolves once the clock has moved on by so much: by `advance` alone where a test holds it. Rejects on abort. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  release(): void
  /** Back to the start, or to another amount of advance. */
  rewind(advanced?: number): void
}

/** The machine's (nothing given), a function's, or one that stands still at an instant. */
export type Now = (() => Date) | Date | string | number

export function createClock(start?: Now): TrackerClock {
  const running = start === undefined || typeof start === 'function'
  const base = typeof start === 'function' ? () => start().getTime() : startingAt(start)
  const waiting = new Set<{ readonly until: number; readonly resolve: () => void }>()
  let advanced = 0

  return {
    now: () => new Date(base() + advanced),
    get advanced() {
      return advanced
    },
    advance(by) {
      const ms = milliseconds(by)
      if (base() + advanced + ms > LAST_INSTANT)
        throw new RangeError(`The clock goes to the end of the year 9999; "${by}" is too far`)
      advanced += ms
      for (const each of waiting) if (each.until <= advanced) each.resolve()
    },
    async wait(ms, signal) {
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
    release() {
      for (const { resolve } of waiting) resolve()
    },
    rewind(to = 0) {
      advanced = to
    },
  }
}

/** The last instant with a year of four digits, as every date in a state has. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A longer timer would end at once. */
const LONGEST = 2 ** 31 - 1

// Taken before a test can put fake ones in their place.
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis
/** Only node has it, and only node's types know its name. */
export const setRealImmediate: (work: () => void) => unknown = globalThis.setImmediate

/** Milliseconds since 1970. */
function startingAt(start: Exclude<Now, () => Date> | undefined): () => number {
  if (start === undefined) return () => Date.now()
  const instant = new Date(start).getTime()
  if (Number.isNaN(instant)) throw new RangeError(`The clock must start at a date, not at "${String(start)}"`)
  return () => instant
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Throws on what is no duration, and on negative ones: this clock does not go back. */
export function milliseconds(duration: Duration): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration)) ?? []
  const ms = typeof duration === 'number' ? duration : Number(amount) * (units[unit] ?? Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return ms
  throw new RangeError(`"${duration}" is no duration; give milliseconds, or a text such as 30s, 5m, 2h or 1d`)
}
