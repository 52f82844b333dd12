/** Names of secrets, which values can be secret, and the masking of JSON by the names in it. */
import { memoisedByText } from '../contract/memoised.js'
import { isObject } from '../oracle/json.js'

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

/**
 * Of a member, an option or a parameter. Letters alone count: `api_key`, `apiKey` and `X-API-Key` are one name.
 */
export const isSecretName = memoisedByText((name) => {
  const own = wordsOf(name.slice(0, LONGEST_NAME))
  return own.some((word) => words.includes(word)) || parts.some((part) => own.join('').includes(part))
})

/** Of a header: `Ocp-Apim-Subscription-Key` is a credential, and so is a signature. */
export const isSecretHeader = (name: string): boolean =>
  isSecretName(name) || /signature|(?<![a-z])key(?![a-z])/i.test(name)

/** Members that name their neighbour's value, as in `{ option: 'smtp_password', value: '…' }`. */
const labels = /^(option|name|key|setting|field|parameter|property|config|id)$/i
const values = /^((old|new|default|current|former)(values?)?|values?(old|new)?|data|content|before|after)$/

/** Hardly any tracker accepts a shorter password of digits, and counts are not secret: `limits: { password: 1024 }`. */
const COUNT = 10_000

/** Whether a value under the name of a secret can be secret: flags, counts, times and empty values cannot. */
export function canBeSecret(value: string | number): boolean {
  if (typeof value === 'number') return Math.abs(value) >= COUNT
  return !/^(|\d{1,3}|true|false|yes|no|on|off|null|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z+-]*)$/i.test(value)
}

interface Masks {
  leaf(value: unknown, isSecret: boolean): unknown
  /** Of a member. */
  name(text: string): string
}

/** `isSecret`: a name around the value says so. */
export function maskJson(json: unknown, masks: Masks, isSecret = false): unknown {
  if (Array.isArray(json)) return json.map((item) => maskJson(item, masks, isSecret))
  if (!isObject(json)) return masks.leaf(json, isSecret)
  const members = Object.entries(json)
  const isPair = members.some(
    ([name, value]) => labels.test(withoutNumber(name)) && typeof value === 'string' && isSecretName(value),
  )
  const isIts = (name: string) =>
    // The record of a session tells its user.
    isSecret
      ? !/^(user_?name|e?mail)$/i.test(name)
      : isSecretName(name) || (isPair && values.test(wordsOf(name).join('')))
  return Object.fromEntries(
    members.map(([name, value]) => [masks.name(name), maskJson(value, masks, isIts(withoutNumber(name)))]),
  )
}

/** Each name of a member may have a number before it. */
export const withoutNumber = (name: string): string => name.replace(/^\d+ /, '')
