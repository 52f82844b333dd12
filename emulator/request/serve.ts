/** An operation: from the credentials to what it answers, or why not. */
import { operation as contractOf } from '../../conformance/contract/operations.js'
import type { Decisions } from '../decisions/index.js'
import type { LearnedAnswer } from '../decisions/learned.js'
import { mailsOf } from '../observe/outbox.js'
import { refusalOf } from '../observe/violations.js'
import { operations } from '../operations/index.js'
import { DEFAULT_LANGUAGE, languageOf } from '../operations/shared.js'
import { type Answer, answerBody, written } from './answers.js'
import { type Authenticated, authenticate } from './auth.js'
import { bodyOf, type Content } from './content.js'
import { errorAnswer, Refused } from './errors.js'
import { explain } from './explain.js'
import { credentialFeatures, featuresOf } from './features.js'
import type { HeaderList, Incoming } from './incoming.js'
import { learnedBody, parametersOf, ruleFor, selected, shaped } from './learned.js'
import type { Context } from './operation.js'
import type { Asked, Pipeline, Trace } from './pipeline.js'
import type { Reply } from './respond.js'
import { sourceOf } from './source.js'
import { translated } from './translate.js'

/** With nobody else at work. What it refuses, or fails at, changes nothing. */
export async function serve(
  pipeline: Pipeline,
  request: Incoming,
  url: URL,
  found: Asked,
  content: Content | Refused,
  trace: Trace,
): Promise<Reply> {
  const { decisions, store, clock } = pipeline
  const headers: HeaderList = []
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
  const passes = (by: Decisions, level: number | null) => {
    try {
      if (content instanceof Refused) return false
      const { caller, ...rest } = authenticate(request, store, by)
      const other = level === null ? caller : { ...caller, access_level: level }
      run.check(context(by, { caller: other, ...rest }, read(content, by)))
      return true
    } catch {
      return false
    }
  }
  const read = (from: Content, by: Decisions) =>
    translated(bodyOf(from, request.headers, found.id, by), found.id, by)
  const rules = decisions['learned-answers']
  const shape = decisions['answer-shapes'][found.id]
  let step = 'credentials'
  let asked: Context | null = null

  /** The learnt answer to what the emulator itself would say. */
  function ruled(outcome: string, refused: Refused | null): LearnedAnswer | null {
    if (rules.length === 0 && !pipeline.observe) return null
    const raw = content instanceof Refused ? { text: '\ufffd', json: undefined } : content
    const seen = trace.authenticated ? context(decisions, trace.authenticated, raw.json) : null
    const features = seen ? featuresOf(seen, raw) : credentialFeatures(request.headers)
    const [about] = refused?.options.with ?? []
    // Which member a refusal is about tells as much as what was in it.
    if (typeof about === 'string' && /^[a-z_]+(\.[a-z_]+)?$/.test(about)) features.push(`about:${about}`)
    const parameters = parametersOf(refused, seen, raw.json)
    if (pipeline.observe) {
      const language = trace.authenticated
        ? languageOf({ store }, trace.authenticated.caller)
        : DEFAULT_LANGUAGE
      const own = refused && { status: refused.status, json: errorAnswer(refused, decisions, language) }
      pipeline.observe({ operation: found.id, outcome, features, parameters, own, source: undefined })
    }
    const answer = ruleFor(rules, found.id, outcome, features)?.answer ?? null
    if (answer === null || answer.status === 200) return answer
    const literal = { status: answer.status, body: learnedBody(answer, parameters) }
    const { headers: sent, decision } = refused?.options ?? {}
    throw Object.assign(
      new Refused(refused?.condition ?? 'invalid-value', {
        literal,
        ...(sent ? { headers: sent } : {}),
        ...(decision ? { decision } : {}),
        detail: 'A learnt answer',
      }),
      { step: refused?.step ?? step },
    )
  }

  try {
    try {
      const authenticated = authenticate(request, store, decisions)
      trace.authenticated = authenticated
      trace.caller = authenticated.caller
      await touch(pipeline, authenticated)
      step = 'body'
      if (content instanceof Refused) throw content
      const [violation] = pipeline.strictClient ? trace.violations : []
      if (violation) throw refusalOf(violation)
      asked = context(decisions, authenticated, read(content, decisions))
      if (rules.length > 0 || pipeline.observe) {
        run.check(asked)
        step = 'permit'
        ruled('ok', null)
      }
    } catch (error) {
      if (!(error instanceof Refused) || error.options.literal) throw error
      error.step ??= step
      if (ruled(error.condition, error) === null) throw error
      if (!trace.authenticated) {
        // Credentials that this tracker only reads where it is lenient.
        trace.authenticated = authenticate(request, store, {
          ...decisions,
          'bearer-scheme-parsing': 'lenient',
        })
        trace.caller = trace.authenticated.caller
      }
      // The live tracker does it: so does this one, with what it can make of the request.
      const forced = { ...trace.authenticated, caller: { ...trace.authenticated.caller, access_level: 100 } }
      asked = easiest(context(decisions, forced, trace.body), error, (c) => run.check(c))
    }
    const last = store.db.notifications.rows.at(-1)
    const at = asked
    const work = async () => {
      const answer: Answer = at ? await run(at) : written('Done', 'done', {})
      const source =
        shape !== undefined || pipeline.observe
          ? sourceOf(context(decisions, trace.authenticated as Authenticated, trace.body), answer)
          : undefined
      if (pipeline.observe)
        pipeline.observe({
          operation: found.id,
          outcome: 'ok',
          features: [],
          parameters: {},
          own: null,
          source,
        })
      if (shape === undefined) return answerBody(answer, decisions)
      return selected(shaped(shape, source), found.id, url.searchParams, decisions)
    }
    const reads = contractOf(found.id).method === 'GET'
    const body = await (reads ? work() : store.whole(work))
    const { rows } = store.db.notifications
    trace.mails = mailsOf(store.db, last ? rows.slice(rows.lastIndexOf(last) + 1) : rows)
    return { status: 200, body, headers }
  } catch (error) {
    if (error instanceof Refused) {
      error.step ??= step
      if (!pipeline.terse)
        trace.refusal = explain(error, { decisions, level: trace.caller?.access_level ?? null, passes })
    }
    throw error
  }
}

