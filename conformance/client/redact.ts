/** Keeps tokens, passwords and cookies out of everything that leaves the process. */
import { operationIds, type Profile, passwordBody, userBody } from '../contract/index.js'
import { parseJson } from './body.js'
import { MASK, pseudonyms, type Secrets, stars, type Words } from './pseudonyms.js'
import { maskJson } from './secret-json.js'
import { canBeSecret, isSecretHeader } from './secret-names.js'
import { maskByForm } from './secret-texts.js'
import { LEAST, type SecretValues, secretValues } from './secret-values.js'

const TOKEN_VARIABLE = '$TRACKER_TOKEN'

export type Redact = ReturnType<typeof redactor>

/** Common words that reports contain anyway. Secrets of test systems may consist of them. */
const ordinary = [
  ...operationIds,
  ...Object.keys(userBody.shape),
  ...Object.keys(passwordBody.shape),
  ...['administrator', 'manager', 'developer', 'updater', 'reporter', 'viewer', 'restricted', 'disabled'],
  ...['authorization', 'credentials', 'application', 'unauthorized', 'conformance'],
]

/** Placeholders for tokens, and names of schemes. */
const noCredentials = /^(|null|undefined|0|\*|""|bearer|basic|digest|token|negotiate|apikey)$/i

type Profiled = Secrets & Partial<Pick<Profile, 'user' | 'plugin' | 'ext' | 'baseUrl'>>

/** Masks the profile's secrets everywhere, and values under names of secrets. */
export function redactor(profile: Profiled) {
  const { tokens, passwordAccount, password } = profile
  const { valid, invalid } = password ?? {}
  const tokenEntries = Object.entries(tokens).filter(([, token]) => token !== undefined && token !== '')
  const passwords = [passwordAccount?.current, passwordAccount?.next, valid, invalid]
  const known = new Set([...tokenEntries.map(([, token]) => token), ...passwords])
  const open = [...ordinary, profile.user?.username, profile.plugin?.name, profile.ext, profile.baseUrl]
  const words = open.filter((word) => word !== undefined)
  const values = secretValues(words)
  for (const [, token] of tokenEntries) if (token !== undefined) values.add(token)
  // A secret that is a common word is masked only under names of secrets, so that ordinary text stays.
  for (const one of passwords) if (one !== undefined && !words.includes(one)) values.add(one)

  const forEyes = masking(values, known, stars)
  const { text, json } = forEyes

  /** A body as it was sent: JSON is masked by member, other text by its content. */
  function body(value: string): unknown {
    if (value === '') return null
    const parsed = parseJson(value)
    return parsed === undefined ? text(value) : json(parsed)
  }

  function headers(value: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(value).map(([name, content]) => {
        const isAuthorization = /^(proxy-)?authorization$/i.test(name)
        return [name, isAuthorization ? authorization(content) : forEyes.header(name, content)]
      }),
    )
  }

  /** The scheme stays readable; the credentials become a shell variable or a mask. */
  function authorization(content: string): string {
    const [, scheme = '', blank = '', credentials = ''] = /^([a-z][\w-]*)(\s+)(.*)$/is.exec(content) ?? []
    // Without a blank the whole value may be a token.
    if (scheme === '') return noCredentials.test(content) ? content : MASK
    const [role] = tokenEntries.find(([, token]) => token === credentials) ?? []
    const start = values.mask(scheme) + blank
    if (role !== undefined) return start + variableOf(role)
    return start + (noCredentials.test(credentials) && !known.has(credentials) ? credentials : MASK)
  }

  /** Adds a secret that became known during the run. */
  const hide = (secret: string): void => values.add(secret)

  /** For a trace: each secret has one pseudonym. */
  const forTrace = masking(values, known, pseudonyms(profile))
  // Secrets of the profile come first, so that their pseudonyms are the same in each run.
  const promised = forTrace.json(profile)

  return { ...forEyes, body, headers, hide, forTrace, promised }
}

const redactors = new WeakMap<Profiled, Redact>()

/** Shared by all clients with this profile, with pseudonyms and secrets that became known. */
export function redactorOf(profile: Profiled): Redact {
  const known = redactors.get(profile) ?? redactor(profile)
  redactors.set(profile, known)
  return known
}

/** The shell variable that stands for the token of a role. */
export const variableOf = (role: string) =>
  role === 'administrator' ? TOKEN_VARIABLE : `$TRACKER_${role.toUpperCase()}_TOKEN`

/**
 * Masks what is secret by its value, by the name that it stands under, or by its form. `known`: secrets that may be too
 * short or too ordinary to be found by their value.
 */
function masking(values: SecretValues, known: ReadonlySet<string | undefined>, words: Words) {
  const byValue = (value: string): string => values.mask(value, words)
  const text = (value: string): string => maskByForm(byValue(value), words)

  const inJson = (json: string): string =>
    maskJson(json, {
      name: byValue,
      leaf(value, isSecret) {
        if (typeof value !== 'string' && typeof value !== 'number') return value
        const written = String(value)
        const isSaid = isSecret && (canBeSecret(value) || (written !== '' && known.has(written)))
        if (typeof value === 'string') return isSaid ? words.of(value) : text(value)
        const isKnown = written.length >= LEAST && values.mask(written) !== written
        return isSaid || isKnown ? words.ofNumber(value) : value
      },
    })

  /** Masks texts by their value only, for objects with members that are named like secrets and hold none. */
  function literals<T>(value: T): T {
    if (typeof value === 'string') return byValue(value) as T
    if (Array.isArray(value)) return value.map(literals) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, literals(item)])) as T
  }

  return {
    text,
    literals,
    json: (value: unknown): unknown =>
      value === undefined ? undefined : JSON.parse(inJson(JSON.stringify(value))),
    /** A body as it was written, with blanks and repeated members, without secrets. */
    raw: (value: string): string => (parseJson(value) === undefined ? text(value) : inJson(value)),
    header: (name: string, content: string): string =>
      isSecretHeader(name) ? words.of(content) : text(content),
  }
}
