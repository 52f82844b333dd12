/** The decisions under which the simulator answers most like the target: each in its turn, until none gets better. */
import { isDeepStrictEqual } from 'node:util'
import { distance } from '../ask/compare.js'
import type { Mirror } from '../ask/mirror.js'
import { type Recorded, type Transcript, tokensOf } from '../ask/script.js'
import {
  again,
  byScenario,
  type LedgerView,
  type Replayed,
  type Simulate,
  type Simulator,
  type State,
  type Values,
} from '../copy/copy.js'
import { type Known, memoryOf, type Outcome } from './memory.js'

export interface Fitted {
  readonly values: Values
  /** Of the last state: by scenario, what the simulator answered. */
  readonly answers: ReadonlyMap<string, readonly Replayed[]>
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

interface Trials {
  /** Of the scenarios that were run. */
  readonly runs: ReadonlyMap<string, Run>
  /** By scenario, how far each call is from the target; undefined where it is not known. */
  readonly told: ReadonlyMap<string, Told>
  readonly sum: number
}

type Told = readonly (number | undefined)[]

/** A scenario on a simulator: of each call the answer, its distance, and the decisions that it depends on. */
interface Run {
  readonly answers: readonly Replayed[]
  readonly distances: readonly number[]
  readonly reads: readonly ReadonlySet<string>[]
  /** Before each call, and after the last. */
  readonly states: readonly State[]
}

const PASSES = 6
/** Below that, two sums of shares are the same. */
const EPSILON = 1e-6

export interface FitOptions {
  readonly mirror: Mirror
  readonly transcript: Transcript
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** Further values to try of open decisions, found by asking the target. */
  readonly more: Readonly<Record<string, readonly unknown[]>>
  readonly start?: Values
  /** So often every decision is tried at most. */
  readonly passes?: number
  readonly onStep?: (done: number, total: number) => void
}

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

async function fitted({
  mirror,
  transcript,
  ledger,
  simulate,
  more,
  start = {},
  passes = PASSES,
  onStep,
}: FitOptions): Promise<Fitted> {
  const scenarios = byScenario(transcript)
  let values: Values = start
  const defaultOf = (id: string) => ledger[id]?.default
  const settingOf = (from: Values, id: string) => (id in from ? from[id] : defaultOf(id))

  /**
   * What comes of another value of `id`. Calls that do not depend on it, and find what they found before, are not made
   * again. Gives up, with what it has so far, once the sum is above `most`: of the calls that were not made, what is
   * foreseen of them counts.
   */
  async function runAll(
    under: Values,
    only: readonly string[],
    id: string | null = null,
    most = Number.POSITIVE_INFINITY,
  ): Promise<Trials | null> {
    const pair = id === null ? '' : JSON.stringify([id, settingOf(values, id), settingOf(under, id)])
    const known: Known = memory.get(pair) ?? new Map()
    memory.set(pair, known)
    const reads = (run: Run, index: number) =>
      id !== null && (always.has(id) || run.reads[index]?.has(id) === true)
    const outcome = (recorded: Recorded, run: Run, index: number) =>
      known.get(recorded)?.get(run.distances[index] ?? 0)
    const foreseen = (name: string): Told => {
      const run = current.get(name)
      let isSure = run !== undefined
      return (scenarios.get(name) ?? []).map((recorded, index) => {
        const found = run && outcome(recorded, run, index)
        if (found) return found.distance
        // What comes after it may find something else.
        if (run && reads(run, index)) isSure = false
        return isSure ? run?.distances[index] : undefined
      })
    }
    const told = new Map(only.map((name) => [name, foreseen(name)]))
    const runs = new Map<string, Run>()
    let sum = [...told.values()].reduce((all, one) => all + sumOf(one), 0)
    if (sum > most) return { runs, told, sum }
    const simulator = await simulate(mirror, under)
    if (!simulator) return null
    always = simulator.takeRead()
    for (const name of only) {
      const calls = scenarios.get(name) ?? []
      const before = current.get(name)
      const expected = told.get(name) ?? []
      sum -= sumOf(expected)
      const depends = (recorded: Recorded, index: number) =>
        before !== undefined && reads(before, index) && !outcome(recorded, before, index)?.alike
      const run = await runOne(simulator, calls, before, depends, most - sum)
      if (before) note(known, calls, before, run)
      const now = expected.map((one, index) => run.distances[index] ?? one)
      runs.set(name, run)
      told.set(name, now)
      sum += sumOf(now)
      if (sum > most) break
    }
    return { runs, told, sum }
  }

  function note(known: Known, calls: Transcript, before: Run, run: Run): void {
    for (const [index, answer] of run.answers.entries()) {
      const [recorded, old] = [calls[index], before.answers[index]]
      if (!recorded || !old || answer === old) continue
      const isAsBefore = [index, index + 1].every((one) => run.states[one] === before.states[one])
      const alike = isAsBefore && answer.bound === old.bound && answer.seen === old.seen
      const found = known.get(recorded) ?? new Map<number, Outcome>()
      known.set(
        recorded,
        found.set(before.distances[index] ?? 0, { distance: run.distances[index] ?? 0, alike }),
      )
    }
  }

  async function runOne(
    simulator: Simulator,
    calls: Transcript,
    before: Run | undefined,
    depends: (recorded: Recorded, index: number) => boolean,
    most: number,
  ): Promise<Run> {
    const run = { answers: [] as Replayed[], distances: [] as number[], reads: [] as ReadonlySet<string>[] }
    const states = [simulator.start]
    const tokens = tokensOf(mirror.profile)
    let sum = 0
    /** Where the simulator is. */
    let at: State | null = null
    for (const [index, recorded] of calls.entries()) {
      const state = states[index] as State
      const bound = run.answers.at(-1)?.bound ?? tokens
      const old = before?.answers[index]
      const same =
        before &&
        !depends(recorded, index) &&
        state === before.states[index] &&
        (index === 0 || bound === before.answers[index - 1]?.bound)
      if (same && old) {
        run.answers.push(old)
        const distance = before.distances[index] ?? 0
        run.distances.push(distance)
        sum += distance
        run.reads.push(before.reads[index] ?? new Set())
        states.push(before.states[index + 1] as State)
        continue
      }
      if (at !== state) simulator.restore(state)
      const found = await again(simulator, recorded.step, bound)
      const alike = isDeepStrictEqual(found.bound, old?.bound)
      run.answers.push(alike && old ? { ...found, bound: old.bound } : found)
      const far =
        before && alike && found.seen === old?.seen
          ? (before.distances[index] ?? 0)
          : distance(recorded, found)
      run.distances.push(far)
      run.reads.push(simulator.takeRead())
      const after = simulator.state()
      at = [state, before?.states[index + 1]].find((one) => isDeepStrictEqual(after, one)) ?? after
      states.push(at)
      sum += far
      if (sum > most) break
    }
    return { ...run, states }
  }

  // In the target's own words and forms, other things come of a call.
  const isLiteral = 'learned-answers' in start || 'answer-shapes' in start
  const memory = isLiteral ? new Map<string, Known>() : memoryOf(mirror)
  let always: ReadonlySet<string> = new Set()
  let current = new Map<string, Run>()
  current = new Map((await runAll(values, [...scenarios.keys()]))?.runs)
  /** What a decision depended on when its values were last tried: nothing is tried twice in vain. */
  const settled = new Map<string, readonly unknown[]>()
  const tried = new Map<string, Trial[]>()
  // What few operations depend on comes first: a general decision that hides it would otherwise be taken in its place.
  const breadth = (id: string) => ledger[id]?.operations.length ?? 0
  const ids = Object.keys(ledger).sort((a, b) => breadth(a) - breadth(b))
  for (let pass = 0; pass < passes; pass++) {
    let changed = false
    for (const [index, id] of ids.entries()) {
      onStep?.(pass * ids.length + index, passes * ids.length)
      const affected = [...current]
        .filter(([, { reads }]) => always.has(id) || reads.some((read) => read.has(id)))
        .sort(([, a], [, b]) => total(b) - total(a) || a.distances.length - b.distances.length)
        .map(([name]) => name)
      const present = settingOf(values, id)
      const options = candidates(id).filter(
        (value, at, all) => !same(value, present) && all.findIndex((one) => same(one, value)) === at,
      )
      const state = [present, ...affected.map((name) => current.get(name))]
      const before = settled.get(id)
      if (before && before.length === state.length && before.every((one, at) => one === state[at])) continue
      settled.set(id, state)
      if (affected.length === 0) {
        tried.set(id, [])
        continue
      }
      let best: Trials & { value: unknown } = {
        value: present,
        sum: affected.reduce((sum, name) => sum + total(current.get(name)), 0),
        runs: current,
        told: new Map([...current].map(([name, { distances }]) => [name, distances])),
      }
      const trials = [best]
      for (const value of options) {
        // Not once it cannot get better: what tells the two apart is to be seen too.
        const found = await runAll({ ...values, [id]: value }, affected, id, best.sum + EPSILON)
        if (!found) continue
        const one = { value, ...found }
        trials.push(one)
        if (one.sum <= best.sum - EPSILON) best = one
      }
      if (best.value !== present) {
        const { [id]: _, ...others } = values
        values = same(best.value, defaultOf(id)) ? others : { ...others, [id]: best.value }
        current = new Map([...current, ...best.runs])
        changed = true
      }
      tried.set(
        id,
        trials.filter((one) => one !== best).map((one) => trial(one, best.sum, affected)),
      )
    }
    if (!changed) break
  }
  const cost = [...current.values()].reduce((sum, run) => sum + total(run), 0)
  return { values, answers: new Map([...current].map(([name, { answers }]) => [name, answers])), tried, cost }

  function candidates(id: string): readonly unknown[] {
    const entry = ledger[id]
    return entry ? [entry.default, ...entry.alternatives, ...(more[id] ?? [])] : []
  }

  /** Which calls the value in force answers better than the other one. */
  function trial(other: Trials & { value: unknown }, best: number, affected: readonly string[]): Trial {
    const telling: [number, Recorded][] = []
    const against: Recorded[] = []
    for (const name of affected)
      for (const [index, recorded] of (scenarios.get(name) ?? []).entries()) {
        const own = current.get(name)?.distances[index] ?? 0
        const gain = (other.told.get(name)?.[index] ?? own) - own
        if (gain > EPSILON) telling.push([gain, recorded])
        if (gain < -5) against.push(recorded)
      }
    telling.sort(([a], [b]) => b - a)
    return {
      value: other.value,
      worse: other.sum - best,
      calls: telling.map(([, recorded]) => recorded).slice(0, 3),
      against,
    }
  }
}

const total = (run: Run | undefined) => run?.distances.reduce((sum, one) => sum + one, 0) ?? 0
const sumOf = (told: Told) => told.reduce<number>((sum, one) => sum + (one ?? 0), 0)

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
