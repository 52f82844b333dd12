/** An exchange in the terms of the document: the operation, the thing, the body. Everything is derived from the exchange. */
import type { OperationId } from '../contract/index.js'
import type { Exchange } from './exchange.js'
import { answerIn, isObject, type JsonObject, parsed } from './json.js'
import type { Knowledge } from './knowledge.js'
import { aspects, belowExtension, type Gate, type Kind, kindOf, match } from './operations.js'
import type { Thing } from './things.js'
import { type Value, valuesOf } from './values.js'

export interface Request {
  readonly n: number
  readonly exchange: Exchange
  readonly op: OperationId
  readonly gate: Gate
  readonly caller: string
  /** The caller's label up to its colon. */
  readonly role: string
  /** What the path addresses, decoded. */
  readonly address: string | undefined
  readonly kind: Kind | undefined
  subject: Thing | undefined
  /** The JSON of the body; undefined where it is absent or not JSON. */
  readonly body: unknown
  readonly values: readonly Value[]
  readonly isAbsent: boolean
  readonly isJson: boolean
  /** The recording has lost the body. */
  readonly isLost: boolean
  /** It has a query or headers that the document does not mention. */
  readonly isUnusual: boolean
  readonly isRead: boolean
  readonly status: number
  /** The JSON of the answer; undefined where it is absent, lost or not JSON. */
  readonly answer: unknown
  /** Another exchange that concerns the same thing was under way at the same time. */
  readonly isConcurrent: boolean
  /** The document demands a refusal, so it demands an answer. */
  mustAnswer: boolean
  /** Its answer is what a tracker shows to an administrator, with nothing else under way. */
  isPlain: boolean
}

export type About = Pick<Request, 'op' | 'kind' | 'address' | 'caller' | 'body'>
/** What the world tells. */
type Subjects = Readonly<{ knowledge: Pick<Knowledge, 'ext'>; subjectOf(about: About): Thing | undefined }>

/** undefined: the exchange means no operation of the interface. */
export function requestOf(exchange: Exchange, isConcurrent: boolean, world: Subjects): Request | undefined {
  const path = belowExtension(exchange.path, world.knowledge.ext)
  const found = path === undefined ? undefined : match(exchange.method, path)
  if (!found) return undefined
  const { operation, address } = found
  const { n, caller, status, query, headers, body: text, lost = [] } = exchange
  const { gate, family } = aspects[operation.id]
  const isAbsent = text === null || text === ''
  const body = isAbsent ? undefined : parsed(text)
  const readsColumns = operation.id === 'manageColumns' && isObject(body) && !Object.hasOwn(body, 'columns')
  const kind = kindOf(operation)
  // One literal without spreads: objects of one shape are read much faster.
  return {
    n,
    exchange,
    op: operation.id,
    gate,
    caller,
    role: caller.split(':')[0] ?? caller,
    address,
    kind,
    subject: world.subjectOf({ op: operation.id, kind, address, caller, body }),
    body,
    values: valuesOf(family, body),
    isAbsent,
    isJson: isAbsent || body !== undefined,
    isLost: lost.includes('body'),
    isUnusual: query !== '' || Object.keys(headers).length > 0,
    isRead: operation.method === 'GET' || readsColumns,
    status,
    answer: lost.includes('text') ? undefined : answerIn(exchange.text),
    isConcurrent,
    mustAnswer: false,
    isPlain: false,
  }
}

/** The members of a body, or of the definition in it; undefined where that is no object. */
export function partOf({ op, body }: Pick<Request, 'op' | 'body'>): JsonObject | undefined {
  const part = /^(create|update)CustomField$/.test(op) && isObject(body) ? body.custom_field : body
  return isObject(part) ? part : undefined
}

/** The body as an object; empty where it is none. */
export const membersOf = ({ body }: Pick<Request, 'body'>): JsonObject => (isObject(body) ? body : {})

export const isServed = ({ status, isUnusual }: Request): boolean => status === 200 && !isUnusual
