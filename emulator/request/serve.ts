/** An operation: from the credentials to what it answers, or why not. */
import { operation as contractOf } from '../../conformance/contract/operations.js'
import type { Decisions } from '../decisions/index.js'
import { mailsOf } from '../observe/outbox.js'
import { refusalOf } from '../observe/violations.js'
import { operations } from '../operations/index.js'
import { answerBody } from './answers.js'
import { type Authenticated, authenticate } from './auth.js'
import { bodyOf, type Content } from './content.js'
import { Refused } from './errors.js'
import { explain } from './explain.js'
import type { Context } from './operation.js'
import type { Reply } from './respond.js'
import type { Exchange } from './trace.js'
import { translated } from './translate.js'

/** With nobody else at work. What it refuses, or fails at, changes nothing. */
export function serve(exchange: Exchange): Promise<Reply> {
  return explained(exchange, async () => {
    const context = await admit(exchange)
    return carryOut(exchange, async () =>
      answerBody(await operations[context.operation](context), context.decisions),
    )
  })
}

/** Who asks, and with what body; refuses what does not come so far. */
export async function admit(exchange: Exchange): Promise<Context> {
  const { pipeline, request, content, trace } = exchange
  const { decisions, store } = pipeline
  let step = 'credentials'
  try {
    const authenticated = authenticate(request, store, decisions, exchange.found.id)
    trace.authenticated = authenticated
    trace.caller = authenticated.caller
    await touch(exchange, authenticated)
    step = 'body'
    if (content instanceof Refused) throw content
    const violation = pipeline.strictClient && trace.violations[0]
    if (violation) throw refusalOf(violation)
    return contextOf(exchange, authenticated, understood(exchange, content, decisions))
  } catch (error) {
    if (error instanceof Refused) error.step ??= step
    throw error
  }
}

/** The work of an operation as a whole; its outcome is the body of the answer. */
export async function carryOut(
  { pipeline: { store }, found, trace, headers }: Exchange,
  work: () => Promise<unknown>,
): Promise<Reply> {
  if (contractOf(found.id).method === 'GET') return { status: 200, body: await work(), headers }
  const last = store.db.notifications.rows.at(-1)
  const body = await store.whole(work)
  const { rows } = store.db.notifications
  trace.mails = mailsOf(store.db, last ? rows.slice(rows.lastIndexOf(last) + 1) : rows)
  return { status: 200, body, headers }
}

/** Nobody writes to it, and to make one takes as long as the rest of a context. */
const noQuery = new URLSearchParams()

export function contextOf(
  { pipeline: { decisions, store, clock }, request, url, found, headers }: Exchange,
  { caller, session }: Authenticated,
  body: unknown,
  by: Decisions = decisions,
): Context {
  return {
    operation: found.id,
    decisions: by,
    store,
    caller,
    session,
    path: found.path,
    query: url.search === '' ? noQuery : url.searchParams,
    headers: request.headers,
    body,
    now: clock.now,
    answerHeaders: headers,
  }
}

const understood = ({ request, found }: Exchange, content: Content, by: Decisions) =>
  translated(bodyOf(content, request.headers, found.id, by), found.id, by)

/** Notes on the trace why a request was refused, unless nobody will read it. */
export async function explained(exchange: Exchange, work: () => Promise<Reply>): Promise<Reply> {
  const { pipeline, trace } = exchange
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    error.step ??= 'permit'
    if (!pipeline.record) throw error
    const passes = (by: Decisions, level: number | null) => wouldPass(exchange, by, level)
    const level = trace.caller?.access_level ?? null
    trace.refusal = explain(error, { decisions: pipeline.decisions, level, passes })
    throw error
  }
}

/** Whether the same request would pass all checks under these decisions, by a caller of this level. */
function wouldPass(exchange: Exchange, by: Decisions, level: number | null): boolean {
  const { pipeline, request, found, content } = exchange
  try {
    if (content instanceof Refused) return false
    const { caller, ...rest } = authenticate(request, pipeline.store, by, found.id)
    const other = level === null ? caller : { ...caller, access_level: level }
    const body = understood(exchange, content, by)
    operations[found.id].check(contextOf(exchange, { caller: other, ...rest }, body, by))
    return true
  } catch {
    return false
  }
}

/** Notes that a token was used, to the second. Who asks for an impersonation has ended the one before, whatever comes of it. */
async function touch(
  { pipeline: { store, clock }, found }: Exchange,
  { session }: Authenticated,
): Promise<void> {
  const used_at = toTheSecond(clock.now())
  const ends = found.id === 'impersonateUser' && session.acting_as != null
  if (ends) await store.db.tokens.change(session, { used_at, acting_as: null })
  else if (session.used_at !== used_at) await store.db.tokens.change(session, { used_at })
}

// Most requests come in the second of the one before, and a date takes longer to write than to compare.
let second = Number.NaN
let secondText = ''

function toTheSecond(now: Date): string {
  const begun = Math.floor(now.getTime() / 1000)
  if (begun !== second) {
    second = begun
    secondText = `${now.toISOString().slice(0, 19)}Z`
  }
  return secondText
}
