/** One request from the wire to the answer, in one straight line. */
import { operation as contractOf, type OperationId } from '../conformance/contract/operations.js'
import { answerBody } from './answers.js'
import { type Authenticated, authenticate } from './auth.js'
import type { ConditionId } from './conditions.js'
import type { Decisions } from './decisions/index.js'
import { errorAnswer, Refused, refuse } from './errors.js'
import type { FaultBox } from './faults.js'
import type { Journal } from './journal.js'
import { operations } from './operations/index.js'
import { DEFAULT_LANGUAGE, languageOf } from './operations/shared.js'
import { match } from './router.js'
import type { Store } from './state/store.js'
import type { JournalEntry } from './types.js'

export interface Pipeline {
  readonly decisions: Decisions
  readonly store: Store
  readonly journal: Journal
  readonly faults: FaultBox
  readonly ext: string
  /** Path of the REST root, without a slash at the end. */
  readonly root: string
  readonly now: () => Date
  readonly vary: number | undefined
  /** Runs one after the other, so that what was checked still holds when it is written. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

/** What becomes known of a request on its way, for the answer and the journal. */
interface Trace {
  operation: OperationId | null
  authenticated: Authenticated | null
  body: unknown
  refused: Refused | null
  fault: string | null
}

interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

export async function handle(pipeline: Pipeline, request: Request): Promise<Response> {
  const started = performance.now()
  const url = new URL(request.url)
  const trace: Trace = { operation: null, authenticated: null, body: null, refused: null, fault: null }
  let reply: Reply
  try {
    reply = await answer(pipeline, request, url, trace)
  } catch (error) {
    reply = refusal(pipeline, trace, error instanceof Refused ? error : internal(error))
  }
  const entry: Omit<JournalEntry, 'sequence'> = {
    at: pipeline.now().toISOString(),
    method: request.method,
    path: url.pathname + url.search,
    operation: trace.operation,
    caller: trace.authenticated?.caller.username ?? null,
    body: trace.body,
    response: { status: reply.status, body: reply.body },
    durationMs: performance.now() - started,
    refusal: trace.refused?.forJournal ?? null,
    fault: trace.fault,
  }
  pipeline.journal.add(entry)
  return respond(pipeline, trace, reply)
}

async function answer(pipeline: Pipeline, request: Request, url: URL, trace: Trace): Promise<Reply> {
  const { decisions, store, ext, root } = pipeline
  const below = url.pathname.startsWith(`${root}/`) ? url.pathname.slice(root.length) : ''
  const found = match(request.method, below, ext, decisions['trailing-slash'] === 'same')
  if (found.kind === 'operation') trace.operation = found.id

  const fault = found.kind === 'operation' && pipeline.faults.take(found.id)
  if (fault) {
    trace.fault = `${fault.operation} ${fault.status}`
    const body = fault.body === undefined ? faultBody(pipeline, fault.status) : fault.body
    return { status: fault.status, body, headers: new Headers() }
  }

  // Read before its turn comes: a slow client must not hold up the others.
  const text = found.kind === 'operation' ? await readText(request, found.id, decisions) : ''

  return pipeline.exclusively(async () => {
    const credentialsFirst = decisions['unknown-path-order'] === 'credentials-first'
    if (credentialsFirst && below !== '') trace.authenticated = authenticate(request, store, decisions)
    if (found.kind !== 'operation') {
      if (found.kind === 'wrong-method') refuseMethod(decisions, found.allowed)
      refuse(found.kind === 'malformed' ? 'malformed-path' : 'unknown-path')
    }
    trace.authenticated ??= authenticate(request, store, decisions)
    await touch(pipeline, trace.authenticated)
    if (text instanceof Refused) throw text
    const body = parse(text, request, found.id, decisions)
    trace.body = body ?? null
    const headers = new Headers()
    const outcome = await operations[found.id]({
      operation: found.id,
      decisions,
      store,
      caller: trace.authenticated.caller,
      session: trace.authenticated.session,
      path: found.path,
      query: url.searchParams,
      headers: request.headers,
      body,
      now: pipeline.now,
      answerHeaders: headers,
    })
    return { status: 200, body: answerBody(outcome, decisions), headers }
  })
}

const BODY_LIMIT = 1024 * 1024

/** The text of the body; a refusal where it is too large, to be given once the caller is known. */
async function readText(request: Request, id: OperationId, decisions: Decisions): Promise<string | Refused> {
  if (!contractOf(id).body && decisions['body-where-none'] === 'ignored') return ''
  const tooLarge = () => new Refused('body-too-large', { with: [BODY_LIMIT] })
  if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT) return tooLarge()
  const text = await request.text()
  return text.length > BODY_LIMIT ? tooLarge() : text
}

