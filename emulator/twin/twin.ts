/** Makes a tracker answer like a live one: learnt rules change its refusals, and learnt forms its success bodies. */
import type { OperationId } from '../../conformance/contract/operations.js'
import { fills, type Parameters } from '../../conformance/contract/templates.js'
import { type Decisions, decidedAs } from '../decisions/index.js'
import { operations } from '../operations/index.js'
import { authenticate } from '../request/auth.js'
import { type AdmittedCall, type Call, isAdmitted, type Setup } from '../request/call.js'
import type { ConditionId } from '../request/conditions.js'
import { errorAnswer, Refused } from '../request/errors.js'
import { isObject } from '../request/json.js'
import { type Answer, answerBody, written } from '../request/operation.js'
import { callersLanguage } from '../request/preferences.js'
import { admit, carryOut } from '../request/serve.js'
import { writableCopy } from '../state/image.js'
import { levels } from '../state/levels.js'
import { each } from '../state/records.js'
import { credentialFeatures, featuresOf } from './features.js'
import { formFor, learnedBody, ruleFor, rulesOf, selected, selectionOf, shaped } from './learned.js'
import { parametersOf, sourceOf } from './source.js'

export interface Outcome {
  readonly operation: OperationId | null
  /** `ok`, or the condition of the core's refusal, before learnt rules apply. */
  readonly outcome: string
  readonly features: readonly string[]
  readonly parameters: Parameters
  readonly own: { readonly status: number; readonly json: unknown } | null
  /** The values that forms of success bodies may use; undefined if there are none. */
  readonly source: unknown
}

type Hear = ((outcome: Outcome) => void) | undefined

/** Null if nothing was learnt and nobody observes, so that the core answers alone. */
export function twinOf(decisions: Decisions, hear?: Hear): Setup['twin'] {
  const { 'learned-answers': rules, 'answer-shapes': shapes } = decisions
  if (rules.length === 0 && Object.keys(shapes).length === 0 && !hear) return null
  return (call) => served(call, hear)
}

function served(call: Call, hear: Hear): void {
  let accepted: AdmittedCall | null
  try {
    accepted = admit(call)
    operations[accepted.operation].check(accepted)
    refuseAsLearnt(call, null, hear)
  } catch (error) {
    if (!(error instanceof Refused) || error.options.literal) throw error
    if (!refuseAsLearnt(call, error, hear)) throw error
    accepted = acceptable(call, error)
  }
  if (!isAdmitted(call)) throw new Error('A call without a caller was accepted')
  carryOut(call, () => {
    const answer = accepted ? operations[accepted.operation](accepted) : written('Done', 'done', {})
    return learntBody(call, answer, hear)
  })
}

/** Throws the learnt refusal for the core's outcome. Returns true if the live tracker accepts the call. */
function refuseAsLearnt(call: Call, refused: Refused | null, hear: Hear): boolean {
  const { decisions, operation, step } = call
  if (refused) refused.step ??= step
  const rules = rulesOf(decisions['learned-answers'], operation, refused?.condition ?? 'ok')
  // Computing the features of a request takes longer than serving it.
  if (rules.length === 0 && !hear) return false
  const { features, parameters } = wordsOf(call, refused)
  if (hear) {
    const json = refused && errorAnswer(refused, decisions, callersLanguage(call))
    const own = refused && { status: refused.status, json }
    hear({ operation, outcome: refused?.condition ?? 'ok', features, parameters, own, source: undefined })
  }
  const answer = ruleFor(rules, features, parameters)?.answer
  if (!answer) return false
  // A path that leads to no operation stays refused: there is nothing to carry out.
  if (answer.status === 200) return operation !== null
  // If the request lacks a value for the learnt text, the emulator's own text is used, which has no gaps.
  if (refused?.status === answer.status && !fills({ ...answer }, parameters)) return false
  const literal = { status: answer.status, body: learnedBody(answer, parameters) }
  const options = { ...refused?.options, literal, detail: 'A learnt answer' }
  throw new Refused(refused?.condition ?? 'invalid-value', options, refused?.step ?? 'permit')
}

