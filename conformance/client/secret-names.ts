/** Secrets by the names under which they stand, and which values can be one. */

interface Names {
  /** Wherever they stand in a name: no other word has them. */
  readonly parts: readonly string[]
  /** As a word of the name alone, since ordinary words hold them too, as `compass`, `author` and `hashtag` do. */
  readonly words: readonly string[]
}

/** Names of members, options and parameters. Letters alone count: `api_key`, `apiKey` and `X-API-Key` are one name. */
const members: Names = {
  parts: [
    ...['passw', 'passphrase', 'pwd', 'secret', 'credential', 'authorization', 'token', 'jwt'],
    ...['apikey', 'accesskey', 'privatekey', 'signingkey', 'encryptionkey'],
    // Whoever has the id of a session is let in.
    ...['cookie', 'session', 'sessid'],
  ],
  // Passwords can be found from their hash, the more so with its salt.
  words: ['pass', 'hash', 'salt', 'bearer', 'otp', 'auth', 'sid', 'csrf', 'xsrf'],
}

/** Names of headers: `Ocp-Apim-Subscription-Key` lets in, and a signature stands for the credentials. */
const headers: Names = {
  parts: [...members.parts, 'signature'],
  words: [...members.words, 'key'],
}

const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** A name in a text may be a whole sentence. */
const LONGEST_NAME = 200
const MOST_KNOWN = 5_000

/** Remembers its verdicts: the same few names stand in all answers of a tracker. */
function among({ parts, words }: Names): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const own = wordsOf(name.slice(0, LONGEST_NAME))
    const joined = own.join('')
    const verdict = own.some((word) => words.includes(word)) || parts.some((part) => joined.includes(part))
    if (known.size < MOST_KNOWN) known.set(name, verdict)
    return verdict
  }
}

export const isSecretName = among(members)
export const isSecretHeader = among(headers)

/** Members that say of what their neighbour is the value, as in `{ option: 'smtp_password', value: '…' }`. */
const labels = /^(option|name|key|setting|field|parameter|property|config|id)$/i
const values = /^((old|new|default|current|former)(values?)?|values?(old|new)?|data|content|before|after)$/

/** Whether a member says that another one of its object holds a secret. */
export const namesSecret = (name: string, value: unknown): boolean =>
  labels.test(name) && typeof value === 'string' && isSecretName(value)

export const isValueName = (name: string): boolean => values.test(wordsOf(name).join(''))

/** A shorter password of digits alone is hardly accepted anywhere, and counts are not secret: `limits: { password: 1024 }`. */
const COUNT = 10_000

/** Whether a value under the name of a secret can be one: flags, counts and times are not, nor is what is empty. */
export function canBeSecret(value: string | number): boolean {
  if (typeof value === 'number') return Math.abs(value) >= COUNT
  return !/^(|\d{1,3}|true|false|yes|no|on|off|null|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z+-]*)$/i.test(value)
}
