/** The results of operations, and the only place that gives them the form of the decisions. */
import type { Decisions } from '../decisions/index.js'
import { isObject, type Json } from './json.js'

interface Named {
  /** The name in the family: `user`, `custom_fields`. */
  readonly name: string
  readonly value: Json
}

export type Answer =
  | ({ readonly kind: 'entity' } & Named)
  | ({ readonly kind: 'written'; readonly message: string } & Named)
  | ({ readonly kind: 'page'; readonly rest: Readonly<Record<string, Json>> } & Named)

/** A record or list that was read or created. */
export const entity = (name: string, value: Json): Answer => ({ kind: 'entity', name, value })

export function written(message: string, name: string, value: Json): Answer {
  return { kind: 'written', message, name, value }
}

/** The entity that a page is about; `rest` has the choices of the page and what the caller may do. */
export function page(name: string, value: Json, rest: Readonly<Record<string, Json>>): Answer {
  return { kind: 'page', name, value, rest }
}

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
  if (answer.kind === 'written') {
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
  if (answer.kind !== 'page') return envelope(answer, decisions)
  const how = decisions['page-content']
  if (how === 'empty-list' || decisions['success-envelope'] === 'empty-list') return []
  const one = envelope(answer, decisions)
  if (how === 'entity') return one
  return { ...(isObject(one) ? one : { [answer.name]: one }), ...answer.rest }
}

function envelope({ name, value }: Named, decisions: Decisions): Json {
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
