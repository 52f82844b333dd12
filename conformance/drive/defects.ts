/** Defects of requests: each is one change of a valid request, drawn from the tables of the specification. */
import { swapped } from '../client/secret-values.js'
import { type OperationId, operation, operationIds, type Profile } from '../contract/index.js'
import { bodies, type Member, requiresMembers } from '../oracle/bodies.js'
import { isObject } from '../oracle/json.js'
import type { Knowledge } from '../oracle/knowledge.js'
import { NO_ID, NO_NAME } from '../oracle/names.js'
import { aspects, type Family, kindOf } from '../oracle/operations.js'
import type { Ask, Credentials, Driver } from './driver.js'

export interface Defect {
  readonly body?: unknown
  readonly raw?: string
  /** The member that is wrong. */
  readonly member?: string
  /** The document demands a refusal. */
  readonly isCertain: boolean
}

/** Texts that are no JSON. */
export function malformed({ body }: Ask): Defect[] {
  const text = JSON.stringify(body)
  return ['{"a":', text.replace(/.$/, ',$&'), "{'a':1}"].map((raw) => ({ raw, isCertain: true }))
}

/** Some parsers refuse more than 100 levels. */
export const deep = `${'['.repeat(120)}${']'.repeat(120)}`

/** JSON of other types, deeply nested JSON, and JSON with names of inherited members. */
export function otherKinds({ op, body }: Ask): Defect[] {
  const isList = Array.isArray(body)
  // Without a name the run could not disable the user that a careless tracker creates.
  const isNaming = op === 'createUser'
  const { family } = aspects[op]
  const isRequiring = family !== undefined && requiresMembers(family)
  const kinds = [
    ...['null', '[]', '"text"'],
    ...(isRequiring ? [['7', 'true'][operationIds.indexOf(op) % 2] ?? ''] : []),
    ...(isNaming ? [] : ['{}']),
    ...(isList ? ['[null]', '[7]', JSON.stringify(body[0])] : []),
  ]
  const text = JSON.stringify(body)
  const inherited = text.replace(/^\{/, '{"__proto__":{"admin":true},"constructor":1,')
  return [
    ...kinds.map((raw) => ({ raw, isCertain: !/User$|updatePlugin|manageColumns/.test(op) && raw !== '[]' })),
    ...(isNaming ? [] : [{ raw: '', isCertain: isRequiring }]),
    { raw: deep, isCertain: false },
    ...(isList || op.startsWith('create') ? [] : [{ raw: inherited, isCertain: false }]),
    ...(isList ? [] : [{ raw: withFirstTwice(text), isCertain: false }]),
  ]
}

/** The text of an object with its first member twice. */
const withFirstTwice = (text: string): string => {
  const [[name, value] = []] = Object.entries(JSON.parse(text) as object)
  return `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`
}

/** Bodies that differ from the valid one in one member. */
export function members({ op, body }: Ask, knowledge: Knowledge): Defect[] {
  const { family } = aspects[op]
  if (family === undefined || !isObject(body)) return []
  const { custom_field: definition } = body
  const outer = ofTable(family, body, knowledge, op)
  if (!isObject(definition)) return outer
  const inner = ofTable('definition', definition, knowledge, op)
  return [
    ...outer,
    ...inner.map((one) => ({ ...one, body: { ...body, custom_field: one.body } })),
    // The definition without its envelope, and a name in place of the definition.
    { body: definition, isCertain: true },
    { body: { ...body, custom_field: definition.name }, member: 'custom_field', isCertain: true },
  ]
}

function ofTable(family: Family, part: object, knowledge: Knowledge, op: OperationId): Defect[] {
  const found: Defect[] = []
  for (const [name, rule] of Object.entries(bodies[family])) {
    const put = (value: unknown, isCertain: boolean, member = name) =>
      found.push({ body: { ...part, [name]: value }, member, isCertain })
    const { [name]: _, ...rest } = part as Readonly<Record<string, unknown>>
    if (rule.required) {
      found.push({ body: rest, member: name, isCertain: true })
      for (const value of [null, {}, ...(rule.type === 'array' ? [true] : [[]])])
        put(value, rule.holds(value, { knowledge, options: new Map() }) === 'violated')
    }
    for (const value of rule.bad?.(knowledge) ?? []) put(value, true)
    // Stories send all of what names no member.
    for (const value of rule.lists?.(knowledge) ?? []) put(value, false, '')
    // The client masks the value of a password in every text, so a password must not be a common text.
    const isLongToo = !name.startsWith('password')
    for (const value of few(name, rule, op.startsWith('create')))
      if (isLongToo || typeof value !== 'string' || value.length < 200) put(value, false)
  }
  return found
}

/** One value of each kind that the document does not mention; at a creation only values that hardly any tracker accepts. */
function few(member: string, { silent: values = [], type }: Member, isCreation: boolean): unknown[] {
  const ofType = type === 'string' ? ['integer', 'long', 'empty'] : ['string', 'huge']
  const wanted = isCreation ? [type === 'string' ? 'object' : 'long'] : ['null', 'object', ...ofType]
  if (isCreation && type === 'array') wanted.push('string')
  return wanted.flatMap((kind) => {
    const value = values.find((one) => kindOfValue(one) === kind)
    // Nothing could address what has an empty name.
    if (value === undefined || kind === type || (kind === 'empty' && /^(user)?name$/.test(member))) return []
    // Each member has a text of its own, so that a list shows which member it is.
    return [kind === 'long' ? padded(member, 1200) : value]
  })
}

function kindOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return Number.isSafeInteger(value) ? 'integer' : 'huge'
  if (value === '') return 'empty'
  return typeof value === 'string' && value.length > 200 ? 'long' : typeof value
}

