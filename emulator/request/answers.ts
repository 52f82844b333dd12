/** The results of operations, and the only place that gives them the form of the decisions. */
import type { Decisions } from '../decisions/index.js'
import { isObject, type Json } from './json.js'

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

function envelope({ name, value }: Answer, decisions: Decisions): Json {
  return { named: { [name]: value }, bare: value, 'empty-list': [] }[decisions['success-envelope']]
}

function reordered(value: Json, order: (keys: string[]) => string[]): Json {
  if (Array.isArray(value)) return value.map((item) => reordered(item, order))
  if (!isObject(value)) return value
  return Object.fromEntries(order(Object.keys(value)).map((key) => [key, reordered(value[key], order)]))
}
