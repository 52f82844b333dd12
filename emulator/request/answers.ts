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
  switch (decisions['answer-member-order']) {
    case 'declared':
      return members
    case 'sorted':
      return reordered(members, (keys) => keys.sort())
    case 'reversed':
      return reordered(members, (keys) => keys.reverse())
  }
}

function content(answer: Answer, decisions: Decisions): Json {
  if (answer.message !== undefined) {
    switch (decisions['write-success-body']) {
      case 'empty-list':
        return []
      case 'empty-object':
        return {}
      case 'message':
        return { message: answer.message }
      case 'entity':
        return envelope(answer, decisions)
    }
  }
  if (answer.rest === undefined) return envelope(answer, decisions)
  const how = decisions['page-content']
  if (how === 'empty-list' || decisions['success-envelope'] === 'empty-list') return []
  const one = envelope(answer, decisions)
  if (how === 'entity') return one
  return { ...(isObject(one) ? one : { [answer.name]: one }), ...answer.rest }
}

function envelope({ name, value }: Answer, decisions: Decisions): Json {
  switch (decisions['success-envelope']) {
    case 'named':
      return { [name]: value }
    case 'bare':
      return value
    case 'empty-list':
      return []
  }
}

function reordered(value: Json, order: (keys: string[]) => string[]): Json {
  if (Array.isArray(value)) return value.map((item) => reordered(item, order))
  if (!isObject(value)) return value
  return Object.fromEntries(order(Object.keys(value)).map((key) => [key, reordered(value[key], order)]))
}
