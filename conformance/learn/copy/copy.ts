/** The emulator as the learning sees it: a tracker under given decisions, and what made each of its answers. */
import type { Image } from '../../../emulator/state/store.js'
import type { Mirror } from '../trace/mirror.js'
import { type Recorded, type Seen, type Sent, sessionOf } from '../trace/recorded.js'

export type Values = Readonly<Record<string, unknown>>

/** How an answer of the emulator came about, in the words of learnt rules. */
export interface Cause {
  readonly outcome: string
  readonly features: readonly string[]
  readonly parameters: Readonly<Record<string, string>>
  /** What the emulator would say by itself, without any learnt rule; null where it would not refuse. */
  readonly own: { readonly status: number; readonly json: unknown } | null
  /** What a success body may be made of. */
  readonly source: unknown
}

export type State = Image

/** Credentials that the emulator has handed out, by the label of the session. */
export type Sessions = Readonly<Record<string, string>>

export interface Replayed {
  /** Answers that are the same are the same object. */
  readonly seen: Seen
  readonly cause: Cause | null
  /** Decisions that the answer depends on. */
  readonly reads: ReadonlySet<string>
}

export interface Simulator {
  /** What it stores at the beginning of a part. */
  start(part: number): State
  /** Decisions that it depends on before any call. */
  readonly reads: ReadonlySet<string>
  /** One call in a state, and what it stores then. */
  send(call: Sent | Recorded, state: State, sessions: Sessions): Replayed & { readonly after: State }
  /** The user behind the credentials of a call; null for a session. */
  userOf(call: Recorded): number | null
}

/** Makes a simulator; null where the decisions contradict each other. Causes cost time, so they are asked for. */
export type Simulate = (
  mirrors: readonly Mirror[],
  decisions: Values,
  options?: { readonly causes: boolean },
) => Promise<Simulator | null>

export interface LedgerEntry {
  readonly operations: readonly string[]
  readonly default: unknown
  readonly alternatives: readonly unknown[]
}

export type LedgerView = Readonly<Record<string, LedgerEntry>>

/** A call, and what the emulator made of it. */
export interface Pair {
  readonly recorded: Recorded
  readonly replayed: Replayed
}

/** What a call found, and what it left. */
export interface Replay {
  readonly before: State
  readonly sessions: Sessions
  readonly after: State
}

/** All calls in their order; `known`: the first of them as they were. */
export function replay(
  simulator: Simulator,
  calls: readonly Recorded[],
  known: readonly (Pair & Replay)[] = [],
): (Pair & Replay)[] {
  const all = [...known]
  for (const recorded of calls.slice(known.length)) {
    const last = all.at(-1)
    const previous = last?.recorded.part === recorded.part ? last : undefined
    const before = previous?.after ?? simulator.start(recorded.part)
    const sessions = previous
      ? sessionsAfter(previous.sessions, previous.recorded, previous.replayed.seen)
      : {}
    const { after, ...replayed } = simulator.send(recorded, before, sessions)
    const isUndone = isTakenBack(recorded, replayed.seen)
    all.push({ recorded, replayed, before, sessions, after: isUndone ? before : after })
  }
  return all
}

/** What the emulator has done, and the target refused, is not there for the calls that follow. */
export const isTakenBack = ({ seen }: Recorded, own: Seen): boolean => seen.status >= 400 && own.status < 400

/** With the session that a call has started. */
export function sessionsAfter(sessions: Sessions, { starts }: Recorded, seen: Seen): Sessions {
  if (starts === undefined) return sessions
  const credentials = sessionOf(seen)
  return credentials === null ? sessions : { ...sessions, [starts]: credentials }
}
