/**
 * Finds the decisions under which the emulator answers most like the target: it tries one decision after the other
 * until no value improves the result. The calls of a trace are one sequence. A new value is tried on the calls that
 * depend on the decision and on those that its consequences affect; the results of all other calls stay.
 */
import { same } from '../../oracle/json.js'
import { changeBetween, changed, concerns } from '../copy/change.js'
import {
  type Emulation,
  isTakenBack,
  type Pair,
  type Replay,
  replay,
  type Sessions,
  type Simulator,
  sessionsAfter,
  type Values,
} from '../copy/copy.js'
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

export interface FitOptions extends Emulation, Pick<Recording, 'mirrors' | 'calls'> {
  /** Returns further values to try for a decision, given its value in force. */
  readonly more?: (id: string, present: unknown) => readonly unknown[]
  readonly start?: Values
  /** How often each decision is tried at most. */
  readonly passes?: number
  readonly onStep?: (done: number, total: number) => void
}

/** The emulator's answer to each call under the values in force, and its distance from the target's answer. */
interface Line {
  readonly played: readonly (Pair & Replay)[]
  readonly distances: readonly number[]
  /** For each call, the sum of its distance and those of all later calls; 0 after the last call. */
  readonly rests: readonly number[]
}

/** The result of another value of a decision on the calls that it can affect. */
interface Attempt {
  readonly value: unknown
  /** The sum of the distances of all calls; incomplete if the trial stopped because the value was certainly worse. */
  readonly sum: number
  readonly distances: ReadonlyMap<number, number>
}

const PASSES = 6
/** Two sums of distances that differ by less are equal. */
const EPSILON = 1e-6
/** A call supports another value if its distance is smaller by more than this under that value. */
const PLAIN = 5

/** Fits the decisions without stack traces, because refusals are errors and nobody reads their stacks. */
export async function fitDecisions(options: FitOptions): Promise<Fitted> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await fitted(options)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