/** The request without what it was refused for; null where nothing of it can be done. */
function easiest(c: Context, refused: Refused, check: (c: Context) => void): Context | null {
  const body = structuredClone(c.body)
  let tried: Context = { ...c, body }
  let reason: Refused | null = refused
  for (let turn = 0; turn < 5 && reason; turn++) {
    try {
      check(tried)
      return tried
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      reason = error
    }
    const [field] = reason.options.with ?? []
    const name = memberOf[reason.condition] ?? String(field ?? '')
    const holder = name.startsWith('custom_field.') && isRecord(body) ? body.custom_field : body
    if (!isRecord(holder)) return null
    const key = name.split('.').at(-1) ?? ''
    if (!(key in holder)) return null
    delete holder[key]
    tried = { ...c, body }
  }
  return null
}

/** The member that a condition is about which does not name it. */
const memberOf: Readonly<Partial<Record<string, string>>> = {
  'username-invalid': 'username',
  'username-not-unique': 'username',
  'email-invalid': 'email',
  'email-disposable': 'email',
  'email-not-unique': 'email',
  'realname-invalid': 'realname',
  'current-password-mismatch': 'password',
  'user-lacks-level': 'access_level',
  'project-not-found': 'projects',
  'columns-invalid': 'columns',
  'columns-duplicate': 'columns',
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Notes that a token was used, to the second. */
async function touch({ store, clock }: Pipeline, { session }: Authenticated): Promise<void> {
  const used_at = toTheSecond(clock.now())
  if (session.used_at !== used_at) await store.db.tokens.change(session, { used_at })
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