/** Addresses of absent things, and half of the odd ones. A change is sent only to addresses that the guard knows to be absent. */
export function addresses(op: OperationId, word: string): string[] {
  const kind = kindOf(operation(op))
  const signs = [`${word}é`, `${word}%`]
  if (kind === 'plugin') return [`kit_no_such_${word}`, `kitnosuch${word}`, ...signs, padded(word, 300)]
  if (kind === 'user') {
    // A tracker may answer 400 to a name with unusual signs.
    const always = [NO_ID, BEYOND, word, ...signs, `kit-no-such-${word}`, `${word}'x`, padded(word, 300)]
    if (op === 'getUser') return [...always, '0', '007', '4294967297', '12345678901234567890', ' ']
    if (op === 'getUserEditPage') return [...always, '-1', '1.5', '__proto__', 'null', '1x']
    return [...always.slice(0, 4), padded(word, 300)]
  }
  const always = [NO_ID, 'letters', '%', padded('', 300), `-${NO_ID}`, `${NO_ID}.5`]
  const further = ['é', '__proto__', '0', '1x', '1.5', ' ', '12345678901234567890']
  return operation(op).method === 'GET' ? [...always, ...further] : always
}

/** An id beyond 32 bits whose lower 32 bits are no small number. */
const BEYOND = '13872556209'

/** The settings of the profile with every name in them replaced by one that nothing has. */
export function renamed(settings: readonly unknown[], name: string): unknown[] {
  const text = JSON.stringify(settings)
  const all = JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? name : value)) as unknown[]
  return JSON.stringify(all) === text ? settings.map(() => ({ [name]: 1 })) : all
}

/** A word filled up with letters. Several letters, since a password may consist of one repeated letter, and passwords are masked. */
export const padded = (word: string, length: number): string =>
  word.padEnd(length, 'quick brown fox jumps over lazy dog'.replaceAll(' ', ''))

export const unknownName = (driver: Driver): string => `${NO_NAME}_${driver.word()}`

/** Queries that the document does not mention. */
export const queries = [
  'select=kit_no_such_field&sort_by=kit_no_such&sort_order=up&page=-1',
  'x[]=%00&y=%F0%9F%98%80&select=',
]

/** Texts with signs that trackers often lose. */
export const special = [
  ...['one, two', 'smile 😀 behind', 'Zoë Ångström', '日本語', 'say "it\'s" 5% of 100%d \\ so'],
  padded('', 120),
]

/** Wrong credentials that a careless tracker may accept; `common`: those that careless trackers accept most often. */
export function strangersOf({ tokens, user }: Profile): Record<'common' | 'rare', Credentials[]> {
  const token = tokens.administrator
  // A token that has no letters is not changed by other letters.
  const credentials = (...list: readonly string[]): Credentials[] =>
    list.filter((one) => one !== `Bearer ${token}`).map((authorization) => ({ authorization }))
  const bearers = (...list: readonly (string | number)[]) => list.map((one) => `Bearer ${one}`)
  const names = [user?.username ?? 'administrator', 'undefined', user?.id ?? 1]
  const odd = ['kit-unknown-token-0123456789abcdef', '', 'null', ...names, 'quartz'.repeat(500)]
  const pair = Buffer.from('administrator:root').toString('base64')
  return {
    common: credentials(`Basic ${token}`, ...bearers(token.slice(0, -1), `${token}x`, swapped(token))),
    rare: credentials(`Token ${token}`, ...bearers(token.slice(0, 20), ...odd), `Basic ${pair}`),
  }
}

/** The ways around the header, all at once: a token elsewhere in the request, and headers that a proxy sets. */
export function sideDoors(profile: Profile, username: string): Pick<Ask, 'query' | 'headers'> {
  const token = profile.tokens.administrator
  const right = encodeURIComponent(token)
  const names = ['x-forwarded-user', 'x-remote-user', 'remote-user', 'x-username', 'x-mantis-username']
  const tokens = ['access_token', 'token', 'api_key', 'auth'].map((name) => `${name}=${right}`)
  const cookies = ['access_token', 'token', 'MANTIS_STRING_COOKIE'].map((name) => `${name}=${right}`)
  const keys = ['x-api-key', 'x-access-token', 'x-auth-token']
  return {
    query: tokens.join('&'),
    headers: {
      cookie: cookies.join('; '),
      ...Object.fromEntries(keys.map((name) => [name, token])),
      ...Object.fromEntries(names.map((name) => [name, username])),
      'x-tracker-username': profile.user?.username ?? username,
    },
  }
}
