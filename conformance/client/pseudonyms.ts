/** Replacements for secrets: stars in reports, and one word for each secret in a trace. */
import type { Profile } from '../contract/index.js'

/** The replacement of a masked value. A number stays a number where its type matters. */
export interface Words {
  of(secret: string): string
  ofNumber(secret: number): string | number
}

/** The part of a profile that holds secrets. */
export type Secrets = Pick<Profile, 'passwordAccount' | 'password'> & {
  readonly tokens: Partial<Profile['tokens']>
}

export const MASK = '***'
export const stars: Words = { of: () => MASK, ofNumber: () => MASK }

/** Whether a word is a replacement already. */
export const isMasked = (text: string): boolean => text === MASK || /^SECRET\.[\w.]+$/.test(text)

/** Numbers that stand for secrets are behind it, and there are no more of them. */
const NUMBERS = 9_000_000_000
const MOST_NUMBERS = 1_000_000

/**
 * The same secret has the same pseudonym: `SECRET.token.administrator`, `SECRET.account.current`,
 * `SECRET.password.valid`, or `SECRET.1` and on for those that the profile does not have.
 */
export function pseudonyms({ tokens, passwordAccount, password }: Secrets): Words {
  const words = new Map<string, string>()
  const numbers = new Map<number, number>()
  for (const [group, secrets] of Object.entries({ token: tokens, account: passwordAccount, password }))
    for (const [name, secret] of Object.entries(secrets ?? {}))
      if (secret && !words.has(secret)) words.set(secret, `SECRET.${group}.${name}`)
  const named = words.size
  return {
    of(secret) {
      if (isMasked(secret)) return secret
      const word = words.get(secret) ?? `SECRET.${words.size - named + 1}`
      words.set(secret, word)
      return word
    },
    ofNumber(secret) {
      if (secret > NUMBERS && secret <= NUMBERS + MOST_NUMBERS) return secret
      const known = numbers.get(secret) ?? NUMBERS + numbers.size + 1
      numbers.set(secret, known)
      return known
    },
  }
}
