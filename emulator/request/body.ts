/** Request bodies: the shapes of the contract, as strictly as the decisions want them. */
import { z } from 'zod'
import { writableCopy } from '../state/image.js'
import type { AdmittedCall } from './call.js'
import type { ConditionId } from './conditions.js'
import { refuse } from './errors.js'
import { kind } from './json.js'
import { unknownMembers, valueAt } from './members.js'
import { refuseBy, refuseFor } from './refuse-by.js'

interface Options {
  /** What it means that a required field is not there. */
  readonly missing?: ConditionId
  /** In the place of the call's own body. */
  readonly given?: unknown
}

/** The body of a request in its contract's shape. Formats and ranges are left to the operation. Not to be changed. */
export function readBody<S extends z.ZodType>(c: AdmittedCall, schema: S, options: Options = {}): z.infer<S> {
  const { given = c.body ?? (c.body === undefined ? {} : null) } = options
  const drops = c.decisions['null-member'] === 'absent' && c.text.includes('null') && holdsNull(given)
  // Copied only where something is mended: nearly every body fits as it came.
  let body = drops ? writableCopy(given) : given
  if (drops) dropNulls(body)
  if (c.decisions['unknown-members'] === 'refused') refuseUnknownMembers(schema, body)
  for (;;) {
    const wrong = (schema.safeParse(body).error?.issues ?? []).filter(
      ({ code }) => code === 'invalid_type' || code === 'invalid_union',
    )
    if (wrong.length === 0) return body as z.infer<S>
    if (body === given) body = writableCopy(given)
    for (const issue of wrong) mend(c, body, issue, options)
  }
}

/** Changes the member that an issue is about so that it fits, or refuses the request. */
function mend(
  c: AdmittedCall,
  body: unknown,
  issue: z.core.$ZodIssue,
  { missing = 'empty-field' }: Options,
): void {
  const field = z.core.toDotPath([...issue.path]) || 'body'
  const value = valueAt(body, issue.path)
  if (value === undefined) refuse(missing, { with: [field], detail: `The field ${field} is required` })
  const how = c.decisions['wrong-json-types']
  const key = issue.path.at(-1)
  const holder = valueAt(body, issue.path.slice(0, -1)) as Record<PropertyKey, unknown>
  const expected = issue.code === 'invalid_type' ? issue.expected : 'string'
  const reads = how === 'coerced' || (how === 'coerced-but-text' && expected !== 'string')
  if (reads && value !== null && key !== undefined) {
    const coerced = coerce(value, expected)
    if (coerced !== undefined) {
      holder[key] = coerced
      return
    }
  }
  if (how === 'ignored' && value !== null && typeof key === 'string') {
    delete holder[key]
    return
  }
  refuseFor('wrong-json-types', ['invalid-value', field], `The field ${field} is ${kindInWords(value)}`)
}

function coerce(value: unknown, expected: string): unknown {
  if (typeof value === 'object') return undefined
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (
    (expected === 'number' || expected === 'int') &&
    typeof value === 'string' &&
    /^-?\d{1,15}$/.test(value)
  )
    return Number(value)
  if (expected === 'boolean' && ['1', 'true'].includes(String(value))) return true
  if (expected === 'boolean' && ['0', 'false'].includes(String(value))) return false
  return undefined
}

const holdsNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(holdsNull))

function dropNulls(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    if (member === null && !Array.isArray(value)) delete (value as Record<string, unknown>)[key]
    else dropNulls(member)
  }
}

function refuseUnknownMembers(schema: z.ZodType, body: unknown): void {
  const [field] = unknownMembers(schema, body)
  if (field !== undefined)
    refuseFor('unknown-members', ['invalid-value', field], `No field is called ${field}`)
}

function kindInWords(value: unknown): string {
  const name = kind(value)
  return name === 'null' ? name : name === 'list' ? 'a list' : `of the type ${name}`
}

/** Refuses a body without members. A list of columns may be asked for without any, unless that is decided too. */
export function refuseEmpty(c: AdmittedCall, body: object): void {
  if (Object.keys(body).length > 0) return
  const always = c.operation === 'manageColumns' ? {} : { refused: 'malformed-body' as const }
  refuseBy(
    c,
    'empty-object-body',
    { ...always, 'refused-for-columns-too': 'malformed-body' },
    'The body has no fields',
  )
}
