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

/** Why a text that `parseJson` does not take may be JSON all the same, or nearly is; null where nothing speaks for it. */
export function unreadable(text: string): 'too deep' | 'byte order mark' | null {
  if (levelsOf(text) > MOST_LEVELS) return 'too deep'
  return text.startsWith('\uFEFF') && parseJson(text.slice(1)) !== undefined ? 'byte order mark' : null
}

/** How deep JSON nests, brackets in its strings left out. */
function levelsOf(text: string): number {
  let [level, deepest, quoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted && character === '\\') at++
    else if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++level)
    else if (character === ']' || character === '}') level--
  }
  return deepest
}
