/**
 * Keeps tokens, passwords and cookies out of everything that leaves the process. A pseudonym replaces each secret that is
 * found by its value, by the name that it stands under, or by its form.
 */
import { operationIds, passwordBody, userBody } from '../contract/index.js'
import { getOrInsert, memoised, memoisedByText } from '../contract/memoised.js'
import { type Knowledge, nothingKnown } from '../oracle/knowledge.js'
import { parseJson } from './body.js'
import type { OfflineProfile } from './profile.js'
import { canBeSecret, isSecretHeader, maskJson, withoutNumber } from './secret-names.js'
import { maskByForm } from './secret-texts.js'
import { LEAST, secretValues } from './secret-values.js'

/** As much of a profile as is known. */
export type Profiled = Partial<OfflineProfile>

export type Redact = ReturnType<typeof createRedactor>

/** Common words that reports contain anyway. Secrets of test systems may consist of them. */
const ordinary = [
  ...operationIds,
  ...Object.keys(userBody.shape),
  ...Object.keys(passwordBody.shape),
  ...['administrator', 'manager', 'developer', 'updater', 'reporter', 'viewer', 'restricted', 'disabled'],
  ...['authorization', 'credentials', 'application', 'unauthorized', 'conformance'],
  // What trackers say of passwords, which made-up ones repeat: `Correct-Horse-1`.
  ...['incorrect', 'different', 'characters', 'previous', 'required'],
]

/** Numbers that stand for secrets are behind it, and there are no more of them. */
const NUMBERS = 9_000_000_000
const MOST_NUMBERS = 1_000_000

/** Shared by all who have this profile, with pseudonyms and secrets that became known. */
export const redactor = memoised(createRedactor)

function createRedactor(profile: Profiled) {
  const { tokens, passwordAccount, password, user, plugin, ext, baseUrl } = profile
  const open = [...ordinary, user?.username, plugin?.name, ext, baseUrl].filter((one) => one !== undefined)
  const values = secretValues(open)
  const words = new Map<string, string>()
  const numbers = new Map<number, number>()
  for (const [group, secrets] of Object.entries({ token: tokens, account: passwordAccount, password }))
    for (const [name, secret] of Object.entries(secrets ?? {})) {
      if (!secret) continue
      if (!words.has(secret)) words.set(secret, `SECRET.${group}.${name}`)
      // A password that is a common word is masked only under names of secrets, so that ordinary text stays.
      if (group === 'token' || !open.includes(secret)) values.add(secret)
    }
  /** They may be too short or too ordinary to be found by their value. */
  const known = new Set(words.keys())

  /**
   * The same secret has the same pseudonym: `SECRET.token.administrator`, `SECRET.account.current`,
   * `SECRET.password.valid`, or `SECRET.1` and on for those that the profile does not have.
   */
  function word(secret: string): string {
    if (/^(\*{3}|SECRET\.[\w.]+)$/.test(secret)) return secret
    return getOrInsert(words, secret, () => `SECRET.${words.size - known.size + 1}`)
  }

  /** A number stays a number, so that its type can be judged. */
  function number(secret: number): number {
    if (secret > NUMBERS && secret <= NUMBERS + MOST_NUMBERS) return secret
    return getOrInsert(numbers, secret, () => NUMBERS + numbers.size + 1)
  }

  /** Texts and bodies that were masked before, since most come again. */
  const masked = { texts: new Map<string, string>(), bodies: new Map<string, string>() }
  /** With each word that becomes known, all are masked anew. */
  const learning = (add: (word: string) => boolean) => (word: string) => {
    if (add(word)) for (const memory of Object.values(masked)) memory.clear()
  }

  const byValue = (value: string): string => values.mask(value, word)
  const text = memoisedByText((value) => maskByForm(byValue(value), word), masked.texts)

  function leaf(value: unknown, isSecret: boolean): unknown {
    if (typeof value !== 'string' && typeof value !== 'number') return value
    const written = String(value)
    const isSaid = isSecret && (canBeSecret(value) || known.has(written))
    if (typeof value === 'string') return isSaid ? word(value) : text(value)
    return isSaid || (written.length >= LEAST && byValue(written) !== written) ? number(value) : value
  }

  const json = (value: unknown): unknown => maskJson(value, { name: byValue, leaf })

  /** A body as it was written, unless there is a secret in it. */
  const raw = memoisedByText((written) => {
    const plain = parseJson(written)
    if (plain === undefined) return text(written)
    if (JSON.stringify(plain) === written) return JSON.stringify(json(plain))
    let count = 0
    // A parser reads only the last of two members of one name, so each gets a number.
    const numbered = withNames(written, (name) => `${count++} ${name}`)
    const value: unknown = JSON.parse(numbered)
    const after = JSON.stringify(json(value))
    return after === JSON.stringify(value) ? written : withNames(after, withoutNumber)
  }, masked.bodies)

  /** Masks texts of JSON by their value only, for objects with members that are named like secrets and hold none. */
  const literals = <T>(value: T): T =>
    value && JSON.parse(JSON.stringify(value), (_, one) => (typeof one === 'string' ? byValue(one) : one))

  return {
    ...{ text, raw, json, literals },
    header: (name: string, content: string): string => (isSecretHeader(name) ? word(content) : text(content)),
    /** Adds a secret that became known during the run. */
    hide: learning(values.add),
    /** Adds a name that is no secret, though a secret may hold it. */
    show: learning(values.show),
    /** The profile without secrets. Masked before anything else, so that the pseudonyms are the same in each run. */
    promised: json(profile),
  }
}

/** The knowledge for judging a trace: the profile, with pseudonyms in place of its secrets. */
export function knowledgeOf(profile: OfflineProfile | undefined): Knowledge {
  if (profile === undefined) return nothingKnown
  const { tokens = {}, ...rest } = redactor(profile).promised as OfflineProfile
  return { ...rest, callers: Object.keys(tokens) }
}

/** A text of JSON with other names of members. */
const withNames = (json: string, other: (name: string) => string): string =>
  json.replace(/"([^"\\]*(?:\\[\s\S][^"\\]*)*)"(\s*:)?/g, (whole, text: string, colon?: string) =>
    colon === undefined ? whole : `"${other(text)}":`,
  )
