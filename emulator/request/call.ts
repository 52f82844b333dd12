/**
 * One call of a client. The transport makes it, each step adds what it finds out, the operation reads it, and the journal
 * keeps it. The journal's entries, violations and explanations are made once somebody looks.
 */
import type { OperationId } from '../../conformance/contract/operations.js'
import type { TrackerClock } from '../arrange/clock.js'
import type { FaultBox } from '../arrange/faults.js'
import type { Decisions, Learnt } from '../decisions/index.js'
import type { Store, Token, User } from '../state/store.js'
import type { Refused } from './errors.js'
import { jsonOf } from './json.js'
import type { Bytes, HeaderList, ReadHeaders } from './message.js'
import type { Finding, Mail, Refusal } from './reports.js'
import { type Match, match } from './router.js'

/** What all calls of a tracker share. It is replaced, never changed: a call keeps the one with which it began. */
export interface Setup {
  readonly decisions: Decisions
  /** Null where nothing was learnt. */
  readonly learnt: Learnt | null
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
  /** Keeps a call that has its answer. Null where nobody reads what is noted of calls. */
  readonly record: ((call: Call) => void) | null
}

/** Around the core: answers as a live tracker was seen to. */
export interface Twin {
  serve(call: Call): void
  /** Of a path that leads to no operation. */
  refusalOfPath(call: Call, refused: Refused): Refused
}

/** Shared by all calls, which the journal keeps alive. */
const noMails: readonly Mail[] = []
const noPath: Readonly<Record<string, string>> = {}
const unknown: Match = { kind: 'unknown' }
const noQuery = new URLSearchParams()

export class Call {
  // `begin` sets these: the parts of the URL, the operation of the path, and the decoded path parameters.
  setup!: Setup
  decisions!: Decisions
  pathname = ''
  search = ''
  match: Match = unknown
  operation: OperationId | null = null
  path = noPath

  // `readContent` sets these: the text of the body, and its JSON; undefined where it is empty, wrong or too deep.
  text = ''
  json: unknown = undefined
  tooLarge = false

  // `authenticate` sets these: the caller, and the API token or the session that the caller presented.
  caller: User | null = null
  session: Token | null = null

  /** `admit` sets it: the body as the operation sees it; undefined where there was none. */
  body: unknown = undefined

  // The answer. The status is 0 where the client got none.
  status = 0
  result: unknown = undefined
  /** Headers of the answer; until `respond`, those that not every answer has. */
  answerHeaders: HeaderList = []
  refused: Refused | null = null
  fault: string | null = null
  /** A fault gave the answer, not the tracker. */
  injected = false
  /** The connection ends in the middle of the body. */
  truncated = false
  mails = noMails

  // For the journal.
  /** What the document does not allow in the request; null until somebody asks for it. */
  findings: readonly Finding[] | null = null
  /** Ids of the decisions that the answer was made by; null where nothing was learnt. */
  reads: Set<string> | null = null
  sequence = 0
  startedAt = 0
  /** Milliseconds since 1970, by the tracker's clock. */
  at = 0
  durationMs = 0
  /** The body of the answer, as JSON; empty where it has none. */
  answer = ''
  /** Undefined until somebody asks why it was refused, or the state is about to become another. */
  explanation: Refusal | null | undefined = undefined

  /** `signal`: aborted where the client no longer waits. */
  constructor(
    readonly method: string,
    readonly url: string,
    readonly headers: ReadHeaders,
    public bytes: Bytes = null,
    public signal: AbortSignal | null = null,
  ) {}

  begin(setup: Setup): void {
    const { pathname, search } = new URL(this.url)
    const decisions = setup.learnt ? this.noting(setup.decisions) : setup.decisions
    this.startedAt = performance.now()
    this.setup = setup
    this.decisions = decisions
    this.pathname = pathname
    this.search = search
    this.match = match(this.method, this.below, setup.ext, () => decisions['trailing-slash'] === 'same')
    if (this.match.kind !== 'operation') return
    this.operation = this.match.id
    this.path = this.match.path
  }

  private noting(decisions: Decisions): Decisions {
    const reads = new Set<string>()
    this.reads = reads
    return new Proxy(decisions, {
      get(target, id) {
        if (typeof id === 'string') reads.add(id)
        return Reflect.get(target, id)
      },
    })
  }

  /** Drops all that the journal does not need: it keeps the call. */
  end(status: number, answer: string): void {
    this.status = status
    this.answer = answer
    this.at = this.now().getTime()
    this.durationMs = performance.now() - this.startedAt
    this.bytes = null
    this.signal = null
    this.pathname = ''
    this.search = ''
    this.match = unknown
    this.path = noPath
    this.json = undefined
    this.body = undefined
    this.result = undefined
  }

  /** The call as it was before it was served, to look at it once more. */
  again(): Call {
    const again = new Call(this.method, this.url, this.headers)
    again.begin(this.setup)
    again.text = this.text
    again.json = jsonOf(this.text)
    again.tooLarge = this.tooLarge
    return again
  }

  get store(): Store {
    return this.setup.store
  }

  now(): Date {
    return this.setup.clock.now()
  }

  get query(): URLSearchParams {
    // Shared, as nobody writes to it: a new one takes as long as the rest of a call.
    return this.search === '' ? noQuery : new URLSearchParams(this.search)
  }

  /** The path below the REST root, percent-encoded as it came; empty where it is not below it. */
  get below(): string {
    const { root } = this.setup
    return this.pathname.startsWith(`${root}/`) ? this.pathname.slice(root.length) : ''
  }

  /** The same call where some of it is otherwise. */
  with(changes: Partial<Pick<Call, 'decisions' | 'caller' | 'session' | 'body'>>): this {
    return Object.assign(Object.create(Call.prototype), this, changes)
  }
}

/** A call whose caller is known, which an operation may see. */
export type AdmittedCall = Call & {
  readonly operation: OperationId
  readonly caller: User
  readonly session: Token
}

export const isAdmitted = (call: Call): call is AdmittedCall =>
  call.operation !== null && call.session !== null
