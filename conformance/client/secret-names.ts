/** Secrets by their form: the names under which they stand, and which values can be one. */

interface Names {
  /** Wherever it stands in a name: no other word has it. */
  readonly part?: string
  /** As a word of the name alone, since ordinary words hold it too. */
  readonly word?: string
  readonly why: string
}

/** Names of members, options and parameters. Letters alone count: `api_key`, `apiKey` and `X-API-Key` are one name. */
const secretMembers: readonly Names[] = [
  { part: 'passw', why: 'password, passwd, and what is joined to them, as in smtp_password' },
  { part: 'passphrase', why: 'the password of a key' },
  { part: 'pwd', why: 'short for password' },
  { word: 'pass', why: 'short for password; not passed, bypass, compass' },
  { word: 'hash', why: 'of a password, or it would hardly be shown; passwords can be found from it' },
  { word: 'salt', why: 'helps to find a password from its hash' },
  { part: 'token', why: 'whoever has it is let in' },
  { part: 'jwt', why: 'a token' },
  { word: 'bearer', why: 'a token' },
  { word: 'otp', why: 'a password for one time' },
  { part: 'secret', why: 'it says so' },
  { part: 'credential', why: 'a name and a password in one' },
  { part: 'authorization', why: 'holds what the header of this name holds' },
  { word: 'auth', why: 'short for it; not author' },
  { part: 'cookie', why: 'mostly that of a session' },
  { part: 'session', why: 'its id lets in whoever has it' },
  { part: 'sessid', why: 'as in PHPSESSID' },
  { word: 'sid', why: 'the id of a session' },
  { word: 'csrf', why: 'belongs to a session' },
  { word: 'xsrf', why: 'belongs to a session' },
  { part: 'apikey', why: 'a token' },
  { part: 'accesskey', why: 'a token' },
  { part: 'privatekey', why: 'proves who has it' },
  { part: 'signingkey', why: 'makes tokens' },
  { part: 'encryptionkey', why: 'opens what is kept' },
]

/** Names of headers, beside those of members. */
const secretHeaders: readonly Names[] = [
  ...secretMembers,
  { word: 'key', why: 'among headers one to get in, such as Ocp-Apim-Subscription-Key' },
  { part: 'signature', why: 'stands for the credentials where requests are signed' },
]

/** Members that say of what their neighbour is the value, as in `{ option: 'smtp_password', value: '…' }`. */
const labels = new Set(['option', 'name', 'key', 'setting', 'field', 'parameter', 'property', 'config', 'id'])
const values = /^((old|new|default|current|former)(values?)?|values?(old|new)?|data|content|before|after)$/

const words = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** A name in a text may be a whole sentence. */
const LONGEST_NAME = 200
const MOST_KNOWN = 5_000

/** Remembers its verdicts: the same few names stand in all answers of a tracker. */
function among(names: readonly Names[]): (name: string) => boolean {
  const known = new Map<string, boolean>()
  const alone = new Set(names.flatMap(({ word }) => word ?? []))
  const parts = names.flatMap(({ part }) => part ?? [])
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const own = words(name.slice(0, LONGEST_NAME))
    const joined = own.join('')
    const verdict = own.some((word) => alone.has(word)) || parts.some((part) => joined.includes(part))
    if (known.size < MOST_KNOWN) known.set(name, verdict)
    return verdict
  }
}

export const isSecretName = among(secretMembers)
export const isSecretHeader = among(secretHeaders)

type Members = readonly (readonly [name: object, value: object])[]

const isText = (node: object): node is { readonly value: string } =>
  'value' in node && typeof node.value === 'string'

/** Whether some member of an object, given as nodes, names another one that holds a secret. */
export const namesSecret = (members: Members): boolean =>
  members.some(
    ([label, name]) =>
      isText(name) && isText(label) && labels.has(label.value.toLowerCase()) && isSecretName(name.value),
  )

export const isValueName = (name: string): boolean => values.test(words(name).join(''))

/** A shorter password of digits alone is hardly accepted anywhere, and counts are not secret: `limits: { password: 1024 }`. */
const COUNT = 10_000

/** Whether a value under the name of a secret can be one: flags, counts and times are not, nor is what is empty. */
export function canBeSecret(value: string | number): boolean {
  if (typeof value === 'number') return Math.abs(value) >= COUNT
  return !/^(|\d{1,3}|true|false|yes|no|on|off|null|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z+-]*)$/i.test(value)
}