/** The terms of rules for a request: the features for their conditions, and the values for their texts. */
function wordsOf(call: Call, refused: Refused | null) {
  // A body that is too large was not kept, and counts as invalid JSON.
  const raw = call.tooLarge ? { text: '\ufffd', json: undefined } : { text: call.text, json: call.json }
  const asCame = call.with({ body: raw.json })
  const known = isAdmitted(asCame) ? asCame : null
  const features = known ? featuresOf(known, raw) : credentialFeatures(call.headers)
  if (refused?.options.decision === 'disabled-caller-token') features.push('authorization:disabled')
  else if (refused?.condition === 'unauthenticated' && !features.includes('authorization:none'))
    features.push(...(features.length === 0 ? ['authorization:unknown'] : []), 'authorization:refused')
  const parameters = parametersOf(call.pathname, refused, known, raw.json)
  const [about] = refused?.options.with ?? []
  // The member that a refusal names is a feature, like the content of the request; a quoted value is not.
  const isQuoted = Object.entries(parameters).some(
    ([name, value]) => value === about && !/^(\d|first|last|type\.at)$/.test(name),
  )
  if (typeof about === 'string' && /^[a-z_]+(\.[a-z_]+)?$/.test(about) && !isQuoted)
    features.push(`about:${about}`)
  return { features, parameters }
}

function learntBody(call: AdmittedCall, answer: Answer, hear: Hear): unknown {
  const { decisions, operation, json } = call
  const shape = decisions['answer-shapes'][operation]
  if (!hear && shape === undefined) return answerBody(answer, decisions)
  const body = call.tooLarge ? undefined : json
  const source = sourceOf(call.with({ body: json ?? null }), answer, body)
  hear?.({ operation, outcome: 'ok', features: [], parameters: {}, own: null, source })
  const form = shape && formFor(shape, () => wordsOf(call, null).features)
  if (form === undefined) return answerBody(answer, decisions)
  return selected(shaped(form, source), form, call, selectionOf(shape))
}

/** Refusals for lack of rights. If a live tracker accepts such a call, the caller gets the level that it needs. */
const aboutRights: ReadonlySet<ConditionId> = new Set(['access-denied', 'user-lacks-level'])

/** The call in a form that the emulator carries out, since the live tracker accepts it; null if there is no such form. */
function acceptable(call: Call, refused: Refused): AdmittedCall | null {
  if (!call.session) {
    // These credentials are valid only under lenient parsing.
    const lenient = call.with({ decisions: decidedAs(call.decisions, 'bearer-scheme-parsing', 'lenient') })
    authenticate(lenient)
    call.caller = lenient.caller
    call.session = lenient.session
  }
  const promoted = aboutRights.has(refused.condition) && call.caller
  const caller = promoted ? { ...promoted, access_level: levels.administrator } : call.caller
  const raw = call.with({ caller, body: call.json ?? null })
  return isAdmitted(raw) ? withoutDefects(raw, refused) : null
}

/** The call without the members that cause refusals; null if it is refused nevertheless. */
function withoutDefects(c: AdmittedCall, refused: Refused): AdmittedCall | null {
  const body = writableCopy(c.body)
  // The live tracker has the user under this name from now on.
  const isNamed = refused.condition === 'username-invalid'
  const decisions = isNamed ? decidedAs(c.decisions, 'create-username-rules', 'any-text') : c.decisions
  const tried = c.with({ body, decisions })
  for (let turn = 0; turn < 5; turn++) {
    let reason: Refused
    try {
      operations[c.operation].check(tried)
      return tried
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      reason = error
    }
    const [field] = reason.options.with ?? []
    const name = memberOf[reason.condition] ?? String(field ?? '')
    const holder = name.startsWith('custom_field.') && isObject(body) ? body.custom_field : body
    if (!isObject(holder)) return null
    const key = name.split('.').at(-1) ?? ''
    if (!(key in holder)) return null
    delete holder[key]
  }
  return null
}

const memberOf: Readonly<Partial<Record<string, string>>> = {
  ...each('username', 'username-invalid', 'username-not-unique'),
  ...each('email', 'email-invalid', 'email-disposable', 'email-not-unique'),
  'realname-invalid': 'realname',
  'current-password-mismatch': 'password',
  'user-lacks-level': 'access_level',
  'project-not-found': 'projects',
  ...each('columns', 'columns-invalid', 'columns-duplicate'),
}