async function fitted(options: FitOptions): Promise<Fitted> {
  const { mirrors, calls, ledger, simulate, more, start = {}, passes = PASSES, onStep } = options
  let values = start
  const first = await simulate(mirrors, values)
  if (!first) throw new RangeError('the decisions contradict each other')
  let always = first.reads
  let line = lineOf(first, calls)
  const settingOf = (id: string) => (id in values ? values[id] : ledger[id]?.default)
  const tried = new Map<string, Trial[]>()
  /** What each decision depended on when its values were last tried: if nothing changed, they are not tried again. */
  const settled = new Map<string, readonly unknown[]>()
  // Decisions of few operations come first; otherwise a general decision that hides one would be chosen in its place.
  const breadth = (id: string) => ledger[id]?.operations.length ?? 0
  const ids = Object.keys(ledger).sort((a, b) => breadth(a) - breadth(b))
  for (let pass = 0; pass < passes; pass++) {
    let isChanged = false
    for (const [index, id] of ids.entries()) {
      onStep?.(pass * ids.length + index, passes * ids.length)
      const isAlways = always.has(id)
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
      const base = line.distances
      let best: Attempt = { value: present, sum: total(line), distances: new Map() }
      const attempts = [best]
      for (const value of candidates(id, present)) {
        const simulator = await simulate(mirrors, { ...values, [id]: value })
        if (!simulator) continue
        const one = { value, ...attempted(simulator, calls, line, readers, best.sum + EPSILON) }
        attempts.push(one)
        if (one.sum <= best.sum - EPSILON) best = one
      }
      if (best.value !== present) {
        const all = Object.entries({ ...values, [id]: best.value })
        values = Object.fromEntries(all.filter(([id, value]) => !same(value, ledger[id]?.default)))
        const simulator = (await simulate(mirrors, values)) as Simulator
        always = simulator.reads
        line = lineOf(simulator, calls, line, readers)
        isChanged = true
      }
      const others = attempts.filter((one) => one !== best)
      tried.set(
        id,
        others.map((one) => trialOf(one, best, base)),
      )
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
  function trialOf(other: Attempt, best: Attempt, base: readonly number[]): Trial {
    const telling: [number, Recorded][] = []
    const against: Recorded[] = []
    for (const at of new Set([...other.distances.keys(), ...best.distances.keys()])) {
      const recorded = calls[at]
      // A call that was not tried has the same distance as under the earlier value.
      const [theirs, own] = [other, best].map(({ distances }) => distances.get(at) ?? base[at] ?? 0)
      const gain = (theirs ?? 0) - (own ?? 0)
      if (recorded && gain > EPSILON) telling.push([gain, recorded])
      if (recorded && gain < -PLAIN) against.push(recorded)
    }
    telling.sort(([a, x], [b, y]) => b - a || x.n - y.n)
    return {
      value: other.value,
      worse: other.sum - best.sum,
      calls: telling.map(([, recorded]) => recorded),
      against,
    }
  }
}

/** Replays the calls of which `readers` depend on what has changed since `old`; equal answers keep their distances. */
function lineOf(
  simulator: Simulator,
  calls: readonly Recorded[],
  old?: Line,
  readers: readonly number[] = [],
): Line {
  const isReader = new Set(readers)
  const played = replay(simulator, calls, (at) => {
    const one = old?.played[at]
    return one ? { old: one, isKept: !isReader.has(at) } : {}
  })
  const distances = played.map(({ recorded, replayed: { seen } }, at) =>
    old?.played[at]?.replayed.seen === seen ? (old.distances[at] ?? 0) : distance(recorded, seen),
  )
  const rests = [0]
  for (const one of distances.toReversed()) rests.push(one + (rests.at(-1) ?? 0))
  return { played, distances, rests: rests.reverse() }
}

/**
 * Tries another value on the calls that read the decision and on those that its consequences affect. It stops as soon
 * as the sum is certain to exceed `most`.
 */
function attempted(
  simulator: Simulator,
  calls: readonly Recorded[],
  line: Line,
  readers: readonly number[],
  most: number,
): Omit<Attempt, 'value'> {
  const isReader = new Set(readers)
  const distances = new Map<number, number>()
  let sum = total(line)
  /** The greatest decrease of the sum that the remaining readers can still bring. */
  let hope = readers.reduce((all, at) => all + (line.distances[at] ?? 0), 0)
  let change: ReturnType<typeof changeBetween> = null
  let sessions: Sessions | null = null
  const sessionsWith = (known: Sessions) => (sessions === null ? known : { ...known, ...sessions })
  for (let at = readers[0] ?? 0; at < calls.length; at++) {
    const { recorded, replayed, before, after, sessions: known } = line.played[at] as Pair & Replay
    if (recorded.part !== calls[at - 1]?.part) [change, sessions] = [null, null]
    const own = line.distances[at] ?? 0
    const reads = isReader.has(at)
    const isConcerned =
      reads ||
      (change !== null && concerns(change, recorded, simulator.userOf(recorded))) ||
      (sessions !== null && recorded.caller in sessions)
    if (!isConcerned) continue
    const state = change === null ? before : changed(before, change)
    const found = simulator.send(recorded, state, sessionsWith(known))
    const isSame = found.seen === replayed.seen
    const now = isSame ? own : distance(recorded, found.seen)
    distances.set(at, now)
    sum += now - own
    if (reads) hope -= own
    if (recorded.starts !== undefined && !isSame)
      sessions = sessionsAfter(sessionsWith({}), recorded, found.seen)
    change = changeBetween(after, isTakenBack(recorded, found.seen) ? state : found.after)
    const further = change === null ? hope : (line.rests[at + 1] ?? 0)
    if (sum - further > most) break
  }
  return { sum, distances }
}

const total = ({ rests }: Line) => rests[0] ?? 0
