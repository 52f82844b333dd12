/** The values of a request, one by one, and what an accepted value proves about others. */
import type { OperationId } from '../contract/index.js'
import { bodies, isTyped, memberOf } from './bodies.js'
import { isInteger, isObject } from './json.js'
import type { Family } from './operations.js'

export interface Value {
  readonly family: Family
  /** Empty for a body that has no members; ends in `[]` for an element of a list. */
  readonly member: string
  readonly value: unknown
}

/** Every value of a body; the elements of a list one by one. */
export function valuesOf(family: Family | undefined, body: unknown): Value[] {
  if (family === undefined || body === undefined) return []
  if (family === 'settings' && Array.isArray(body) && body.length > 0)
    return body.map((value) => ({ family, member: '', value }))
  if (!isObject(body)) return [{ family, member: '', value: body }]
  const { custom_field: definition } = body
  const isDefined = family === 'field' && isObject(definition)
  const outer = Object.entries(body).filter(([member]) => !(isDefined && member === 'custom_field'))
  return [
    ...outer.flatMap(([member, value]) => elements({ family, member, value })),
    ...(isDefined ? valuesOf('definition', definition) : []),
  ]
}

function elements(given: Value): Value[] {
  const { family, member, value } = given
  const isSet = Array.isArray(value) && value.length > 0 && new Set(value).size === value.length
  return isSet ? value.map((one) => ({ family, member: `${member}[]`, value: one })) : [given]
}

/** Members that a tracker may want to be unique. */
export const unique = new Set(['username', 'email', 'realname', 'name'])

/** Texts that a programming language reads as something else. */
const readOtherwise = ['null', 'constructor', 'undefined']
const SHORT = 6
const LONG = 32

/**
 * What an accepted value proves: all values of the same proof. A text stands for those of the same letters, signs and
 * rough length, everything else for itself. A value of another JSON type proves something of its own operation only: a
 * tracker may read a number as a text in one place and refuse it in the next.
 */
export function proofOf({ family, member, value }: Value, op?: OperationId, nameLimit = LONG): string {
  const rule = memberOf(family, member)
  const scope = rule && !isTyped(rule.type, value) ? `${op} ` : ''
  if (typeof value !== 'string' || !rule || rule.exact || readOtherwise.includes(value))
    return `${scope}${family}.${member}=${JSON.stringify(value)}`
  const limit = member === 'name' ? nameLimit : LONG
  const length = value.length < SHORT || value.length > limit ? value.length : 'some'
  // A name for people may have one word or several.
  const isOfPeople = /name$/.test(member) && member !== 'username'
  const words = isOfPeople ? /[A-Za-z]+( [A-Za-z]+)*/g : /[a-z]+/g
  const form = value.replace(words, 'a').replace(/\d+/g, '9')
  return `${scope}${family}.${member}~${form} ${length}`
}

/** Values that no limit or list can make wrong: booleans where one is documented, and values with a stage of their own. */
export function isPlainlyRight({ family, member, value }: Value): boolean {
  if (typeof value === 'boolean') return memberOf(family, member)?.type === 'boolean'
  if (family === 'password') return member === 'password_current'
  return family === 'plugin' || family === 'configs'
}

/** Whether a value names something else, which may not be there. */
export const isReference = ({ member }: Value): boolean =>
  /^(project|(projects|project_ids)(\[\])?|columns\[\]|access_level)$/.test(member)

/** Whether a value is of another kind than the documented one, or names something else. */
export function isUnusual(given: Value): boolean {
  const { family, member, value } = given
  return isReference(given) || (memberOf(family, member)?.type !== 'object' && keptAs(member, value) === null)
}

const stored = { ...bodies.user, ...bodies.definition, ...bodies.plugin, ...bodies.columns }
/** Texts that no tracker has a reason to change. */
const PLAIN = /^[\w.@+/|-]([\w.@+/| -]*[\w.@+/|-])?$/
/** What a secret looks like is not known. */
const isPlain = (text: string) => PLAIN.test(text) && !/ {2}|SECRET\./.test(text) && text.length <= 64

/** What a member may be after it was given this value: the value, or null for whatever the tracker has made of it. */
export function keptAs(member: string, value: unknown): readonly unknown[] | null {
  const type = stored[member]?.type ?? (member.startsWith('option:') ? 'string' : typeof value)
  if (type === 'array') {
    const isTexts = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
    return isTexts ? [value] : null
  }
  if (type === 'integer') return isInteger(value) ? [value] : null
  if (type !== typeof value) return null
  return type === 'boolean' || (typeof value === 'string' && isPlain(value)) ? [value] : null
}
