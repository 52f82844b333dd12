/** The bodies of answers and requests, looked into where that makes sense. */
import { fromJson } from '../oracle/json.js'

/** The greatest depth of nesting that is read. */
const MOST_LEVELS = 500

/** Undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  if (bracketsOf(text).levels > MOST_LEVELS) return undefined
  try {
    return fromJson(text)
  } catch {
    return undefined
  }
}

/** What a lenient parser reads in a text; the text itself where it reads nothing. */
export function looselyParsed(text: string): unknown {
  const forms = [text, text.replaceAll("'", '"')].flatMap((form) => {
    const { missing, isQuoted } = bracketsOf(form)
    const ends = isQuoted ? ['"', '":null'] : ['', 'null', ':null']
    return ends.map((end) => (form + end).replace(/,\s*$/, '') + missing)
  })
  const found = forms
    .map((form) => parseJson(form) ?? parseJson(form.replace(/,\s*([\]}])/g, '$1')))
    .find((json) => json !== undefined)
  return found === undefined ? text : found
}

/** Of possibly truncated JSON: its depth, the brackets that would close it, and whether a string is open. */
export function bracketsOf(text: string): { levels: number; missing: string; isQuoted: boolean } {
  const open: string[] = []
  let [levels, isQuoted] = [0, false]
  for (const [part, end] of text.matchAll(/[[\]{}]|"[^"\\]*(?:\\[\s\S]?[^"\\]*)*("|$)/g)) {
    if (part === '[' || part === '{') levels = Math.max(levels, open.push(part === '[' ? ']' : '}'))
    else if (part === ']' || part === '}') open.pop()
    else isQuoted = end === ''
    if (levels > MOST_LEVELS) break
  }
  return { levels, missing: open.toReversed().join(''), isQuoted }
}
