/** What the pipeline is given, and what becomes known of a request on its way through it. */
import type { OperationId } from '../../conformance/contract/operations.js'
import type { TrackerClock } from '../arrange/clock.js'
import type { FaultBox } from '../arrange/faults.js'
import type { Decisions } from '../decisions/index.js'
import type { CoverageCounter } from '../observe/coverage.js'
import type { Journal } from '../observe/journal.js'
import type { Found, Violation } from '../observe/violations.js'
import type { Store, User } from '../state/store.js'
import type { Breach, Mail, Refusal } from '../types.js'
import type { Authenticated } from './auth.js'
import type { Parameters } from './parameters.js'
import type { Match } from './router.js'

export interface Pipeline {
  readonly decisions: Decisions
  readonly store: Store
  readonly journal: Journal
  readonly violations: Log<Violation>
  readonly breaches: Log<Breach>
  readonly coverage: CoverageCounter
  readonly faults: FaultBox
  readonly clock: TrackerClock
  readonly ext: string
  /** Path of the REST root, without a slash at the end. */
  readonly root: string
  readonly vary: number | undefined
  readonly strictClient: boolean
  /** Keeps no journal, which costs more than the rest of a request. */
  readonly terse: boolean
  /** Told of each request how it came out. */
  readonly observe?: ((outcome: Outcome) => void) | undefined
  /** Runs one after the other, so that what was checked still holds when it is written. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** Called once all that there is to say about a call stands in the logs. */
  onCall(): void
}

/** How a request came out, in the words in which learnt rules speak of it. */
export interface Outcome {
  readonly operation: OperationId | null
  /** `ok`, or the condition of the refusal; of the emulator itself, before any learnt rule. */
  readonly outcome: string
  readonly features: readonly string[]
  readonly parameters: Parameters
  /** The refusal itself; null where there is none. */
  readonly own: { readonly status: number; readonly json: unknown } | null
  /** What a form of a success body may take its values from; undefined where there is none. */
  readonly source: unknown
}

export interface Log<T> {
  readonly entries: readonly T[]
  add(entry: T): void
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
