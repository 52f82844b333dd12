/**
 * The decisions under which the emulator answers most like the target: each in its turn, until none gets better. The calls
 * of a trace are one sequence. Another value of a decision is tried on the calls that depend on it, and on those that its
 * consequences concern; all others are what they were.
 */
import { groupBy, same } from '../../oracle/json.js'
import { changeBetween, changed, concerns } from '../copy/change.js'
import {
  isTakenBack,
  type LedgerView,
  type Pair,
  type Replay,
  replay,
  type Sessions,
  type Simulate,
  type Simulator,
  sessionsAfter,
  type Values,
} from '../copy/copy.js'
import { distance } from '../trace/compare.js'
import type { Mirror } from '../trace/mirror.js'
import type { Recorded } from '../trace/recorded.js'

export interface Fitted {
  readonly values: Values
  /** Per decision, what the values cost that were tried beside the one that is in force. */
  readonly tried: ReadonlyMap<string, readonly Trial[]>
}

export interface Trial {
  readonly value: unknown
  /** How much worse than the value in force; below 0 never. */
  readonly worse: number
  /** The calls that told the two apart, the most telling first. */
  readonly calls: readonly Recorded[]
  /** Those that speak for this value. */
  readonly against: readonly Recorded[]
}

export interface FitOptions {
  readonly mirrors: readonly Mirror[]
  readonly calls: readonly Recorded[]
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** Further values to try, given the one in force. */
  readonly more?: (id: string, present: unknown) => readonly unknown[]
  readonly start?: Values
  /** So often every decision is tried at most. */
  readonly passes?: number
  readonly onStep?: (done: number, total: number) => void
}

/** What the emulator makes of each call under the values in force. */
interface Line {
  readonly played: readonly (Pair & Replay)[]
  readonly distances: readonly number[]
  /** The sum of the distances from each call on, and 0 behind the last. */
  readonly rests: readonly number[]
}

/** What another value of a decision makes of the calls that it can affect. */
interface Attempt {
  readonly value: unknown
  /** Of all calls, or of as many as it took to see that it is worse. */
  readonly sum: number
  readonly distances: ReadonlyMap<number, number>
}

const PASSES = 6
/** Below that, two sums of shares are the same. */
const EPSILON = 1e-6
/** A call that comes out so much nearer under another value speaks for that value. */
const PLAIN = 5
const OTHER_STATUS = 100
const MOST_KINDS = 8

/** Refusals are errors, and nobody looks at their stacks. */
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
  /** What a decision depended on when its values were last tried: nothing is tried twice in vain. */
  const settled = new Map<string, readonly unknown[]>()
  // What few operations depend on comes first: a general decision that hides it would otherwise be taken in its place.
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
        await take({ [id]: best.value }, isAlways ? 0 : readers[0])
        isChanged = true
      }
      const others = attempts.filter((one) => one !== best)
      tried.set(
        id,
        others.map((one) => trialOf(one, best, base)),
      )
    }
    if (isChanged) continue
    const both = await together()
    if (both === null) break
    await take(both)
  }
  return { values, tried }

  async function take(changes: Values, from = 0): Promise<void> {
    const all = Object.entries({ ...values, ...changes })
    values = Object.fromEntries(all.filter(([id, value]) => !same(value, ledger[id]?.default)))
    const simulator = (await simulate(mirrors, values)) as Simulator
    always = simulator.reads
    line = lineOf(simulator, calls, line, from)
  }

  /** Values of two decisions that are nearer with each other alone: the second is read under another value of the first. */
  async function together(): Promise<Values | null> {
    for (const at of unlike()) {
      const { recorded, replayed, before, sessions } = line.played[at] as Pair & Replay
      const { seen, reads } = replayed
      const target = recorded.seen.status
      const answered = async (changes: Values) =>
        (await simulate(mirrors, { ...values, ...changes }))?.send(recorded, before, sessions)
      for (const [id, value] of valuesOf(reads)) {
        const one = await answered({ [id]: value })
        if (!one || [seen.status, target].includes(one.seen.status)) continue
        for (const [other, second] of valuesOf([...one.reads].filter((read) => !reads.has(read)))) {
          const both = { [id]: value, [other]: second }
          if ((await answered(both))?.seen.status !== target) continue
          const simulator = await simulate(mirrors, { ...values, ...both })
          if (simulator && total(lineOf(simulator, calls)) < total(line) - PLAIN) return both
        }
      }
    }
    return null
  }

  /** Calls with another status, one of each kind, of which there are most first. */
  function unlike(): number[] {
    const kinds = groupBy([...line.played.keys()], (at) => {
      const { recorded, replayed } = line.played[at] as Pair
      return `${recorded.operation} ${recorded.seen.status} ${replayed.seen.status}`
    })
    const all = [...kinds.values()].filter(([at = 0]) => (line.distances[at] ?? 0) >= OTHER_STATUS)
    return all
      .sort((a, b) => b.length - a.length)
      .flatMap(([at]) => at ?? [])
      .slice(0, MOST_KINDS)
  }

  function valuesOf(ids: Iterable<string>): (readonly [string, unknown])[] {
    return [...ids].flatMap((id) => candidates(id, settingOf(id)).map((value) => [id, value] as const))
  }

  function candidates(id: string, present: unknown): readonly unknown[] {
    const entry = ledger[id]
    const all = entry ? [entry.default, ...entry.alternatives, ...(more?.(id, present) ?? [])] : []
    return all.filter((value, at) => !same(value, present) && all.findIndex((one) => same(one, value)) === at)
  }

  /** Which calls the value in force answers better than the other one. */
  function trialOf(other: Attempt, best: Attempt, base: readonly number[]): Trial {
    const telling: [number, Recorded][] = []
    const against: Recorded[] = []
    for (const at of new Set([...other.distances.keys(), ...best.distances.keys()])) {
      const recorded = calls[at]
      // Where nothing is known of a call, it is as under the value that was in force.
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

/** As far as `old` is known and still right, it is taken over. */
function lineOf(simulator: Simulator, calls: readonly Recorded[], old?: Line, from = 0): Line {
  const played = replay(simulator, calls, old?.played.slice(0, from))
  const distances = played.map(({ recorded, replayed: { seen } }, at) =>
    old?.played[at]?.replayed.seen === seen ? (old.distances[at] ?? 0) : distance(recorded, seen),
  )
  const rests = [0]
  for (const one of distances.toReversed()) rests.push(one + (rests.at(-1) ?? 0))
  return { played, distances, rests: rests.reverse() }
}

/**
 * The calls that read the decision, and those that find something else because of it. Ends once the sum can only be above
 * `most`.
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
  /** What may still get better. */
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
