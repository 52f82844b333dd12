/** Names of secrets, and which values can be secret. */

/** Parts of names that only names of secrets have. The id of a session admits its holder. */
const parts = [
  ...['passw', 'passphrase', 'pwd', 'secret', 'credential', 'authorization', 'token', 'jwt'],
  ...['apikey', 'accesskey', 'privatekey', 'signingkey', 'encryptionkey', 'cookie', 'session', 'sessid'],
]
/**
 * Only whole words of a name, since `compass`, `author` and `hashtag` contain them, too. A password can be found from its
 * hash and salt.
 */
const words = ['pass', 'hash', 'salt', 'bearer', 'otp', 'auth', 'sid', 'csrf', 'xsrf']

const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** A name in a text may be a whole sentence. */
const LONGEST_NAME = 200
const MOST_KNOWN = 5_000
/** All answers of a tracker have the same few names. */
const known = new Map<string, boolean>()

/**
 * Of a member, an option or a parameter. Letters alone count: `api_key`, `apiKey` and `X-API-Key` are one name.
 */
export function isSecretName(name: string): boolean {
  const before = known.get(name)
  if (before !== undefined) return before
  const own = wordsOf(name.slice(0, LONGEST_NAME))
  const joined = own.join('')
  const verdict = own.some((word) => words.includes(word)) || parts.some((part) => joined.includes(part))
  if (known.size < MOST_KNOWN) known.set(name, verdict)
  return verdict
}

/** Of a header: `Ocp-Apim-Subscription-Key` is a credential, and so is a signature. */
export const isSecretHeader = (name: string): boolean =>
  isSecretName(name) || /signature|(?<![a-z])key(?![a-z])/i.test(name)

/** Members that name their neighbour's value, as in `{ option: 'smtp_password', value: '…' }`. */
const labels = /^(option|name|key|setting|field|parameter|property|config|id)$/i
const values = /^((old|new|default|current|former)(values?)?|values?(old|new)?|data|content|before|after)$/

/** Whether a member names another member of its object as a secret. */
export const namesSecret = (name: string, value: unknown): boolean =>
  labels.test(name) && typeof value === 'string' && isSecretName(value)

export const isValueName = (name: string): boolean => values.test(wordsOf(name).join(''))

/** Hardly any tracker accepts a shorter password of digits, and counts are not secret: `limits: { password: 1024 }`. */
const COUNT = 10_000

/** Whether a value under the name of a secret can be secret: flags, counts, times and empty values cannot. */
export function canBeSecret(value: string | number): boolean {
  if (typeof value === 'number') return Math.abs(value) >= COUNT
  return !/^(|\d{1,3}|true|false|yes|no|on|off|null|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z+-]*)$/i.test(value)
}
