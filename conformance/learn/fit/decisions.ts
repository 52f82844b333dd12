/**
 * Finds the decisions under which the emulator answers most like the target: it tries one decision after the other
 * until no value improves the result. The calls of a trace are one sequence. A new value is tried on the calls that
 * depend on the decision and on those that its consequences affect; the results of all other calls stay.
 */
import { same } from '../../oracle/json.js'
import {
  type LedgerView,
  type Pair,
  type Replay,
  replayed,
  type Simulator,
  simulate,
  type Values,
} from '../copy/emulator.js'
import { distance } from '../trace/compare.js'
import type { Recorded } from '../trace/recorded.js'
import type { Recording } from '../trace/trace.js'

export interface Fitted {
  readonly values: Values
  /** For each decision, the results of the values that were tried and not chosen. */
  readonly tried: ReadonlyMap<string, readonly Trial[]>
}

export interface Trial {
  readonly value: unknown
  /** How much greater the total distance is than under the value in force; never below 0. */
  readonly worse: number
  /** The calls that the value in force answers better, those with the greatest difference first. */
  readonly calls: readonly Recorded[]
  /** The calls that this value answers clearly better. */
  readonly against: readonly Recorded[]
}

export interface FitOptions extends Pick<Recording, 'mirrors' | 'calls'> {
  readonly ledger: LedgerView
  /** Returns further values to try for a decision, given its value in force. */
  readonly more?: (id: string, present: unknown) => readonly unknown[]
  readonly start?: Values
  readonly onStep?: (done: number, total: number) => void
}

/** The emulator's answer to each call under some values, and its distance from the target's answer. */
interface Line {
  readonly simulator: Simulator
  readonly played: readonly (Pair & Replay)[]
  readonly distances: readonly number[]
  /** The sum of the distances; the old ones are taken after the end of a replay that stopped early. */
  readonly sum: number
}

interface Attempt extends Line {
  readonly value: unknown
}

/** How often each decision is tried at most. */
const PASSES = 6
/** Two sums of distances that differ by less are equal. */
const EPSILON = 1e-6
/** A call supports another value if its distance is smaller by more than this under that value. */
const PLAIN = 5

export async function fitDecisions(options: FitOptions): Promise<Fitted> {
  const { mirrors, calls, ledger, more, start = {}, onStep } = options
  let values = start
  const first = await simulate(mirrors, values)
  if (!first) throw new RangeError('the decisions contradict each other')
  let line = lineOf(first, calls)
  const settingOf = (id: string) => (id in values ? values[id] : ledger[id]?.default)
  const tried = new Map<string, Trial[]>()
  /** What each decision depended on when its values were last tried: if nothing changed, they are not tried again. */
  const settled = new Map<string, readonly unknown[]>()
  // Decisions of few operations come first; otherwise a general decision that hides one would be chosen in its place.
  const breadth = (id: string) => ledger[id]?.operations.length ?? 0
  const ids = Object.keys(ledger).sort((a, b) => breadth(a) - breadth(b))
  for (let pass = 0; pass < PASSES; pass++) {
    let isChanged = false
    for (const [index, id] of ids.entries()) {
      onStep?.(pass * ids.length + index, PASSES * ids.length)
      const isAlways = line.simulator.reads.has(id)
      const readers = calls.flatMap((_, at) =>
        isAlways || line.played[at]?.replayed.reads.has(id) ? [at] : [],
      )
      const present = settingOf(id)
      const basis = [
        JSON.stringify(present),
        ...readers.flatMap((at) => [line.played[at]?.replayed.seen, at]),
      ]
      const before = settled.get(id)
      if (before && before.length === basis.length && before.every((one, at) => one === basis[at])) continue
      settled.set(id, basis)
      if (readers.length === 0) {
        tried.set(id, [])
        continue
      }
      let best: Attempt = { ...line, value: present }
      const attempts = [best]
      for (const value of candidates(id, present)) {
        const simulator = await simulate(mirrors, { ...values, [id]: value })
        if (!simulator) continue
        const one = { ...lineOf(simulator, calls, line, readers, best.sum + EPSILON), value }
        attempts.push(one)
        if (one.sum <= best.sum - EPSILON) best = one
      }
      if (best.value !== present) {
        const all = Object.entries({ ...values, [id]: best.value })
        values = Object.fromEntries(all.filter(([id, value]) => !same(value, ledger[id]?.default)))
        line = best
        isChanged = true
      }
      const others = attempts.filter((one) => one !== best).map((one) => trialOf(one, best))
      tried.set(id, others)
    }
    if (!isChanged) break
  }
  return { values, tried }

  function candidates(id: string, present: unknown): readonly unknown[] {
    const entry = ledger[id]
    const all = entry ? [entry.default, ...entry.alternatives, ...(more?.(id, present) ?? [])] : []
    return all.filter((value, at) => !same(value, present) && all.findIndex((one) => same(one, value)) === at)
  }

  /** Lists the calls that the value in force answers better than the other value, and those that it answers worse. */
  function trialOf(other: Attempt, best: Attempt): Trial {
    const gains = calls.flatMap((call, at) => {
      const [theirs, ours = 0] = [other.distances[at], best.distances[at]]
      return theirs === undefined ? [] : [{ call, gain: theirs - ours }]
    })
    const telling = gains.filter(({ gain }) => gain > EPSILON)
    return {
      value: other.value,
      worse: other.sum - best.sum,
      calls: telling.sort((a, b) => b.gain - a.gain || a.call.n - b.call.n).map(({ call }) => call),
      against: gains.filter(({ gain }) => gain < -PLAIN).map(({ call }) => call),
    }
  }
}

/**
 * Replays the calls; `readers` are those that depend on what has changed since `old`. It stops as soon as the sum of the
 * distances is certain to exceed `most`.
 */
function lineOf(
  simulator: Simulator,
  calls: readonly Recorded[],
  old?: Line,
  readers: readonly number[] = [],
  most = Number.POSITIVE_INFINITY,
): Line {
  const isReader = new Set(readers)
  const played: (Pair & Replay)[] = []
  const distances: number[] = []
  let sum = 0
  /** The sum of the old distances of later calls, and of the readers among them. */
  let [rest, hope] = [old?.sum ?? 0, readers.reduce((all, at) => all + (old?.distances[at] ?? 0), 0)]
  for (const one of replayed(simulator, calls, old?.played, (at) => !old || isReader.has(at))) {
    const at = played.length
    const [known, before = 0] = [old?.played[at], old?.distances[at]]
    const isSame = known?.replayed.seen === one.replayed.seen
    const now = isSame ? before : distance(one.recorded, one.replayed.seen)
    played.push(one)
    distances.push(now)
    sum += now
    rest -= before
    if (isReader.has(at)) hope -= before
    // Where the state is as before, only the readers can still have another answer.
    if (sum + (known?.after === one.after ? rest - hope : 0) > most) break
  }
  return { simulator, played, distances, sum: sum + rest }
}
