/** JSON that somebody else wrote. */

export type Json = unknown
export type Members = Record<string, Json>

export const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `null`, `list`, or what `typeof` says. */
export function kind(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Deeper than any body needs to be, and shallow enough for all that walks over one. PHP's own limit. */
const DEPTH_LIMIT = 512

/** Throws where the text is no JSON, or nests deeper than 512 lists and objects. */
export function parseJson(text: string): unknown {
  // So many levels take twice as many characters.
  if (text.length > 2 * DEPTH_LIMIT && isDeep(text))
    throw new SyntaxError(`It nests deeper than ${DEPTH_LIMIT} levels`)
  return JSON.parse(text)
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

/** Looked for in the text: a value that is too deep is one that nothing may walk over. */
function isDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfText(text, at)
    else if (character === BRACKET || character === BRACE) {
      depth += 1
      if (depth > DEPTH_LIMIT) return true
    } else if (character === BRACKET + 2 || character === BRACE + 2) depth -= 1
  }
  return false
}

const [QUOTE, BRACKET, BRACE] = [34, 91, 123]

/** Where the quote stands that ends the text which begins at `from`. */
function endOfText(text: string, from: number): number {
  let end = text.indexOf('"', from + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}
