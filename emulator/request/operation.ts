/** The type of an operation: the steps that check a call and carry it out, and the form of its result. */
import type { Decisions } from '../decisions/index.js'
import type { AdmittedCall } from './call.js'
import { Refused } from './errors.js'
import { isObject, type Json, remade } from './json.js'

/** The steps in their order, each as `Refusal.step` explains it. A check refuses by throwing; only `run` writes. */
export interface Steps<Target, Input> {
  /** Whether the family checks values before rights. */
  readonly valuesFirst?: true
  gate?(c: AdmittedCall): void
  find?(c: AdmittedCall): Target
  guard?(c: AdmittedCall, target: Target): void
  accept?(c: AdmittedCall, target: Target): Input
  permit?(c: AdmittedCall, target: Target, input: Input): void
  run(c: AdmittedCall, target: Target, input: Input): Answer
}

export interface Operation {
  (c: AdmittedCall): Answer
  /** Only the checks: throws like the operation, and writes nothing. */
  check(c: AdmittedCall): void
}

export function define<Target = undefined, Input = undefined>(steps: Steps<Target, Input>): Operation {
  const run = (c: AdmittedCall) => steps.run(c, ...inputOf(steps, c))
  return Object.assign(run, { check: (c: AdmittedCall) => void inputOf(steps, c) })
}

function inputOf<Target, Input>(steps: Steps<Target, Input>, c: AdmittedCall) {
  /** The refusal for lack of rights, which is thrown later if values are checked first. */
  let refusal: unknown
  const rights = (name: string, check: () => void) => {
    c.step = name
    try {
      if (refusal === undefined) check()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      error.step = name
      // Reads the decision only if it matters: learning tries each value of a decision on every call that read it.
      const order = c.decisions['check-order']
      if (order === 'by-operation' ? !steps.valuesFirst : order === 'rights-first') throw error
      refusal = error
    }
  }
  rights('gate', () => steps.gate?.(c))
  c.step = 'find'
  const target = steps.find?.(c) as Target
  rights('guard', () => steps.guard?.(c, target))
  c.step = 'accept'
  const input = steps.accept?.(c, target) as Input
  if (refusal !== undefined) throw refusal
  c.step = 'permit'
  steps.permit?.(c, target, input)
  return [target, input] as const
}

/** The result of a write has a message; that of a page has the choices of the page and what the caller may do. */
export interface Answer {
  /** The name in the family: `user`, `custom_fields`. */
  readonly name: string
  readonly value: Json
  readonly message?: string
  readonly rest?: Readonly<Record<string, Json>>
}

export const entity = (name: string, value: Json): Answer => ({ name, value })

export const written = (message: string, name: string, value: Json): Answer => ({ name, value, message })

/** The entity that a page is about, and the rest of the page. */
export const page = (name: string, value: Json, rest: Answer['rest'] & {}): Answer => ({ name, value, rest })

export function answerBody(answer: Answer, decisions: Decisions): Json {
  const body = content(answer, decisions)
  const extra = decisions['answer-extra-members'] === 'some' && isObject(body)
  const members = extra ? { ...body, generated_by: { product: 'tracker', build: 2290 } } : body
  const order = decisions['answer-member-order']
  if (order === 'declared') return members
  return reordered(members, (keys) => (order === 'sorted' ? keys.sort() : keys.reverse()))
}

function content(answer: Answer, decisions: Decisions): Json {
  const { message } = answer
  const written = message === undefined ? 'entity' : decisions['write-success-body']
  if (written !== 'entity') return { 'empty-list': [], 'empty-object': {}, message: { message } }[written]
  if (answer.rest === undefined) return envelope(answer, decisions)
  const how = decisions['page-content']
  if (how === 'empty-list' || decisions['success-envelope'] === 'empty-list') return []
  const one = envelope(answer, decisions)
  if (how === 'entity') return one
  return { ...(isObject(one) ? one : { [answer.name]: one }), ...answer.rest }
}

const envelope = ({ name, value }: Answer, decisions: Decisions): Json =>
  ({ named: { [name]: value }, bare: value, 'empty-list': [] })[decisions['success-envelope']]

function reordered(value: Json, order: (keys: string[]) => string[]): Json {
  const made = remade(value, (part) => reordered(part, order))
  return isObject(made) ? Object.fromEntries(order(Object.keys(made)).map((key) => [key, made[key]])) : made
}
