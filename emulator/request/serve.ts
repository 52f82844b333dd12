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
import type { Asked, Pipeline, Trace } from './pipeline.js'
import type { Reply } from './respond.js'

/** With nobody else at work. What it refuses, or fails at, changes nothing. */
export async function serve(
  pipeline: Pipeline,
  request: Request,
  url: URL,
  found: Asked,
  content: Content | Refused,
  trace: Trace,
): Promise<Reply> {
  const { decisions, store, clock } = pipeline
  const headers = new Headers()
  const context = (by: Decisions, { caller, session }: Authenticated, body: unknown): Context => ({
    operation: found.id,
    decisions: by,
    store,
    caller,
    session,
    path: found.path,
    query: url.searchParams,
    headers: request.headers,
    body,
    now: clock.now,
    answerHeaders: headers,
  })
  const run = operations[found.id]
  let step = 'credentials'
  try {
    const authenticated = authenticate(request, store, decisions)
    trace.authenticated = authenticated
    trace.caller = authenticated.caller
    await touch(pipeline, authenticated)
    step = 'body'
    if (content instanceof Refused) throw content
    const [violation] = pipeline.strictClient ? trace.violations : []
    if (violation) throw refusalOf(violation)
    const asked = context(decisions, authenticated, bodyOf(content, request.headers, found.id, decisions))
    const sent = store.db.notifications.rows.length
    const work = async () => answerBody(await run(asked), decisions)
    const reads = contractOf(found.id).method === 'GET'
    const body = await (reads ? work() : store.whole(work))
    trace.mails = mailsOf(store.db, store.db.notifications.rows.slice(sent))
    return { status: 200, body, headers }
  } catch (error) {
    if (error instanceof Refused) {
      error.step ??= step
      const passes = (by: Decisions, level: number | null) => {
        try {
          if (content instanceof Refused) return false
          const { caller, ...rest } = authenticate(request, store, by)
          const other = level === null ? caller : { ...caller, access_level: level }
          run.check(context(by, { caller: other, ...rest }, bodyOf(content, request.headers, found.id, by)))
          return true
        } catch {
          return false
        }
      }
      trace.refusal = explain(error, { decisions, level: trace.caller?.access_level ?? null, passes })
    }
    throw error
  }
}

/** Notes that a token was used, to the second. */
async function touch({ store, clock }: Pipeline, { session }: Authenticated): Promise<void> {
  const used_at = `${clock.now().toISOString().slice(0, 19)}Z`
  if (session.used_at !== used_at) await store.db.tokens.change(session, { used_at })
}
