/** Masks secrets in texts that are not JSON, by their form. */
import { canBeSecret, isSecretName } from './secret-names.js'

/** Most texts have none of these signs, and need no further search. */
const worthALook = /[:=<]|\b(bearer|basic)\s|\beyJ|-----BEGIN/i

/** `"name": "value"`, in either quotes, escaped as often as it may be, and cut off anywhere. */
const member =
  /(\\*["'])([\w.\- ]{2,64})\1(\s*:\s*)(?:(\\*["'])([\s\S]*?)((?<!\\)\4|$)|(-?\d+)|([{[][^{}[\]]*(?:[}\]]|$)))/g
/** `name=value`, as in queries, cookies and forms. */
const assignment = /(?<![\w-])([\w.[\]-]{2,64})(\s?=\s?)("[^"]*"?|'[^']*'?|[^\s&;,"'<>\\]+)/g
const element = /<([\w.:-]{2,64})((?:\s[^<>]*)?)>([^<>]+)/g
const input = /(\bname\s*=\s*["']?([\w.[\]-]{2,64})[^<>]*?\bvalue\s*=\s*)("[^"]*"?|'[^']*'?|[^\s"'<>]+)/gi
/** A word without a digit is part of a sentence. */
const credentials = /\b((?:bearer|basic)\s+)(?=[^\s"',;]*\d)([^\s"',;]{6,})/gi
const webToken = /\beyJ[\w-]{4,}\.[\w-]+(\.[\w-]*)*/g
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g
const userInUrl = /\b([a-z][a-z\d+.-]{1,20}:\/\/)([^\s/?#"'<>@]*)@/gi

export function maskByForm(text: string, word: (secret: string) => string): string {
  if (!worthALook.test(text)) return text
  const behind = (_: string, before: string, secret: string) => before + word(secret)
  return maskMembers(text, word)
    .replace(privateKey, word)
    .replace(webToken, word)
    .replace(userInUrl, (...parts: [string, string, string]) => `${behind(...parts)}@`)
    .replace(credentials, behind)
    .replace(assignment, (whole: string, name: string, sign: string, value: string) =>
      isSecret(name, unquoted(value)) ? name + sign + word(unquoted(value)) : whole,
    )
    .replace(input, (whole: string, before: string, name: string, value: string) =>
      isSecretName(name) ? before + word(unquoted(value)) : whole,
    )
    .replace(element, (whole: string, name: string, attributes: string, value: string) =>
      isSecret(name, value) ? `<${name}${attributes}>${word(value)}` : whole,
    )
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
