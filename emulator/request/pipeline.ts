/** One request from the wire to the answer, in one straight line. */
import { milliseconds } from '../arrange/clock.js'
import { ConnectionDropped, faultText } from '../arrange/faults.js'
import type { Decisions } from '../decisions/index.js'
import { violationsOf } from '../observe/violations.js'
import type { Fault, FaultCall, Mail } from '../types.js'
import { authenticate } from './auth.js'
import { noContent, readContent } from './content.js'
import { errorAnswer, Refused, refuse } from './errors.js'
import { explain } from './explain.js'
import type { HeaderList, Incoming, Outgoing } from './incoming.js'
import { type Reply, respond } from './respond.js'
import { type Match, match } from './router.js'
import { serve } from './serve.js'
import { DEFAULT_LANGUAGE, languageOf } from './shared.js'
import type { Asked, Pipeline, Trace } from './trace.js'

/** The client got no answer; its `fetch` rejects. */
class Lost {
  constructor(readonly reason: unknown) {}
}

/** Shared by all calls, which the journal keeps alive. */
const noMails: readonly Mail[] = []
const noHeaders: HeaderList = []

export async function handle(pipeline: Pipeline, request: Incoming): Promise<Outgoing> {
  const started = performance.now()
  const url = new URL(request.url)
  const trace: Trace = {
    operation: null,
    authenticated: null,
    caller: null,
    body: null,
    text: '',
    violations: [],
    refusal: null,
    fault: null,
    mails: noMails,
  }
  let outcome: Reply | Lost
  try {
    outcome = await answer(pipeline, request, url, trace)
  } catch (error) {
    if (error instanceof Refused) outcome = refusal(pipeline, trace, error)
    else if (error instanceof ConnectionDropped || request.signal?.aborted) outcome = new Lost(error)
    else outcome = refusal(pipeline, trace, internal(error))
  }
  const { status, body } = outcome instanceof Lost ? { status: 0, body: null } : outcome
  const text = JSON.stringify(body ?? null)
  const own = !(outcome instanceof Lost || outcome.injected)
  const { decisions, vary } = pipeline
  const { operation, authenticated } = trace
  const outgoing =
    outcome instanceof Lost ? outcome : respond({ decisions, vary, operation, authenticated }, outcome, text)
  const headers = outgoing instanceof Lost ? noHeaders : outgoing.headers
  const durationMs = performance.now() - started
  pipeline.record?.(request, url, trace, { status, headers, body, text, own, durationMs })
  if (outgoing instanceof Lost) throw outgoing.reason
  return outgoing
}

async function answer(pipeline: Pipeline, request: Incoming, url: URL, trace: Trace): Promise<Reply> {
  const { decisions, ext, root, faults } = pipeline
  const below = url.pathname.startsWith(`${root}/`) ? url.pathname.slice(root.length) : ''
  const found = match(request.method, below, ext, () => decisions['trailing-slash'] === 'same')
  if (found.kind === 'operation') trace.operation = found.id

  // Read before its turn comes: a slow client must not hold up the others.
  const content = found.kind === 'operation' ? await readContent(request, found.id, decisions) : noContent
  if (!(content instanceof Refused)) {
    trace.body = content.json ?? null
    trace.text = content.text
    if (below !== '' && pipeline.record) trace.violations = violationsOf(request, found, content)
  }

  if (found.kind !== 'operation') {
    return pipeline.exclusively(async () => refusePath(pipeline, request, below, found, trace))
  }
  const call = faults.any ? callOf(pipeline, request, found, trace) : null
  const before = call && faults.take('before', call)
  const instead = before && (await strike(pipeline, request, trace, before, null))
  if (instead) return instead
  const exchange = { pipeline, request, url, found, content, trace, headers: [] }
  const reply = await pipeline.exclusively(() =>
    pipeline.twin ? pipeline.twin.serve(exchange) : serve(exchange),
  )
  const after = call && faults.take('after', call)
  return after ? ((await strike(pipeline, request, trace, after, reply)) ?? reply) : reply
}

/** What a fault makes of an answer; null where it leaves the answer to the tracker. */
async function strike(
  pipeline: Pipeline,
  request: Incoming,
  trace: Trace,
  fault: Fault,
  own: Reply | null,
): Promise<Reply | null> {
  const text = faultText(fault, trace.operation ?? '')
  trace.fault = trace.fault === null ? text : `${trace.fault}, ${text}`
  const { delay, status, body, headers, transport } = fault
  if (delay !== undefined) await pipeline.clock.wait(milliseconds(delay), request.signal ?? undefined)
  if (transport === 'drop') throw new ConnectionDropped()
  const reply: Reply | null =
    status === undefined
      ? own
      : {
          status,
          body: body === undefined ? faultBody(pipeline, status) : body,
          headers: [...new Headers(headers)],
          injected: true,
        }
  return reply && transport === 'truncate' ? { ...reply, truncated: true } : reply
}

function callOf({ store, decisions }: Pipeline, request: Incoming, found: Asked, trace: Trace): FaultCall {
  try {
    trace.caller = authenticate(request, store, decisions, found.id).caller
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
  const { operation, body, caller } = { operation: found.id, body: trace.body, caller: trace.caller }
  return { operation, path: found.path, body, caller: caller?.username ?? null }
}

function refusePath(
  pipeline: Pipeline,
  request: Incoming,
  below: string,
  found: Exclude<Match, Asked>,
  trace: Trace,
): never {
  const { decisions, store, record, twin } = pipeline
  try {
    if (below !== '' && decisions['unknown-path-order'] === 'credentials-first') {
      trace.authenticated = authenticate(request, store, decisions, null)
      trace.caller = trace.authenticated.caller
    }
    if (found.kind === 'wrong-method') refuseMethod(decisions, found.allowed)
    refuse(found.kind === 'malformed' ? 'malformed-path' : 'unknown-path')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (record) {
      error.step = trace.authenticated || below === '' ? 'path' : 'credentials'
      trace.refusal = explain(error, { decisions, level: null, passes: () => false })
    }
    throw twin ? twin.refusalOfPath(request, error) : error
  }
}

function refuseMethod(decisions: Decisions, allowed: readonly string[]): never {
  const how = decisions['wrong-method']
  const options = { with: [allowed.join(', ')], decision: 'wrong-method' } as const
  if (how === 'not-found') refuse('unknown-path', options)
  if (how === 'invalid') refuse('wrong-method', { ...options, status: 400 })
  refuse('wrong-method', { ...options, headers: { allow: allowed.join(', ') } })
}

const internal = (error: unknown) =>
  new Refused('internal', { with: [error instanceof Error ? error.message : String(error)] })

function refusal({ decisions, store, record }: Pipeline, trace: Trace, refused: Refused): Reply {
  if (record) trace.refusal ??= explain(refused, { decisions, level: null, passes: () => false })
  const language = trace.authenticated ? languageOf({ store }, trace.authenticated.caller) : DEFAULT_LANGUAGE
  return {
    status: refused.status,
    body: errorAnswer(refused, decisions, language),
    headers: Object.entries(refused.options.headers ?? {}),
  }
}

const faultBody = ({ decisions }: Pipeline, status: number) =>
  errorAnswer(new Refused('injected', { with: [status] }), decisions, DEFAULT_LANGUAGE)
