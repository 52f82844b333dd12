/**
 * A tracker as a live one was seen to answer: around the core, the learnt rules for what it says, and the learnt form of
 * what it shows. In goes a request and what the core would make of it, out comes the live tracker's answer.
 */
import type { OperationId } from '../../conformance/contract/operations.js'
import { fills, type Parameters } from '../../conformance/contract/templates.js'
import type { Decisions } from '../decisions/index.js'
import { operations } from '../operations/index.js'
import { type Answer, answerBody, type Json, written } from '../request/answers.js'
import { authenticate } from '../request/auth.js'
import type { ConditionId } from '../request/conditions.js'
import { errorAnswer, Refused } from '../request/errors.js'
import type { Context } from '../request/operation.js'
import { admit, carryOut, contextOf, explained } from '../request/serve.js'
import { DEFAULT_LANGUAGE, languageOf } from '../request/shared.js'
import type { Exchange, Twin } from '../request/trace.js'
import { givenColumns } from '../request/translate.js'
import { credentialFeatures, featuresOf } from './features.js'
import { formFor, learnedBody, ruleFor, rulesOf, selected, selectionOf, shaped } from './learned.js'
import { parametersOf } from './parameters.js'
import { sourceOf } from './source.js'

/** How a request came out, in the words in which learnt rules speak of it. */
export interface Outcome {
  readonly operation: OperationId | null
  /** `ok`, or the condition of the refusal; of the core, before any learnt rule. */
  readonly outcome: string
  readonly features: readonly string[]
  readonly parameters: Parameters
  /** The refusal itself; null where there is none. */
  readonly own: { readonly status: number; readonly json: unknown } | null
  /** What a form of a success body may take its values from; undefined where there is none. */
  readonly source: unknown
}

type Hear = ((outcome: Outcome) => void) | undefined

/** Null where nothing was learnt and nobody listens: the core then answers by itself. */
export function twinOf(decisions: Decisions, hear?: Hear): Twin | null {
  const rules = decisions['learned-answers']
  const shapes = decisions['answer-shapes']
  const { column } = decisions['accepted-values']
  if (rules.length === 0 && Object.keys(shapes).length === 0 && !column && !hear) return null
  return {
    serve: (exchange) => explained(exchange, () => served(exchange, hear)),
    refusalOfPath({ headers, url }, refused) {
      const features = credentialFeatures(headers)
      const parameters = parametersOf(new URL(url), refused, null, null)
      const own = { status: refused.status, json: errorAnswer(refused, decisions, DEFAULT_LANGUAGE) }
      hear?.({ operation: null, outcome: refused.condition, features, parameters, own, source: undefined })
      const learnt = ruleFor(rulesOf(rules, null, refused.condition), features, parameters)?.answer
      if (!learnt || learnt.status === 200) return refused
      const literal = { status: learnt.status, body: learnedBody(learnt, parameters) }
      return new Refused(refused.condition, { ...refused.options, literal })
    },
  }
}

async function served(exchange: Exchange, hear: Hear) {
  let asked: Context | null
  try {
    asked = await admit(exchange)
    operations[asked.operation].check(asked)
    apply(exchange, null, hear)
  } catch (error) {
    if (!(error instanceof Refused) || error.options.literal) throw error
    if (!apply(exchange, error, hear)) throw error
    asked = inSpite(exchange, error)
  }
  return carryOut(exchange, async () => {
    const answer = asked ? await operations[asked.operation](asked) : written('Done', 'done', {})
    return bodyOf(exchange, answer, hear)
  })
}

