/** The public shapes of the emulator. */
import type { Har } from '../conformance/contract/har.js'
import type { OperationId, Profile } from '../conformance/contract/index.js'
import type { Clock, Now } from './arrange/clock.js'
import type { Faults } from './arrange/faults.js'
import type { Seed } from './arrange/seed.js'
import type { DecisionFile, DecisionInput, Decisions, Variation } from './decisions/index.js'
import type { Coverage } from './observe/coverage.js'
import type { StateDiff } from './observe/diff.js'
import type { Call } from './request/call.js'
import type { Outgoing } from './request/message.js'
import type { LearntDecision, Mail, Refusal, Violation } from './request/reports.js'
import type { Collections, State } from './state/store.js'

export type { ActiveFault, Fault, FaultCall, Faults } from './arrange/faults.js'
export type { Finding, LearntDecision, Mail, Refusal, Violation } from './request/reports.js'

export interface TrackerOptions {
  /** The starting state: a built-in one by name (default `small`), a whole state, a JSON file, or what differs. */
  readonly seed?: Seed
  /** Decisions that differ from the defaults, by id, or what `learn` wrote. Unknown ids and illegal values throw. */
  readonly decisions?: DecisionInput | DecisionFile
  /**
   * Draws decisions that `decisions` leaves out from their legal values, reproducibly: all of them by a number, those that
   * clients should stand by `{ seed }`. Such a tracker also reads the variable `TRACKER_KIT_VARY`; with `{}` only that.
   */
  readonly vary?: number | Variation
  /** Extension path segment, default `Ext`. */
  readonly ext?: string
  /** The tracker's clock: a function, or an instant at which it stands still. Default: the machine's. */
  readonly now?: Now
  /** The REST root it answers at, default `http://tracker.test/api/rest`. */
  readonly baseUrl?: string
  /** Refuses requests that the interface document does not allow, rather than only recording them. Default false. */
  readonly strictClient?: boolean
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
  /** By lower-case name, without credentials. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The status is 0, without headers, where the client got no answer at all. */
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
  }
  /** Milliseconds of real time. */
  readonly durationMs: number
  /** Why a request was refused, for the reader of the journal alone; the wire does not say it. */
  readonly refusal: Refusal | null
  /** What was learnt from a live tracker and gave this answer; empty where nothing was learnt. */
  readonly learnt: readonly LearntDecision[]
  /** The injected fault that struck, in words. */
  readonly fault: string | null
  /** What a real tracker would have mailed because of it. */
  readonly mails: readonly Mail[]
}

/** Oldest first. `har` gives all of it, or some entries, as HAR 1.2 for `tracker-kit judge`; it has no secrets either. */
export type TrackerJournal = readonly JournalEntry[] & {
  har(entries?: readonly JournalEntry[]): Har
}

/** Which calls of the journal are meant; what is left out is free. */
export interface CallFilter {
  readonly operation?: OperationId
  /** Username; null for calls without valid credentials. */
  readonly caller?: string | null
  readonly status?: number
  /** Part of the body: members that are not mentioned are free. Passwords are compared as they were sent. */
  readonly body?: unknown
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
  /** The only account of the default state with another language than English. */
  readonly french: string
}

export interface Tracker {
  readonly baseUrl: string
  readonly ext: string
  /** The number that drew the decisions, or null. */
  readonly vary: number | null
  readonly decisions: Decisions
  /**
   * Decides otherwise from the next request on; what is not mentioned stays, also after a reset. Rejects, and changes
   * nothing, on what is unknown, illegal or contradictory, and where names would no longer be unique.
   */
  decide(input: DecisionInput): Promise<void>
  readonly tokens: TrackerTokens
  /** A ready profile for the conformance suite, at `baseUrl`. */
  readonly profile: Profile
  /** The same for another base URL, for example of a server that listens. */
  profileFor(baseUrl: string): Profile
  readonly clock: Clock
  /** The last thousand calls, oldest first; fewer where they are large, as all of them together stay below 64 MiB. */
  readonly journal: TrackerJournal
  calls(filter?: CallFilter): readonly JournalEntry[]
  /** Whether an operation was called, with a body that has all that `body` says. */
  calledWith(operation: OperationId, body?: unknown): boolean
  /** Sends a call of the journal once more, as it was, with its token. Rejects where the journal no longer has it. */
  replay(sequence: number): Promise<Response>
  /** Tells of all that happens from now on, until the function that it gives is called. */
  watch(listener: (event: TrackerEvent) => void): () => void
  /** What a real tracker would have mailed, the last thousand messages. Nothing is sent. */
  readonly outbox: readonly Mail[]
  /** What the requests of the journal had that the interface document does not allow; the last thousand. */
  readonly violations: readonly Violation[]
  readonly faults: Faults
  readonly db: Collections
  /**
   * Request -> Response. Answers any URL; what lies outside the REST root is 404. Rejects like the global `fetch`: with a
   * TypeError where a fault drops the connection, with the signal's reason where the request is aborted.
   */
  fetch(request: Request): Promise<Response>
  /**
   * The same without the web's classes, for servers: the body has been read, and the answer is there at once unless a fault
   * holds it back. Throws, or rejects, as `fetch` does. Where the tracker's `fetch` was replaced, that one is asked.
   */
  handle(call: Call): Outgoing | Promise<Outgoing>
  /** Serves the tracker, and its control plane under `/__tracker/`, over HTTP. Node only: in a page it rejects. */
  listen(options?: ListenOptions): Promise<TrackerServer>
  /**
   * The same as a listener of `node:http`, for supertest and for servers of your own: it takes an `IncomingMessage` and a
   * `ServerResponse`. The REST root is `/api/rest`; below a path of Express, that path. Comes before what parses bodies.
   */
  readonly listener: (message: object, response: object) => void
  /** Back to the starting state and time; journal and faults are emptied, coverage is kept. */
  reset(): Promise<void>
  /** The whole state as JSON, after the last request that has ended. */
  snapshot(): State
  /** Puts a snapshot back. A state that does not fit rejects and changes nothing. */
  restore(state: State): Promise<void>
  /** What differs between two snapshots; by default between the starting state and now. */
  diff(before?: State, after?: State): StateDiff
  /** An independent copy in the present state, which is where its own `reset` goes back to. Faults are not copied. */
  fork(): Tracker
  coverage(): Coverage
}

/** A call was answered, or something else was done to the tracker. Direct writes to `db` are not told. */
export type TrackerEvent =
  | { readonly kind: 'call'; readonly entry: JournalEntry }
  | { readonly kind: 'reset' | 'restore' | 'faults' | 'decisions' | 'clock' }
