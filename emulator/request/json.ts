/** JSON from outside: its values, its members and its text. */
import { z } from 'zod'

export type Json = unknown
export type Members = Record<string, Json>

export const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy of a list or object with the results of `change` as its items or members; any other value itself. */
export function remade(
  value: Json,
  change: (part: Json, name: string) => Json,
  rename: (name: string) => string = String,
): Json {
  if (Array.isArray(value)) return value.map((item) => change(item, ''))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [rename(name), change(part, name)]))
}

/** `null`, `list`, or the result of `typeof`. */
export function kind(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Paths of the members that the schema does not contain, for example `custom_field.nam`, in their order. */
export function unknownMembers(schema: unknown, value: unknown, path = ''): string[] {
  if (schema instanceof z.ZodOptional) return unknownMembers(schema.unwrap(), value, path)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item) => unknownMembers(schema.element, item, path))
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const known = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined
    return known ? unknownMembers(known, member, `${path}${key}.`) : [`${path}${key}`]
  })
}

export const valueAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], body)

type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function withoutUndefined<T extends object>(members: T): WithoutUndefined<T> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as WithoutUndefined<T>
}

/** The words of a text. */
export const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/)

/** The positive id in a text of digits; 0, which no record has, for any other text. */
export const positiveId = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

/** Whether a text is an integer, whichever sign it has. */
export const isInteger = (text: string): boolean => /^[+-]?\d+$/.test(text)

/** Deeper than any useful body, and shallow enough for every function that walks over one. It is PHP's own limit. */
const DEPTH_LIMIT = 512

/** Throws if the text is not JSON, or nests deeper than 512 lists and objects. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // A text with so many levels has at least twice as many characters.
  if (text.length > 2 * DEPTH_LIMIT && isDeep(value, DEPTH_LIMIT))
    throw new SyntaxError(`It nests deeper than ${DEPTH_LIMIT} levels`)
  return value
}

/** Undefined if the text is empty, not JSON, or nested too deeply. */
export function jsonOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    // The parser's message quotes the text, which may contain a password.
    return undefined
  }
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeep(member, levels - 1))
}
