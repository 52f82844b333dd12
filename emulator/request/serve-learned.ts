/**
 * An operation as a live tracker was seen to answer it: around the plain one, the learnt rules for what it says, and the
 * learnt form of what it shows. Without any, the plain one is all there is.
 */
import { operations } from '../operations/index.js'
import { type Answer, answerBody, written } from './answers.js'
import { authenticate } from './auth.js'
import type { ConditionId } from './conditions.js'
import { errorAnswer, Refused } from './errors.js'
import { credentialFeatures, featuresOf } from './features.js'
import type { Incoming } from './incoming.js'
import { learnedBody, ruleFor, selected, shaped } from './learned.js'
import type { Context } from './operation.js'
import { parametersOf } from './parameters.js'
import type { Reply } from './respond.js'
import { admit, carryOut, contextOf, type Exchange, explainRefusal, serve } from './serve.js'
import { DEFAULT_LANGUAGE, languageOf } from './shared.js'
import { sourceOf } from './source.js'
import type { Pipeline } from './trace.js'

/** With nobody else at work. What it refuses, or fails at, changes nothing. */
export async function serveAsLearned(exchange: Exchange): Promise<Reply> {
  const { decisions, observe } = exchange.pipeline
  const shape = decisions['answer-shapes'][exchange.found.id]
  const plain = decisions['learned-answers'].length === 0 && shape === undefined && !observe
  try {
    return await (plain ? serve(exchange) : ruled(exchange))
  } catch (error) {
    if (error instanceof Refused) {
      error.step ??= 'permit'
      explainRefusal(exchange, error)
    }
    throw error
  }
}

async function ruled(exchange: Exchange): Promise<Reply> {
  const { pipeline } = exchange
  let asked: Context | null
  try {
    asked = await admit(exchange)
    operations[asked.operation].check(asked)
    apply(exchange, null)
  } catch (error) {
    if (!(error instanceof Refused) || error.options.literal) throw error
    if (!apply(exchange, error)) throw error
    asked = inSpite(exchange, error)
  }
  return carryOut(exchange, async () => {
    const answer = asked ? await operations[asked.operation](asked) : written('Done', 'done', {})
    return bodyOf(exchange, answer, pipeline)
  })
}

/** The rule for what the emulator itself would say: true where the live tracker does it all the same. */
function apply(exchange: Exchange, refused: Refused | null): boolean {
  const { pipeline, request, found, content, trace } = exchange
  const raw = content instanceof Refused ? { text: '\ufffd', json: undefined } : content
  const seen = trace.authenticated ? contextOf(exchange, trace.authenticated, raw.json) : null
  const features = seen ? featuresOf(seen, raw) : credentialFeatures(request.headers)
  const [about] = refused?.options.with ?? []
  // Which member a refusal is about tells as much as what was in it.
  if (typeof about === 'string' && /^[a-z_]+(\.[a-z_]+)?$/.test(about)) features.push(`about:${about}`)
  const parameters = parametersOf(refused, seen, raw.json)
  const { decisions, store, observe } = pipeline
  if (observe) {
    const language = trace.authenticated
      ? languageOf({ store }, trace.authenticated.caller)
      : DEFAULT_LANGUAGE
    const own = refused && { status: refused.status, json: errorAnswer(refused, decisions, language) }
    const outcome = refused?.condition ?? 'ok'
    observe({ operation: found.id, outcome, features, parameters, own, source: undefined })
  }
  const rules = decisions['learned-answers']
  const answer = ruleFor(rules, found.id, refused?.condition ?? 'ok', features, parameters)?.answer
  if (!answer) return false
  if (answer.status === 200) return true
  const { headers, decision } = refused?.options ?? {}
  const literal = new Refused(refused?.condition ?? 'invalid-value', {
    literal: { status: answer.status, body: learnedBody(answer, parameters) },
    ...(headers ? { headers } : {}),
    ...(decision ? { decision } : {}),
    detail: 'A learnt answer',
  })
  literal.step = refused?.step ?? 'permit'
  throw literal
}

function bodyOf(exchange: Exchange, answer: Answer, { decisions, observe }: Pipeline): unknown {
  const { found, trace, url } = exchange
  const shape = decisions['answer-shapes'][found.id]
  if (!observe && shape === undefined) return answerBody(answer, decisions)
  const source = trace.authenticated && sourceOf(contextOf(exchange, trace.authenticated, trace.body), answer)
  if (observe)
    observe({ operation: found.id, outcome: 'ok', features: [], parameters: {}, own: null, source })
  if (shape === undefined) return answerBody(answer, decisions)
  return selected(shaped(shape, source), found.id, url.searchParams, decisions)
}

/** What a live tracker gives to callers to whom the emulator would refuse it; nothing else lends them a level. */
const aboutRights: ReadonlySet<ConditionId> = new Set(['access-denied', 'user-lacks-level'])
const ADMINISTRATOR = 90

/** What a live tracker does of a request that the emulator would refuse; null where nothing can be done of it. */
function inSpite(exchange: Exchange, refused: Refused): Context | null {
  const { pipeline, request, trace } = exchange
  if (!trace.authenticated) {
    // Credentials that this tracker only reads where it is lenient.
    const lenient = { ...pipeline.decisions, 'bearer-scheme-parsing': 'lenient' } as const
    trace.authenticated = authenticate(request, pipeline.store, lenient)
    trace.caller = trace.authenticated.caller
  }
  const { caller, session } = trace.authenticated
  const by = aboutRights.has(refused.condition) ? { ...caller, access_level: ADMINISTRATOR } : caller
  return easiest(contextOf(exchange, { ...trace.authenticated, caller: by, session }, trace.body), refused)
}

/** The request without what it was refused for; null where nothing of it can be done. */
function easiest(c: Context, refused: Refused): Context | null {
  const body = structuredClone(c.body)
  let tried: Context = { ...c, body }
  let reason: Refused | null = refused
  for (let turn = 0; turn < 5 && reason; turn++) {
    try {
      operations[c.operation].check(tried)
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

/** A path that leads to no operation, refused as the live tracker refuses it. */
export function refusedAsLearned(
  { decisions, observe }: Pipeline,
  request: Incoming,
  refused: Refused,
): Refused {
  const features = credentialFeatures(request.headers)
  const parameters = parametersOf(refused, null, null)
  if (observe) {
    const own = { status: refused.status, json: errorAnswer(refused, decisions, DEFAULT_LANGUAGE) }
    observe({ operation: null, outcome: refused.condition, features, parameters, own, source: undefined })
  }
  const learnt = ruleFor(decisions['learned-answers'], null, refused.condition, features, parameters)?.answer
  if (!learnt || learnt.status === 200) return refused
  const literal = { status: learnt.status, body: learnedBody(learnt, parameters) }
  return new Refused(refused.condition, { ...refused.options, literal })
}
