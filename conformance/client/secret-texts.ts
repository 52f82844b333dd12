/** Masks secrets in texts that are not JSON, by their form. */
import { canBeSecret, isSecretName } from './secret-names.js'

/** Most texts have none of these signs, and need no further search. */
const worthALook = /[:=<]|\b(bearer|basic)\s|\beyJ|-----BEGIN/i

/** `"name": "value"`, in either quotes, escaped as often as it may be, and cut off anywhere. */
const member =
  /(\\*["'])([\w.\- ]{2,64})\1(\s*:\s*)(?:(\\*["'])([\s\S]*?)((?<!\\)\4|$)|(-?\d+)|([{[][^{}[\]]*(?:[}\]]|$)))/g
/** What is secret by its form, and what stands under a name: in queries, cookies and forms, and in pages. */
const places = [
  /(?<before>)(?<value>-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$))/g,
  /(?<before>)(?<value>\beyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)*)/g,
  /(?<before>\b[a-z][a-z\d+.-]{1,20}:\/\/)(?<value>[^\s/?#"'<>@]*)(?=@)/gi,
  // A word without a digit is part of a sentence.
  /(?<before>\b(?:bearer|basic)\s+)(?=[^\s"',;]*\d)(?<value>[^\s"',;]{6,})/gi,
  /(?<before>(?<![\w-])(?<name>[\w.[\]-]{2,64})\s?=\s?)(?<value>"[^"]*"?|'[^']*'?|[^\s&;,"'<>\\]+)/g,
  /(?<before>\bname\s*=\s*["']?(?<name>[\w.[\]-]{2,64})[^<>]*?\bvalue\s*=\s*)(?<value>"[^"]*"?|'[^']*'?|[^\s"'<>]+)/gi,
  /(?<before><(?<name>[\w.:-]{2,64})(?:\s[^<>]*)?>)(?<value>[^<>]+)/g,
]

export function maskByForm(text: string, word: (secret: string) => string): string {
  if (!worthALook.test(text)) return text
  const masked = (...parts: unknown[]) => {
    const { before, name, value } = parts.at(-1) as { before: string; name?: string; value: string }
    const bare = unquoted(value)
    return name === undefined || isSecret(name, bare) ? before + word(bare) : (parts[0] as string)
  }
  return places.reduce((shown, place) => shown.replace(place, masked), maskMembers(text, word))
}

const unquoted = (value: string) => value.replace(/^["']|["']$/g, '')

const isSecret = (name: string, value: string) => isSecretName(name) && canBeSecret(value)

function maskMembers(text: string, word: (secret: string) => string): string {
  return text.replace(member, (whole: string, ...parts: (string | undefined)[]) => {
    const [quote = '', name = '', colon = '', inner, value = '', end = '', number, nested = ''] = parts
    const before = quote + name + quote + colon
    if (inner !== undefined) {
      if (isSecret(name, value)) return `${before}${inner}${word(value)}${end}`
      // JSON in a text of JSON.
      return before + inner + (isSecretName(name) ? value : maskMembers(value, word)) + end
    }
    if (!isSecretName(name)) return number === undefined ? before + maskMembers(nested, word) : whole
    if (number !== undefined) return canBeSecret(Number(number)) ? before + word(number) : whole
    return before + word(nested)
  })
}