/** The rule for what the core would say: true where the live tracker does it all the same. */
function apply(exchange: Exchange, refused: Refused | null, hear: Hear): boolean {
  const { pipeline, found, trace } = exchange
  const { decisions, store } = pipeline
  const rules = rulesOf(decisions['learned-answers'], found.id, refused?.condition ?? 'ok')
  // To put a request into words takes longer than to serve it.
  if (rules.length === 0 && !hear) return false
  const { features, parameters } = wordsOf(exchange, refused)
  if (hear) {
    const language = trace.authenticated
      ? languageOf({ store }, trace.authenticated.caller)
      : DEFAULT_LANGUAGE
    const own = refused && { status: refused.status, json: errorAnswer(refused, decisions, language) }
    const outcome = refused?.condition ?? 'ok'
    hear({ operation: found.id, outcome, features, parameters, own, source: undefined })
  }
  const answer = ruleFor(rules, features, parameters)?.answer
  if (!answer) return false
  if (answer.status === 200) return true
  // Words with gaps are nobody's: where the request does not have what they repeat, the emulator's own are told.
  if (refused?.status === answer.status && !fills({ ...answer }, parameters)) return false
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

/** What rules say of a request: the features that they ask for, and what their texts repeat. */
function wordsOf(exchange: Exchange, refused: Refused | null) {
  const { request, content, trace, url } = exchange
  const raw = content instanceof Refused ? { text: '\ufffd', json: undefined } : content
  const seen = trace.authenticated ? contextOf(exchange, trace.authenticated, raw.json) : null
  const features = seen ? featuresOf(seen, raw) : credentialFeatures(request.headers)
  if (refused?.options.decision === 'disabled-caller-token') features.push('authorization:disabled')
  if (features.length === 0 && refused?.condition === 'unauthenticated')
    features.push('authorization:unknown')
  const parameters = parametersOf(url, refused, seen, raw.json)
  const [about] = refused?.options.with ?? []
  // Which member a refusal is about tells as much as what was in it; what it quotes is no member.
  const isQuoted = Object.entries(parameters).some(
    ([name, value]) => value === about && !/^(\d|last|type\.at)$/.test(name),
  )
  if (typeof about === 'string' && /^[a-z_]+(\.[a-z_]+)?$/.test(about) && !isQuoted)
    features.push(`about:${about}`)
  return { features, parameters }
}

function bodyOf(exchange: Exchange, core: Answer, hear: Hear): unknown {
  const { pipeline, found, trace, url, content } = exchange
  const { decisions } = pipeline
  const answer = found.id === 'manageColumns' ? { ...core, value: named(core.value, decisions) } : core
  const shape = decisions['answer-shapes'][found.id]
  if (!hear && shape === undefined) return answerBody(answer, decisions)
  const body = content instanceof Refused ? undefined : content.json
  const source =
    trace.authenticated && sourceOf(contextOf(exchange, trace.authenticated, trace.body), answer, body)
  hear?.({ operation: found.id, outcome: 'ok', features: [], parameters: {}, own: null, source })
  const form = shape && formFor(shape, () => wordsOf(exchange, null).features)
  if (form === undefined) return answerBody(answer, decisions)
  return selected(shaped(form, source), found.id, url.searchParams, decisions, selectionOf(shape))
}

/** Lists of columns under the names that the live tracker has for them. */
function named(value: Json, decisions: Decisions): Json {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return [...givenColumns(value as string[], decisions['accepted-values'])]
  if (Array.isArray(value)) return value.map((item) => named(item, decisions))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, named(item as Json, decisions)]),
  )
}

/** What a live tracker gives to callers to whom the emulator would refuse it; nothing else lends them a level. */
const aboutRights: ReadonlySet<ConditionId> = new Set(['access-denied', 'user-lacks-level'])
const ADMINISTRATOR = 90

/** What a live tracker does of a request that the emulator would refuse; null where nothing can be done of it. */
function inSpite(exchange: Exchange, refused: Refused): Context | null {
  const { pipeline, request, trace } = exchange
  if (!trace.authenticated) {
    // Credentials that this tracker only reads where it is lenient.
    const lenient = Object.create(pipeline.decisions, { 'bearer-scheme-parsing': { value: 'lenient' } })
    trace.authenticated = authenticate(request, pipeline.store, lenient as Decisions, exchange.found.id)
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
