/** The public shapes of the emulator. */
import type { OperationId, Profile } from '../conformance/contract/index.js'
import type { DecisionInput, Decisions } from './decisions/index.js'
import type { Collections, State } from './state/store.js'

export interface TrackerOptions {
  /** The starting state: the name of a built-in one, or a whole state. Default: `small`. */
  readonly seed?: string | State
  /** Decisions that differ from the ledger's defaults, by id. Unknown ids and illegal values throw. */
  readonly decisions?: DecisionInput
  /** Draws every decision that `decisions` leaves out from its legal alternatives, reproducibly by this number. */
  readonly vary?: number
  /** Extension path segment, default `Ext`. */
  readonly ext?: string
  /** The tracker's clock, default the machine's. */
  readonly now?: () => Date
  /** The REST root it answers at, default `http://tracker.test/api/rest`. */
  readonly baseUrl?: string
}

/** One request and its answer. Secrets are masked. `body` and `response.body` are parsed JSON where they are JSON. */
export interface JournalEntry {
  readonly sequence: number
  /** ISO 8601, by the tracker's clock. */
  readonly at: string
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly operation: OperationId | null
  /** Username of the authenticated caller. */
  readonly caller: string | null
  readonly body: unknown
  readonly response: { readonly status: number; readonly body: unknown }
  readonly durationMs: number
  /** Why a request was refused, for the reader of the journal alone; the wire does not say it. */
  readonly refusal: Refusal | null
  /** The injected fault that answered in the tracker's place. */
  readonly fault: string | null
}

export interface Refusal {
  /** The error condition, for example `access-denied`. */
  readonly condition: string
  /** What was required and what was held, in one sentence. */
  readonly detail: string
  /** The decision that gave this answer, where one did. */
  readonly decision: string | null
}

export interface Fault {
  readonly operation: OperationId
  readonly status: number
  /** Default: the tracker's error form with a message that says the fault was injected. */
  readonly body?: unknown
  /** How many calls it answers; without it, all until cleared. */
  readonly times?: number
}

export interface Faults {
  /** Answers calls of an operation in the tracker's place. Throws on an unknown operation or status. */
  inject(fault: Fault): void
  clear(): void
  readonly active: readonly (Fault & { readonly hits: number })[]
}

export interface ListenOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Default `127.0.0.1`. */
  readonly host?: string
}

export interface TrackerServer {
  /** The REST root. */
  readonly url: string
  /** Scheme, host and port, with no path. */
  readonly origin: string
  /** Ends open connections too. */
  close(): Promise<void>
}

/** Bearer tokens of the starting state, by the name of their role. Empty where it has none. */
export interface TrackerTokens {
  readonly administrator: string
  readonly manager: string
  readonly developer: string
  readonly reporter: string
  readonly viewer: string
  /** An enabled user without any administrative permission: the reporter's. */
  readonly restricted: string
  /** An account kept to have its own password changed. */
  readonly password: string
  readonly disabled: string
  readonly protected: string
}

export interface Tracker {
  readonly baseUrl: string
  readonly ext: string
  /** The number that drew the decisions, or null. */
  readonly vary: number | null
  /** The decisions in force. */
  readonly decisions: Decisions
  readonly tokens: TrackerTokens
  /** A ready profile for the conformance suite, at `baseUrl`. */
  readonly profile: Profile
  /** The same for another base URL, for example of a server that listens. */
  profileFor(baseUrl: string): Profile
  readonly journal: readonly JournalEntry[]
  readonly faults: Faults
  readonly db: Collections
  /** Request -> Response. Answers any URL; what lies outside the REST root is 404. */
  fetch(request: Request): Promise<Response>
  /** Serves the tracker, and its control plane under `/__tracker/`, over HTTP. Node only. */
  listen(options?: ListenOptions): Promise<TrackerServer>
  /** Back to the starting state; journal and faults are emptied. */
  reset(): Promise<void>
  /** The whole state as JSON. */
  snapshot(): State
  /** Puts a snapshot back. A state that does not fit throws and changes nothing. */
  restore(state: State): Promise<void>
}
