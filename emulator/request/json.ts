/** JSON that somebody else wrote. */

export type Json = unknown
export type Members = Record<string, Json>

export const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy of a list or an object, whose items and members are what `change` gives for them; any other value itself. */
export function remade(
  value: Json,
  change: (part: Json, name: string) => Json,
  rename: (name: string) => string = String,
): Json {
  if (Array.isArray(value)) return value.map((item) => change(item, ''))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [rename(name), change(part, name)]))
}

/** `null`, `list`, or what `typeof` says. */
export function kind(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Deeper than any body needs to be, and shallow enough for all that walks over one. PHP's own limit. */
const DEPTH_LIMIT = 512

/** Throws where the text is no JSON, or nests deeper than 512 lists and objects. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // So many levels take twice as many characters.
  if (text.length > 2 * DEPTH_LIMIT && isDeep(value, DEPTH_LIMIT))
    throw new SyntaxError(`It nests deeper than ${DEPTH_LIMIT} levels`)
  return value
}

/** Undefined where the text is empty or no JSON, or nests too deep to be one. */
export function jsonOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    // The parser's message quotes the text, and there may be a password in it.
    return undefined
  }
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeep(member, levels - 1))
}
