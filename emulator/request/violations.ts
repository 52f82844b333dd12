/** What the interface document does not allow in the client's requests. */
import { z } from 'zod'
import { operation as contractOf, type OperationId } from '../../conformance/contract/operations.js'
import { SESSION_COOKIE } from './auth.js'
import { isJsonType } from './body.js'
import type { Call } from './call.js'
import { unknownMembers } from './json.js'
import type { ReadHeaders } from './message.js'
import type { Finding } from './reports.js'

function finding(
  kind: Finding['kind'],
  section: string,
  message: string,
  field: string | null = null,
): Finding {
  return { kind, field, message, section }
}

/** Shared by the calls without violations, which are nearly all. */
const none: readonly Finding[] = []

/** What the document does not allow in the request; determined when it is first read. */
export function violationsOf(call: Call): readonly Finding[] {
  call.findings ??= found(call.again())
  return call.findings
}

function found(call: Call): readonly Finding[] {
  const { match, method, headers } = call
  if (call.below === '' || call.tooLarge) return none
  if (match.kind === 'wrong-method')
    return [finding('path', '4', `The path takes ${match.allowed.join(', ')}, not ${method}`)]
  if (match.kind === 'missing') return none
  if (match.kind !== 'operation') return [finding('path', '4', 'No operation has this path')]
  const all: Finding[] = []
  for (const { name, type } of contractOf(match.id).parameters)
    if (type === 'integer' && !/^-?\d+$/.test(match.path[name] ?? ''))
      all.push(finding('parameter', '2', `The path parameter ${name} must be an integer`, name))
  credentials(headers, all)
  body(match.id, call, all)
  return all.length === 0 ? none : all
}

function credentials(headers: ReadHeaders, all: Finding[]): void {
  const authorization = headers.get('authorization')
  const wrong = (message: string) => all.push(finding('credentials', '5', message))
  if (authorization === null) {
    if (!headers.get('cookie')?.includes(`${SESSION_COOKIE}=`)) wrong('The Authorization header is missing')
  } else if (!/^Bearer [^\s,]+$/.test(authorization))
    wrong('The Authorization header is not "Bearer <ACCESS_TOKEN>"')
}

function body(id: OperationId, { headers, text, json }: Call, all: Finding[]): void {
  const { body: schema, bodySection = '4' } = contractOf(id)
  if (!schema) {
    if (text !== '') all.push(finding('body', '4', 'The operation has no request body'))
    return
  }
  if (text !== '' && json === undefined) {
    all.push(finding('body', '1', 'The body is not JSON'))
    return
  }
  if (text !== '' && !isJsonType(headers.get('content-type')))
    all.push(finding('content-type', '1', 'The body is not declared as JSON'))
  // An absent body is equal to an object without members.
  const value = text === '' ? {} : json
  for (const { path, message } of schema.safeParse(value).error?.issues.slice(0, TOLD) ?? []) {
    const field = z.core.toDotPath([...path]) || 'body'
    all.push(finding('type', bodySection, `${field}: ${message}`, field))
  }
  for (const field of unknownMembers(schema, value).slice(0, TOLD))
    all.push(finding('unknown-member', bodySection, `No member is called ${field}`, field))
}

/** The most violations of a kind for one body: there may be hundreds of thousands, and nobody reads more. */
const TOLD = 20
