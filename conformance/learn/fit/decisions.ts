/**
 * The decisions under which the emulator answers most like the target: each in its turn, until none gets better. The calls
 * of a trace are one sequence. Another value of a decision is tried on the calls that depend on it, and on those that its
 * consequences concern; all others are what they were.
 */
import { same } from '../../oracle/json.js'
import { changeBetween, changed, concerns } from '../copy/change.js'
import {
  type LedgerView,
  type Replayed,
  type Sessions,
  type Simulate,
  type Simulator,
  type State,
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
  readonly cost: number
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
  /** Before each call. */
  readonly states: State[]
  readonly afters: State[]
  readonly sessions: Sessions[]
  readonly answers: Replayed[]
  readonly distances: number[]
  /** The sum of the distances from each call on, and 0 behind the last. */
  readonly rests: number[]
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
      const readers = calls.flatMap((_, at) => (isAlways || line.answers[at]?.reads.has(id) ? [at] : []))
      const present = settingOf(id)
      const basis = [JSON.stringify(present), ...readers.flatMap((at) => [line.answers[at]?.seen, at])]
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
        const { [id]: _, ...others } = values
        values = same(best.value, ledger[id]?.default) ? others : { ...others, [id]: best.value }
        const simulator = (await simulate(mirrors, values)) as Simulator
        always = simulator.reads
        line = lineOf(simulator, calls, line, isAlways ? 0 : readers[0])
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
  return { values, tried, cost: total(line) }

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
  const line: Line = {
    states: old?.states.slice(0, from) ?? [],
    sessions: old?.sessions.slice(0, from) ?? [],
    answers: old?.answers.slice(0, from) ?? [],
    afters: old?.afters.slice(0, from) ?? [],
    distances: old?.distances.slice(0, from) ?? [],
    rests: [],
  }
  for (let at = from; at < calls.length; at++) {
    const recorded = calls[at] as Recorded
    const last = calls[at - 1]
    const isFirst = last?.part !== recorded.part
    const state = isFirst ? simulator.start(recorded.part) : (line.afters[at - 1] as State)
    const before = line.sessions[at - 1]
    const sessions: Sessions =
      isFirst || !before || !last ? {} : sessionsAfter(before, last, (line.answers[at - 1] as Replayed).seen)
    const { after, ...replayed } = simulator.send(recorded, state, sessions)
    line.states.push(state)
    line.sessions.push(sessions)
    line.answers.push(replayed)
    line.afters.push(after)
    const isSame = old?.answers[at]?.seen === replayed.seen
    line.distances.push(isSame ? (old?.distances[at] ?? 0) : distance(recorded, replayed.seen))
  }
  line.rests[calls.length] = 0
  for (let at = calls.length - 1; at >= 0; at--)
    line.rests[at] = (line.distances[at] ?? 0) + (line.rests[at + 1] ?? 0)
  return line
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
    const recorded = calls[at] as Recorded
    if (recorded.part !== calls[at - 1]?.part) [change, sessions] = [null, null]
    const own = line.distances[at] ?? 0
    const reads = isReader.has(at)
    const isConcerned =
      reads ||
      (change !== null && concerns(change, recorded, simulator.userOf(recorded))) ||
      (sessions !== null && recorded.caller in sessions)
    if (!isConcerned) continue
    const before = line.states[at] as State
    const known = line.sessions[at] as Sessions
    const found = simulator.send(
      recorded,
      change === null ? before : changed(before, change),
      sessionsWith(known),
    )
    const isSame = found.seen === line.answers[at]?.seen
    const now = isSame ? own : distance(recorded, found.seen)
    distances.set(at, now)
    sum += now - own
    if (reads) hope -= own
    if (recorded.starts !== undefined && !isSame)
      sessions = sessionsAfter(sessionsWith({}), recorded, found.seen)
    change = changeBetween(line.afters[at] as State, found.after)
    const further = change === null ? hope : (line.rests[at + 1] ?? 0)
    if (sum - further > most) break
  }
  return { sum, distances }
}

const total = ({ rests }: Line) => rests[0] ?? 0
