/** Secrets in texts that are no JSON, by the form in which they stand there. */
import { canBeSecret, isSecretName } from './secret-names.js'
import { MASK } from './secret-values.js'

/** Most texts have none of these signs, and need not be looked at further. */
const worthALook = /[:=<]|\b(bearer|basic)\s|\beyJ|-----BEGIN/i

/** `"name": "value"`, in either quotes, escaped as often as it may be, and cut off anywhere. */
const member =
  /(\\*["'])([\w.\- ]{2,64})\1(\s*:\s*)(?:(\\*["'])([\s\S]*?)((?<!\\)\4|$)|(-?\d+)|([{[][^{}[\]]*(?:[}\]]|$)))/g
/** `name=value`, as in queries, cookies and forms. */
const assignment = /(?<![\w-])([\w.[\]-]{2,64})(\s?=\s?)("[^"]*"?|'[^']*'?|[^\s&;,"'<>\\]+)/g
const element = /<([\w.:-]{2,64})((?:\s[^<>]*)?)>([^<>]+)/g
const input = /(\bname\s*=\s*["']?([\w.[\]-]{2,64})[^<>]*?\bvalue\s*=\s*)("[^"]*"?|'[^']*'?|[^\s"'<>]+)/gi
/** A word without a digit is one of a sentence. */
const credentials = /\b(bearer|basic)(\s+)(?=[^\s"',;]*\d)[^\s"',;]{6,}/gi
const webToken = /\beyJ[\w-]{4,}\.[\w-]+(\.[\w-]*)*/g
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g
const userInUrl = /\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/?#"'<>@]*@/gi

export function maskByForm(text: string): string {
  if (!worthALook.test(text)) return text
  return maskMembers(text)
    .replace(privateKey, MASK)
    .replace(webToken, MASK)
    .replace(userInUrl, `$1${MASK}@`)
    .replace(credentials, `$1$2${MASK}`)
    .replace(assignment, (whole: string, name: string, sign: string, value: string) =>
      isSecret(name, value.replace(/^["']|["']$/g, '')) ? name + sign + MASK : whole,
    )
    .replace(input, (whole: string, before: string, name: string) =>
      isSecretName(name) ? before + MASK : whole,
    )
    .replace(element, (whole: string, name: string, attributes: string, value: string) =>
      isSecret(name, value) ? `<${name}${attributes}>${MASK}` : whole,
    )
}

const isSecret = (name: string, value: string) => isSecretName(name) && value !== MASK && canBeSecret(value)

function maskMembers(text: string): string {
  return text.replace(member, (whole: string, ...parts: (string | undefined)[]) => {
    const [quote = '', name = '', colon = '', inner, value = '', end = '', number, nested] = parts
    const before = quote + name + quote + colon
    if (inner !== undefined) {
      if (isSecret(name, value)) return `${before}${inner}${MASK}${end}`
      // JSON in a text of JSON.
      return before + inner + (isSecretName(name) ? value : maskMembers(value)) + end
    }
    if (!isSecretName(name)) return nested === undefined ? whole : before + maskMembers(nested)
    if (number !== undefined) return canBeSecret(Number(number)) ? before + MASK : whole
    return before + MASK
  })
}
