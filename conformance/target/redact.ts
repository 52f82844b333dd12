/** Keeps tokens, passwords and cookies out of everything that leaves the process. */
import type { Profile } from '../contract/index.js'

export const TOKEN_VARIABLE = '$TRACKER_TOKEN'
const MASK = '***'
const secretKey = /password|token|secret|cookie|session|authorization/i

export type Redact = ReturnType<typeof redactor>

/** Masks the profile's secrets wherever they stand, and values under names that speak of a secret. */
export function redactor(profile: Profile) {
  const { administrator, restricted, password } = profile.tokens
  // Short passwords ("abc") are masked by the name they stand under; as literals they would eat ordinary text.
  const literals = [
    administrator,
    restricted,
    password,
    profile.passwordAccount?.current,
    profile.passwordAccount?.next,
    profile.password?.valid,
    profile.password?.invalid,
  ]
    .filter((secret): secret is string => secret !== undefined && secret.length >= 6)
    .sort((a, b) => b.length - a.length)

  function text(value: string): string {
    let masked = value
    for (const secret of literals) masked = masked.split(secret).join(MASK)
    return masked
  }

  function json(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return secretKey.test(key) ? MASK : text(value)
    if (typeof value === 'number') return secretKey.test(key) && /password/i.test(key) ? MASK : value
    if (Array.isArray(value)) return value.map((item) => json(item, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), json(item, name)]))
  }

  /** A body as sent or received: JSON is masked by member, other text by literal. */
  function body(value: string): unknown {
    if (value === '') return null
    try {
      return json(JSON.parse(value))
    } catch {
      return text(value)
    }
  }

  /** The scheme stays readable; the credentials become a shell variable or a mask. */
  function headers(value: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(value).map(([name, content]) => {
        if (/^authorization$/i.test(name)) return [name, authorization(content)]
        return [name, secretKey.test(name) ? MASK : text(content)]
      }),
    )
  }

  function authorization(content: string): string {
    const [, scheme = '', credentials = ''] = /^(\S*)\s*(.*)$/s.exec(content) ?? []
    if (credentials === administrator) return `${scheme} ${TOKEN_VARIABLE}`
    if (credentials === restricted) return `${scheme} $TRACKER_RESTRICTED_TOKEN`
    if (credentials === password) return `${scheme} $TRACKER_PASSWORD_TOKEN`
    return text(content)
  }

  /** Of a secret that came to be known on the way. */
  function hide(secret: string): void {
    if (secret.length >= 6 && !literals.includes(secret)) literals.push(secret)
  }

  return { text, json, body, headers, hide }
}
