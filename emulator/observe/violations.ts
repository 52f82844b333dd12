/** What the interface document does not allow: in the requests of the client, and in the answers of the emulator. */
import { z } from 'zod'
import { documentedStatuses, errorBody, SUCCESS } from '../../conformance/contract/errors.js'
import { operation as contractOf, type OperationId } from '../../conformance/contract/operations.js'
import { SESSION_COOKIE } from '../request/auth.js'
import { type Content, isJsonType } from '../request/content.js'
import { Refused } from '../request/errors.js'
import type { Incoming, ReadHeaders } from '../request/incoming.js'
import { unknownMembers } from '../request/members.js'
import type { Match } from '../request/router.js'

export type ViolationKind =
  | 'path'
  | 'parameter'
  | 'credentials'
  | 'content-type'
  | 'body'
  | 'type'
  | 'unknown-member'

/** Something in a request that the document does not allow. Values are not part of it. */
export interface Violation {
  /** Sequence number of the call in the journal. */
  readonly sequence: number
  readonly operation: OperationId | null
  readonly kind: ViolationKind
  /** The member or parameter that it is about. */
  readonly field: string | null
  readonly message: string
  /** Section of the interface document. */
  readonly section: string
}

export type Found = Omit<Violation, 'sequence' | 'operation'>

const found = (
  kind: ViolationKind,
  section: string,
  message: string,
  field: string | null = null,
): Found => ({
  kind,
  field,
  message,
  section,
})

/** Shared by the calls that have none, which nearly all are. */
const none: readonly Found[] = []

export function violationsOf(
  { headers, method }: Incoming,
  match: Match,
  content: Content,
): readonly Found[] {
  if (match.kind === 'wrong-method')
    return [found('path', '4', `The path takes ${match.allowed.join(', ')}, not ${method}`)]
  if (match.kind !== 'operation') return [found('path', '4', 'No operation has this path')]
  const all: Found[] = []
  for (const { name, type } of contractOf(match.id).parameters)
    if (type === 'integer' && !/^-?\d+$/.test(match.path[name] ?? ''))
      all.push(found('parameter', '2', `The path parameter ${name} must be an integer`, name))
  credentials(headers, all)
  body(match.id, headers, content, all)
  return all.length === 0 ? none : all
}

function credentials(headers: ReadHeaders, all: Found[]): void {
  const authorization = headers.get('authorization')
  if (authorization !== null && /^Bearer [^\s,]+$/.test(authorization)) return
  if (authorization !== null)
    all.push(found('credentials', '5', 'The Authorization header is not "Bearer <ACCESS_TOKEN>"'))
  else if (!headers.get('cookie')?.includes(`${SESSION_COOKIE}=`))
    all.push(found('credentials', '5', 'The Authorization header is missing'))
}

function body(id: OperationId, headers: ReadHeaders, { text, json }: Content, all: Found[]): void {
  const { body: schema, bodySection = '4' } = contractOf(id)
  if (!schema) {
    if (text !== '') all.push(found('body', '4', 'The operation has no request body'))
    return
  }
  if (text !== '' && json === undefined) {
    all.push(found('body', '1', 'The body is not JSON'))
    return
  }
  if (text !== '' && !isJsonType(headers.get('content-type')))
    all.push(found('content-type', '1', 'The body is not declared as JSON'))
  // An absent body says as much as an object without members.
  const value = text === '' ? {} : json
  for (const { path, message } of schema.safeParse(value).error?.issues.slice(0, TOLD) ?? []) {
    const field = z.core.toDotPath([...path]) || 'body'
    all.push(found('type', bodySection, `${field}: ${message}`, field))
  }
  for (const field of unknownMembers(schema, value).slice(0, TOLD))
    all.push(found('unknown-member', bodySection, `No member is called ${field}`, field))
}

/** How many violations of a kind are told of one body. Nobody reads more, and there may be hundreds of thousands. */
const TOLD = 20

/** How a strict tracker refuses what the document does not allow. Unknown paths are refused anyway. */
export function refusalOf({ kind, field, message }: Found): Refused {
  const detail = `${message}; the tracker is strict with its client`
  switch (kind) {
    case 'credentials':
      return new Refused('unauthenticated', { detail })
    case 'path':
      return new Refused('unknown-path', { detail })
    case 'content-type':
    case 'body':
      return new Refused('malformed-body', { detail })
    default:
      return new Refused('invalid-value', { with: [field ?? 'body'], detail })
  }
}

/** What the document does not allow in an answer of an operation, or null. */
export function breachOf(status: number, body: unknown): string | null {
  if (!documentedStatuses.includes(status)) return `The status ${status} is not documented`
  if (status === SUCCESS) return body === undefined ? 'The answer has no body' : null
  const issue = errorBody.safeParse(body).error?.issues[0]
  return issue ? `The error body: ${z.core.toDotPath([...issue.path]) || 'it'}: ${issue.message}` : null
}