function parse(text: string, request: Request, id: OperationId, decisions: Decisions): unknown {
  if (text === '') return undefined
  if (!contractOf(id).body) refuse('unexpected-body', { decision: 'body-where-none' })
  const type = request.headers.get('content-type') ?? ''
  if (
    !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type) &&
    decisions['missing-content-type'] === 'refused'
  )
    refuse('malformed-body', { detail: `The content type is "${type}"`, decision: 'missing-content-type' })
  try {
    return JSON.parse(text)
  } catch (error) {
    const condition = (
      {
        'message-only': 'malformed-body',
        'invalid-value': 'invalid-value',
        'empty-field': 'empty-field',
      } as const
    )[decisions['malformed-json']] satisfies ConditionId
    refuse(condition, { with: ['body'], detail: (error as Error).message, decision: 'malformed-json' })
  }
}

function refuseMethod(decisions: Decisions, allowed: readonly string[]): never {
  const how = decisions['wrong-method']
  const options = { with: [allowed.join(', ')], decision: 'wrong-method' } as const
  if (how === 'not-found') refuse('unknown-path', options)
  if (how === 'invalid') refuse('wrong-method', { ...options, status: 400 })
  refuse('wrong-method', { ...options, headers: { allow: allowed.join(', ') } })
}

/** Notes that a token was used, to the second. */
async function touch({ store, now }: Pipeline, { session }: Authenticated): Promise<void> {
  const used_at = `${now().toISOString().slice(0, 19)}Z`
  if (session.used_at !== used_at) await store.db.tokens.change(session, { used_at })
}

const internal = (error: unknown) =>
  new Refused('internal', { with: [error instanceof Error ? error.message : String(error)] })

function refusal({ decisions, store }: Pipeline, trace: Trace, refused: Refused): Reply {
  trace.refused = refused
  const caller = trace.authenticated?.caller
  const language = caller ? languageOf({ store }, caller) : DEFAULT_LANGUAGE
  return {
    status: refused.status,
    body: errorAnswer(refused, decisions, language),
    headers: new Headers(refused.options.headers),
  }
}

const faultBody = ({ decisions }: Pipeline, status: number) =>
  errorAnswer(new Refused('injected', { with: [status] }), decisions, DEFAULT_LANGUAGE)

function respond({ decisions, vary }: Pipeline, { authenticated, operation }: Trace, reply: Reply): Response {
  const { headers, status } = reply
  const text = JSON.stringify(reply.body)
  const charset = decisions['error-content-type'] === 'charset' ? '; charset=utf-8' : ''
  headers.set('content-type', `application/json${charset}`)
  const told = decisions['x-mantis-headers']
  if (told === 'always' || (told === 'on-success' && status === 200)) {
    headers.set('x-mantis-version', VERSION)
    if (authenticated) {
      headers.set('x-mantis-username', encodeURIComponent(authenticated.caller.username))
      headers.set('x-mantis-loginmethod', authenticated.method)
    }
  }
  const reads = operation !== null && contractOf(operation).method === 'GET' && status === 200
  if (reads && decisions['cache-and-etag'] === 'no-store')
    headers.set('cache-control', 'no-store, no-cache, must-revalidate')
  if (reads && decisions['cache-and-etag'] === 'etag') headers.set('etag', `"${fingerprint(text)}"`)
  if (vary !== undefined) headers.set('x-tracker-vary', String(vary))
  return new Response([204, 205, 304].includes(status) ? null : text, { status, headers })
}

/** Of the family whose behaviour is the default. */
const VERSION = '2.29.0'

/** FNV-1a: enough to tell two answers apart. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
