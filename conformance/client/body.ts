/** The bodies of answers: read as they came, and looked into where that makes sense. */
import type http from 'node:http'

/** Superagent's parsers guess by content type; the suite wants the text as it came. */
export function readText(response: unknown, done: (error: Error | null, body: string) => void): void {
  const stream = response as http.IncomingMessage
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk)))
  stream.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')))
}

/** What nests deeper than any tracker's answer is no document to look into. */
const MOST_LEVELS = 500

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  if (levelsOf(text) > MOST_LEVELS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a parser that is not strict makes of a text; the text itself where even such a one makes nothing of it. */
export function looselyParsed(text: string): unknown {
  const forms = [text, text.replaceAll("'", '"')].flatMap((form) => {
    const { open, quoted } = leftOpen(form)
    const ends = quoted ? ['"', '":null'] : ['', 'null', ':null']
    return ends.map((end) => (form + end).replace(/,\s*$/, '') + open)
  })
  const found = forms
    .map((form) => parseJson(form) ?? parseJson(form.replace(/,\s*([\]}])/g, '$1')))
    .find((json) => json !== undefined)
  return found === undefined ? text : found
}

/** The brackets that are still to be closed, and whether a string is. */
export function leftOpen(text: string): { readonly open: string; readonly quoted: boolean } {
  const open: string[] = []
  const quoted = walk(text, (sign) => {
    if (sign === '[' || sign === '{') open.unshift(sign === '[' ? ']' : '}')
    else open.shift()
  })
  return { open: open.join(''), quoted }
}

/** Why a text that `parseJson` does not take may be JSON all the same, or nearly is; null where nothing speaks for it. */
export function unreadable(text: string): 'too deep' | 'byte order mark' | null {
  if (levelsOf(text) > MOST_LEVELS) return 'too deep'
  return text.startsWith('\uFEFF') && parseJson(text.slice(1)) !== undefined ? 'byte order mark' : null
}

/** How deep JSON nests, brackets in its strings left out. */
function levelsOf(text: string): number {
  let [level, deepest] = [0, 0]
  walk(text, (sign) => {
    if (sign === '[' || sign === '{') deepest = Math.max(deepest, ++level)
    else level--
  })
  return deepest
}

/** Shows the brackets outside of strings; says whether the last string has no end. */
function walk(text: string, bracket: (sign: string) => void): boolean {
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (quoted && character === '\\') at++
    else if (character === '"') quoted = !quoted
    else if (!quoted && '[{]}'.includes(character)) bracket(character)
  }
  return quoted
}
