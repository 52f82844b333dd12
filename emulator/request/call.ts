/** One call: the transport makes it, each step adds what it finds, the operation reads it, the journal keeps it. */
import type { OperationId } from '../../conformance/contract/operations.js'
import type { TrackerClock } from '../arrange/clock.js'
import type { FaultBox } from '../arrange/faults.js'
import { type Decisions, type Learnt, noting } from '../decisions/index.js'
import type { Store, Token, User } from '../state/store.js'
import type { Refused } from './errors.js'
import { jsonOf } from './json.js'
import type { Bytes, HeaderList, ReadHeaders } from './message.js'
import type { Mail } from './reports.js'
import { type Match, match } from './router.js'

/** What all calls of a tracker share. It is replaced, never changed: a call keeps the setup with which it began. */
export interface Setup {
  readonly decisions: Decisions
  readonly learnt: Learnt | null
  readonly store: Store
  readonly faults: FaultBox
  readonly clock: TrackerClock
  readonly ext: string
  /** The path of the REST root, without a slash at the end. */
  readonly root: string
  readonly vary: number | undefined
  /** The operations that the learnt tracker does not have. */
  readonly missing: ReadonlySet<OperationId>
  /** Serves a call like a live tracker, around the core. Null if nothing was learnt from one. */
  readonly twin: ((call: Call) => void) | null
  /** Keeps a call once it has its answer. Null if nobody reads what is recorded about calls. */
  readonly record: ((call: Call) => void) | null
}

// Shared by all calls, since making them would take as long as the rest of a call.
const noMails: readonly Mail[] = []
const noPath: Readonly<Record<string, string>> = {}
const noQuery = new URLSearchParams()

export class Call {
  // `begin` sets these.
  setup!: Setup
  decisions!: Decisions
  match!: Match

  // `readContent` sets these: the text of the body, and its JSON, undefined if it is empty, invalid or too deep.
  text = ''
  json: unknown = undefined
  tooLarge = false

  // `authenticate` sets these: the caller, and the API token or session that the call presented.
  caller: User | null = null
  session: Token | null = null

  /** `admit` sets it: the body as the operation sees it; undefined if there is none. */
  body: unknown = undefined

  // The answer. The status is 0 if the client got none.
  status = 0
  result: unknown = undefined
  /** Headers of the answer; before `respond`, only those that not every answer has. */
  answerHeaders: HeaderList = []
  refused: Refused | null = null
  /** The step that checks the request at present, or refused it: see `Refusal`. */
  step = 'path'
  fault: string | null = null
  /** The text of an injected answer that is no JSON. */
  raw: string | null = null
  truncated = false
  mails = noMails

  // For the journal.
  /** The ids of the decisions that the answer depends on; null if nothing was learnt. */
  reads: Set<string> | null = null
  sequence = 0
  startedAt = 0
  /** Milliseconds since 1970, by the tracker's clock. */
  at = 0
  durationMs = 0
  /** The body of the answer, as JSON; empty if there is none. */
  answer = ''

  /** `signal`: aborted if the client no longer waits. */
  constructor(
    readonly method: string,
    readonly url: string,
    readonly headers: ReadHeaders,
    public bytes: Bytes = null,
    public signal: AbortSignal | null = null,
  ) {}

  begin(setup: Setup): void {
    this.startedAt = performance.now()
    this.setup = setup
    const reads = setup.learnt && new Set<string>()
    this.reads = reads
    this.decisions = reads ? noting(setup.decisions, (id) => reads.add(id)) : setup.decisions
    const isSlashLost = () => this.decisions['trailing-slash'] === 'same'
    const found = match(this.method, this.below, setup.ext, isSlashLost)
    const isMissing = found.kind === 'operation' && setup.missing.has(found.id)
    this.match = isMissing ? { kind: 'missing' } : found
  }

  /** Ends the call. Drops what the journal does not need, since the journal keeps the call. */
  end(status: number, answer: string): void {
    this.status = status
    this.answer = answer
    this.at = this.now().getTime()
    this.durationMs = performance.now() - this.startedAt
    this.bytes = null
    this.signal = null
    this.json = undefined
    this.body = undefined
    this.result = undefined
  }

  /** The call as it was before it was served, to check it again. */
  again(): Call {
    const again = new Call(this.method, this.url, this.headers)
    again.begin(this.setup)
    return Object.assign(again, { text: this.text, json: jsonOf(this.text), tooLarge: this.tooLarge })
  }

  get store(): Store {
    return this.setup.store
  }

  now(): Date {
    return this.setup.clock.now()
  }

  get operation(): OperationId | null {
    return this.match.kind === 'operation' ? this.match.id : null
  }

  get path(): Readonly<Record<string, string>> {
    return this.match.kind === 'operation' ? this.match.path : noPath
  }

  /** Nobody changes it. */
  get query(): URLSearchParams {
    return this.url.includes('?') ? new URL(this.url).searchParams : noQuery
  }

  get pathname(): string {
    return new URL(this.url).pathname
  }

  /** The path below the REST root; empty if it is outside the root. */
  get below(): string {
    const { pathname } = this
    const { root } = this.setup
    return pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : ''
  }

  with(changes: Partial<Pick<Call, 'decisions' | 'caller' | 'session' | 'body'>>): this {
    return Object.assign(Object.create(Call.prototype), this, changes)
  }
}

/** A call with a known caller, which an operation may handle. */
export type AdmittedCall = Call & {
  readonly operation: OperationId
  readonly caller: User
  readonly session: Token
}

export const isAdmitted = (call: Call): call is AdmittedCall =>
  call.operation !== null && call.session !== null
