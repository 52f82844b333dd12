/** The emulator as the learning sees it: a tracker under given decisions, and what made each of its answers. */
import type { Call } from '../../client/call.js'
import type { Mirror } from '../ask/mirror.js'
import {
  namesIn,
  type Recorded,
  resolved,
  type Seen,
  type Step,
  sessionOf,
  type Transcript,
  tokensOf,
} from '../ask/script.js'

export type Values = Readonly<Record<string, unknown>>

/** How an answer of the simulator came about, in the words of learnt rules. */
export interface Cause {
  readonly outcome: string
  readonly features: readonly string[]
  readonly parameters: Readonly<Record<string, string>>
  /** What the simulator would say by itself, without any learnt rule; null where it would not refuse. */
  readonly own: { readonly status: number; readonly json: unknown } | null
  /** What a success body may be made of. */
  readonly source: unknown
}

export type State = object

export interface Simulator {
  /** Answers that are the same are the same object. */
  send(call: Call): Promise<{ seen: Seen; cause: Cause | null }>
  /** The id of a user or field by its name; null where there is none. */
  idOf(kind: 'user' | 'field', name: string): number | null
  /** What it stores at the beginning. */
  readonly start: State
  /** What it stores now. Two states share what was not changed in between. */
  state(): State
  restore(state: State): void
  /** Decisions that were read since this was last asked. */
  takeRead(): ReadonlySet<string>
}

/** Makes a simulator; null where the decisions contradict each other. Causes cost time, so they are asked for. */
export type Simulate = (
  mirror: Mirror,
  decisions: Values,
  options?: { readonly causes: boolean },
) => Promise<Simulator | null>

export interface LedgerEntry {
  readonly operations: readonly string[]
  readonly default: unknown
  readonly alternatives: readonly unknown[]
}

export type LedgerView = Readonly<Record<string, LedgerEntry>>

export interface Replayed {
  readonly seen: Seen
  readonly bound: Bound
  readonly cause: Cause | null
}

/** A call, and what the simulator made of it. */
export interface Pair {
  readonly recorded: Recorded
  readonly replayed: Replayed
}

/** The calls of one scenario again, with the simulator's own ids in the place of the target's. */
export async function replay(
  simulator: Simulator,
  calls: Transcript,
  { profile }: Mirror,
): Promise<Replayed[]> {
  simulator.restore(simulator.start)
  let bound: Bound = tokensOf(profile)
  const answers: Replayed[] = []
  for (const { step } of calls) {
    const answer = await again(simulator, step, bound)
    bound = answer.bound
    answers.push(answer)
  }
  return answers
}

export type Bound = Readonly<Record<string, string>>

/** One call, in the state that the simulator is in. */
export async function again(simulator: Simulator, step: Step, bound: Bound): Promise<Replayed> {
  // What the simulator did not make has an id that nothing has.
  const missing = absentOf(step)
  const call =
    Object.keys(missing).length === 0 ? (step as Call) : (resolved(step, { ...missing, ...bound }) as Call)
  const { seen, cause } = await simulator.send(call)
  const id = step.bind && idFor(simulator, step.bind, seen)
  return {
    seen,
    cause,
    bound: step.bind && typeof id === 'string' ? { ...bound, [step.bind.name]: id } : bound,
  }
}

function idFor(simulator: Simulator, { kind, of }: NonNullable<Step['bind']>, seen: Seen): string | null {
  if (kind === 'session') return sessionOf(seen)
  const id = simulator.idOf(kind, of)
  return id === null ? null : String(id)
}

/** Looked for once: a learning replays its calls hundreds of times. */
const absent = new WeakMap<Step, Record<string, string>>()

function absentOf(step: Step): Record<string, string> {
  const known = absent.get(step)
  if (known) return known
  const found = Object.fromEntries(namesIn(step).map((name) => [name, '888888888']))
  absent.set(step, found)
  return found
}

/** The calls of a transcript by scenario. */
export function byScenario(transcript: Transcript): Map<string, Recorded[]> {
  const groups = new Map<string, Recorded[]>()
  for (const recorded of transcript)
    groups.set(recorded.scenario, [...(groups.get(recorded.scenario) ?? []), recorded])
  return groups
}
