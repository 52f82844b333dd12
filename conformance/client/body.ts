/** The bodies of answers and requests, looked into where that makes sense. */
import { parsed } from '../oracle/json.js'

/** Undefined where the text is not JSON, or nested too deeply: nothing may be concluded from what is not read. */
export function parseJson(text: string): unknown {
  const json = parsed(text)
  return json === null && text.trim() !== 'null' ? undefined : json
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

/** Of possibly truncated JSON: the brackets that would close it, and whether a string is open. */
export function bracketsOf(text: string): { missing: string; isQuoted: boolean } {
  const open: string[] = []
  let isQuoted = false
  for (const [part, end] of text.matchAll(/[[\]{}]|"[^"\\]*(?:\\[\s\S]?[^"\\]*)*("|$)/g))
    if (part === '[' || part === '{') open.push(part === '[' ? ']' : '}')
    else if (part === ']' || part === '}') open.pop()
    else isQuoted = end === ''
  return { missing: open.toReversed().join(''), isQuoted }
}
