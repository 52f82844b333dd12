/** What the pipeline is given, and what becomes known of a request on its way through it. */
import type { OperationId } from '../../conformance/contract/operations.js'
import type { TrackerClock } from '../arrange/clock.js'
import type { FaultBox } from '../arrange/faults.js'
import type { Decisions } from '../decisions/index.js'
import type { Found } from '../observe/violations.js'
import type { Store, User } from '../state/store.js'
import type { Mail, Refusal } from '../types.js'
import type { Authenticated } from './auth.js'
import type { Content } from './content.js'
import type { Refused } from './errors.js'
import type { HeaderList, Incoming } from './incoming.js'
import type { Reply } from './respond.js'
import type { Match } from './router.js'

export interface Pipeline {
  readonly decisions: Decisions
  readonly store: Store
  readonly faults: FaultBox
  readonly clock: TrackerClock
  readonly ext: string
  /** Path of the REST root, without a slash at the end. */
  readonly root: string
  readonly vary: number | undefined
  readonly strictClient: boolean
  /** Null where nothing was learnt from a live tracker. */
  readonly twin: Twin | null
  /** Null where nobody reads what is noted of calls, which costs more than the rest of a request. */
  readonly record: Recorder | null
  /** Runs one after the other, so that what was checked still holds when it is written. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

/** Around the core: answers as a live tracker was seen to. */
export interface Twin {
  serve(exchange: Exchange): Promise<Reply>
  /** Of a path that leads to no operation. */
  refusalOfPath(request: Incoming, refused: Refused): Refused
}

export type Recorder = (request: Incoming, url: URL, trace: Trace, answered: Answered) => void

export interface Answered {
  readonly status: number
  readonly headers: HeaderList
  readonly body: unknown
  /** The body as JSON. */
  readonly text: string
  /** Whether the tracker itself gave it. */
  readonly own: boolean
  readonly durationMs: number
}

/** What becomes known of a request on its way, for the answer and the journal. */
export interface Trace {
  operation: OperationId | null
  authenticated: Authenticated | null
  /** Whose credentials they are, also where a fault answers before anybody asks for them. */
  caller: User | null
  body: unknown
  /** The body as it came. */
  text: string
  violations: readonly Found[]
  refusal: Refusal | null
  fault: string | null
  mails: readonly Mail[]
}

export type Asked = Match & { readonly kind: 'operation' }

/** One request of an operation, and what it takes to answer it. */
export interface Exchange {
  readonly pipeline: Pipeline
  readonly request: Incoming
  readonly url: URL
  readonly found: Asked
  readonly content: Content | Refused
  readonly trace: Trace
  /** Headers that a success answer will have. */
  readonly headers: HeaderList
}
