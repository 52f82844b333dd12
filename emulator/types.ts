/** The public types of the emulator. */
import type { Har } from '../conformance/contract/har.js'
import type { OperationId, Profile } from '../conformance/contract/index.js'
import type { Clock, Now } from './arrange/clock.js'
import type { Faults } from './arrange/faults.js'
import type { Seed } from './arrange/seed.js'
import type { DecisionFile, DecisionInput, Decisions, Learnt, Variation } from './decisions/index.js'
import type { Coverage } from './observe/coverage.js'
import type { StateDiff } from './observe/diff.js'
import type { CallFilter, ListenOptions } from './options.js'
import type { Call } from './request/call.js'
import type { Outgoing } from './request/message.js'
import type { LearntDecision, Mail, Refusal, Violation } from './request/reports.js'
import type { Collections, State } from './state/store.js'

export type { ActiveFault, Fault, FaultCall, Faults } from './arrange/faults.js'
export type { CallFilter, ListenOptions } from './options.js'
export type { Finding, LearntDecision, Mail, Refusal, Violation } from './request/reports.js'

export interface TrackerOptions {
  /** The starting state: a built-in one by name (default `small`), a whole state, a JSON file, or the differences. */
  readonly seed?: Seed
  /** Decisions that differ from the defaults, by id, or the file of `learn`. Unknown ids and illegal values throw. */
  readonly decisions?: DecisionInput | DecisionFile
  /**
   * Draws the decisions that `decisions` omits, reproducibly: a number draws all, `{ seed }` those that clients should
   * tolerate. Such a tracker also reads the variable `TRACKER_KIT_VARY`; with `{}`, only the variable counts.
   */
  readonly vary?: number | Variation
  /** Extension path segment, default `Ext`. */
  readonly ext?: string
  /** The tracker's clock: a function, or an instant at which it stands still. Default: the machine's clock. */
  readonly now?: Now
  /** The REST root of the tracker, default `http://tracker.test/api/rest`. */
  readonly baseUrl?: string
}

/** One request and its answer. Secrets are masked. `body` and `response.body` are parsed if they are JSON. */
export interface JournalEntry {
  readonly sequence: number
  /** ISO 8601, by the tracker's clock. */
  readonly at: string
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly operation: OperationId | null
  /** The username of the authenticated caller. */
  readonly caller: string | null
  /** Headers by lower-case name, without credentials. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The status is 0, without headers, if the client got no answer. */
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
  }
  /** Milliseconds of real time. */
  readonly durationMs: number
  /** Why the request was refused. Only the journal says so, not the answer. */
  readonly refusal: Refusal | null
  /** The decisions learnt from a live tracker that led to this answer; empty if nothing was learnt. */
  readonly learnt: readonly LearntDecision[]
  /** The injected fault that struck, in words. */
  readonly fault: string | null
  /** Mail that a real tracker would have sent because of the request. */
  readonly mails: readonly Mail[]
}

/** The oldest first. `har` returns all entries, or some, as HAR 1.2 for `tracker-kit judge`, without secrets. */
export type TrackerJournal = readonly JournalEntry[] & {
  har(entries?: readonly JournalEntry[]): Har
}

export interface TrackerServer {
  /** The REST root. */
  readonly url: string
  /** Scheme, host and port, with no path. */
  readonly origin: string
  /** Also ends open connections. */
  close(): Promise<void>
}

/** The bearer tokens of the starting state, by role; empty if it has none. */
export interface TrackerTokens {
  readonly administrator: string
  readonly manager: string
  readonly developer: string
  readonly reporter: string
  readonly viewer: string
  /** The token of an enabled user without administrative permission: the reporter's. */
  readonly restricted: string
  /** The token of an account whose password tests may change. */
  readonly password: string
  readonly disabled: string
  readonly protected: string
  /** The token of the only account in the default state with a language other than English. */
  readonly french: string
}

export interface Tracker {
  readonly baseUrl: string
  readonly ext: string
  /** The seed that drew the decisions, or null. */
  readonly vary: number | null
  readonly decisions: Decisions
  /** What a twin has learnt from its original, by decision; null if it is no twin. */
  readonly learnt: Learnt | null
  /**
   * Changes decisions from the next request on; others stay, and a reset does not undo it. Rejects and changes nothing
   * if a value is unknown, illegal or contradictory, or if names would no longer be unique.
   */
  decide(input: DecisionInput): Promise<void>
  readonly tokens: TrackerTokens
  /** A complete profile for the conformance suite, for `baseUrl`. */
  readonly profile: Profile
  /** The same profile for another base URL, such as that of a server that listens. */
  profileFor(baseUrl: string): Profile
  readonly clock: Clock
  /** The last thousand calls, the oldest first; fewer if they are large, since together they stay below 64 MiB. */
  readonly journal: TrackerJournal
  calls(filter?: CallFilter): readonly JournalEntry[]
  /** Whether an operation was called with a body that contains everything in `body`. */
  calledWith(operation: OperationId, body?: unknown): boolean
  /** Sends a call of the journal again, unmasked and with its token. Rejects if the journal no longer has it. */
  replay(sequence: number): Promise<Response>
  /** Reports all events from now on, until the returned function is called. */
  watch(listener: (event: TrackerEvent) => void): () => void
  /** Mail that a real tracker would have sent, the last thousand messages. Nothing is sent. */
  readonly outbox: readonly Mail[]
  /** What the interface document does not allow in the requests of the journal; the last thousand violations. */
  readonly violations: readonly Violation[]
  readonly faults: Faults
  readonly db: Collections
  /**
   * Request -> Response. Answers any URL, with 404 outside the REST root. Rejects like the global `fetch`: with a
   * TypeError if a fault drops the connection, with the signal's reason if the request is aborted.
   */
  fetch(request: Request): Promise<Response>
  /**
   * Like `fetch` without the web's classes, for servers: the body is already read, and the answer is synchronous unless
   * a fault delays it. Throws or rejects like `fetch`. If a test replaced the tracker's `fetch`, it is called instead.
   */
  handle(call: Call): Outgoing | Promise<Outgoing>
  /** Serves the tracker over HTTP, with its control plane under `/__tracker/`. Only in Node; rejects in a web page. */
  listen(options?: ListenOptions): Promise<TrackerServer>
  /**
   * A `node:http` listener, for supertest and your own servers: it takes an `IncomingMessage` and a `ServerResponse`.
   * The REST root is `/api/rest`, or the path where Express mounts it. It must come before body parsers.
   */
  readonly listener: (message: object, response: object) => void
  /** Returns to the starting state and time, and empties journal and faults. Coverage is kept. */
  reset(): Promise<void>
  /** The whole state as JSON, after the last complete request. */
  snapshot(): State
  /** Restores a snapshot. Rejects and changes nothing if the state is invalid. */
  restore(state: State): Promise<void>
  /** The differences between two snapshots; by default between the starting state and now. */
  diff(before?: State, after?: State): StateDiff
  /** An independent copy in the current state, to which its own `reset` returns. Faults are not copied. */
  fork(): Tracker
  coverage(): Coverage
}

/** A call was answered, or the tracker was changed otherwise. Direct writes to `db` are not reported. */
export type TrackerEvent =
  | { readonly kind: 'call'; readonly entry: JournalEntry }
  | { readonly kind: 'reset' | 'restore' | 'faults' | 'decisions' | 'clock' }
