/** What the interface document does not allow in the client's requests. */
import { z } from 'zod'
import { memoised } from '../../conformance/contract/memoised.js'
import { operation as contractOf, type OperationId } from '../../conformance/contract/operations.js'
import { SESSION_COOKIE } from './auth.js'
import { isJsonType } from './body.js'
import type { Call } from './call.js'
import { unknownMembers } from './json.js'
import type { ReadHeaders } from './message.js'
import type { Finding } from './reports.js'

function finding(kind: Finding['kind'], section: string, message: string, field?: string): Finding {
  return { kind, field: field ?? null, message, section }
}

/** What the document does not allow in the request; determined when it is first read. */
export const violationsOf = memoised((given: Call): readonly Finding[] => {
  const call = given.again()
  const { match, method } = call
  if (call.below === '' || call.tooLarge || match.kind === 'missing') return []
  if (match.kind === 'wrong-method')
    return [finding('path', '4', `The path takes ${match.allowed.join(', ')}, not ${method}`)]
  if (match.kind !== 'operation') return [finding('path', '4', 'No operation has this path')]
  const parameters = contractOf(match.id)
    .parameters.filter(({ name, type }) => type === 'integer' && !/^-?\d+$/.test(match.path[name] ?? ''))
    .map(({ name }) => finding('parameter', '2', `The path parameter ${name} must be an integer`, name))
  return [...parameters, ...credentials(call.headers), ...body(match.id, call)]
})

function credentials(headers: ReadHeaders): Finding[] {
  const authorization = headers.get('authorization')
  const wrong = (message: string) => [finding('credentials', '5', message)]
  if (authorization !== null)
    return /^Bearer [^\s,]+$/.test(authorization)
      ? []
      : wrong('The Authorization header is not "Bearer <ACCESS_TOKEN>"')
  const hasCookie = headers.get('cookie')?.includes(`${SESSION_COOKIE}=`)
  return hasCookie ? [] : wrong('The Authorization header is missing')
}

/** The most violations of a kind for one body: there may be hundreds of thousands, and nobody reads more. */
const TOLD = 20

function body(id: OperationId, { headers, text, json }: Call): Finding[] {
  const { body: schema, bodySection = '4' } = contractOf(id)
  if (!schema) return text === '' ? [] : [finding('body', '4', 'The operation has no request body')]
  if (text !== '' && json === undefined) return [finding('body', '1', 'The body is not JSON')]
  const isDeclared = text === '' || isJsonType(headers.get('content-type'))
  // An absent body is equal to an object without members.
  const value = text === '' ? {} : json
  const issues = schema.safeParse(value).error?.issues.slice(0, TOLD) ?? []
  const unknown = unknownMembers(schema, value).slice(0, TOLD)
  return [
    ...(isDeclared ? [] : [finding('content-type', '1', 'The body is not declared as JSON')]),
    ...issues.map(({ path, message }) => {
      const field = z.core.toDotPath([...path]) || 'body'
      return finding('type', bodySection, `${field}: ${message}`, field)
    }),
    ...unknown.map((field) => finding('unknown-member', bodySection, `No member is called ${field}`, field)),
  ]
}
