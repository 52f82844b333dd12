/** Request bodies: parses their JSON and checks it against the contract, as strictly as the decisions require. */
import { z } from 'zod'
import { operation as contractOf, type OperationId } from '../../conformance/contract/operations.js'
import { writableCopy } from '../state/image.js'
import type { AdmittedCall, Call } from './call.js'
import type { ConditionId } from './conditions.js'
import { refuse, refuseBy, refuseFor } from './errors.js'
import { isObject, jsonOf, kind, unknownMembers, valueAt } from './json.js'
import { BODY_LIMIT } from './message.js'

export const isJsonType = (type: string | null) => /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type ?? '')

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the body as text and as JSON. A body that is too large is refused later, once the caller is known. */
export function readContent(call: Call, id: OperationId): void {
  const { bytes } = call
  if (bytes === null || bytes.length === 0) return
  if (bytes === 'too-large' || bytes.length > BODY_LIMIT) {
    call.tooLarge = !(!contractOf(id).body && call.decisions['body-where-none'] === 'ignored')
    return
  }
  try {
    call.text = decoder.decode(bytes)
  } catch {
    call.text = '\ufffd'
  }
  call.json = jsonOf(call.text)
}

export function bodyOf(call: Call, id: OperationId): unknown {
  const { text, json, headers } = call
  if (text === '') return undefined
  if (!contractOf(id).body) {
    refuseBy(call, 'body-where-none', { refused: 'unexpected-body' })
    return undefined
  }
  const type = headers.get('content-type') ?? ''
  if (!isJsonType(type))
    refuseBy(call, 'missing-content-type', `The content type is "${type}"`, { refused: 'malformed-body' })
  if (json !== undefined) return json
  refuseBy(call, 'malformed-json', 'The body is not JSON', {
    'message-only': ['malformed-body', 'body'],
    'invalid-value': ['invalid-value', 'body'],
    'empty-field': ['empty-field', 'body'],
  })
}

interface Options {
  /** The condition for an absent required field. */
  readonly missing?: ConditionId
  /** Replaces the call's own body. */
  readonly given?: unknown
}

/** The body in the shape of the contract, which must not be changed. The operation checks formats and ranges. */
export function readBody<S extends z.ZodType>(c: AdmittedCall, schema: S, options: Options = {}): z.infer<S> {
  const { given = c.body ?? (c.body === undefined ? {} : null) } = options
  const drops = c.decisions['null-member'] === 'absent' && c.text.includes('null')
  // Copied only if something must be fixed: nearly every body is valid.
  let body = drops ? writableCopy(given) : given
  if (drops) dropNulls(body)
  if (c.decisions['unknown-members'] === 'refused') {
    const [field] = unknownMembers(schema, body)
    const detail = `No field is called ${field}`
    if (field !== undefined) refuseFor('unknown-members', ['invalid-value', field], detail)
  }
  for (;;) {
    const wrong = (schema.safeParse(body).error?.issues ?? []).filter(
      ({ code }) => code === 'invalid_type' || code === 'invalid_union',
    )
    if (wrong.length === 0) return body as z.infer<S>
    if (body === given) body = writableCopy(given)
    for (const issue of wrong) mend(c, body, issue, options)
  }
}

function mend(c: AdmittedCall, body: unknown, issue: z.core.$ZodIssue, options: Options): void {
  const field = z.core.toDotPath([...issue.path]) || 'body'
  const value = valueAt(body, issue.path)
  if (value === undefined)
    refuse(options.missing ?? 'empty-field', { with: [field], detail: `The field ${field} is required` })
  const how = c.decisions['wrong-json-types']
  const key = issue.path.at(-1)
  const holder = valueAt(body, issue.path.slice(0, -1)) as Record<PropertyKey, unknown>
  const expected = issue.code === 'invalid_type' ? issue.expected : 'string'
  const reads = how === 'coerced' || (how === 'coerced-but-text' && expected !== 'string')
  const coerced = reads && key !== undefined ? coerce(value, expected) : undefined
  if (key !== undefined && coerced !== undefined) holder[key] = coerced
  else if (how === 'ignored' && value !== null && typeof key === 'string') delete holder[key]
  else
    refuseFor('wrong-json-types', ['invalid-value', field], `The field ${field} may not be ${inWords(value)}`)
}

function coerce(value: unknown, expected: string): unknown {
  if (typeof value === 'object') return undefined
  const text = String(value)
  if (expected === 'string') return text
  if (expected === 'number' || expected === 'int')
    return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined
  if (expected === 'boolean' && /^(1|true|0|false)$/.test(text)) return text === '1' || text === 'true'
  return undefined
}

function dropNulls(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value))
    if (member === null && isObject(value)) delete value[key]
    else dropNulls(member)
}

/** The kind of a value. */
function inWords(value: unknown): string {
  const name = kind(value)
  return name === 'null' ? name : name === 'list' ? 'a list' : `of the type ${name}`
}

/** Refuses a body without members; for a list of columns, only if the decision says so. */
export function refuseEmpty(c: AdmittedCall, body: object): void {
  if (Object.keys(body).length > 0) return
  const always = c.operation === 'manageColumns' ? {} : { refused: 'malformed-body' as const }
  const cases = { ...always, 'refused-for-columns-too': 'malformed-body' } as const
  refuseBy(c, 'empty-object-body', 'The body has no fields', cases)
}
