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

/** What a call found. */
export interface Replay {
  readonly before: State
  readonly sessions: Sessions
}

/** All calls in their order. */
export function replay(simulator: Simulator, calls: readonly Recorded[]): (Pair & Replay)[] {
  let state = simulator.start(0)
  let sessions: Sessions = {}
  return calls.map((recorded, at) => {
    if (recorded.part !== calls[at - 1]?.part) [state, sessions] = [simulator.start(recorded.part), {}]
    const found = { before: state, sessions }
    const { after, ...replayed } = simulator.send(recorded, state, sessions)
    state = after
    sessions = sessionsAfter(sessions, recorded, replayed.seen)
    return { recorded, replayed, ...found }
  })
}

/** With the session that a call has started. */
export function sessionsAfter(
  sessions: Sessions,
  { starts }: Pick<Recorded, 'starts'>,
  seen: Seen,
): Sessions {
  if (starts === undefined) return sessions
  const credentials = sessionOf(seen)
  return credentials === null ? sessions : { ...sessions, [starts]: credentials }
}
