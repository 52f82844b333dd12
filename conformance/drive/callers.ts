/** Wrong credentials that a careless tracker may accept. */
import { swapped } from '../client/secret-values.js'
import type { Profile } from '../contract/index.js'
import type { Ask, Credentials } from './ask.js'

/** `common`: those that careless trackers accept most often. */
export function strangersOf({ tokens, user }: Profile): Record<'common' | 'rare', Credentials[]> {
  const token = tokens.administrator
  // A token that has no letters is not changed by other letters.
  const credentials = (...list: readonly string[]): Credentials[] =>
    list.filter((one) => one !== `Bearer ${token}`).map((authorization) => ({ authorization }))
  const beside = [token.slice(0, -1), `${token}x`, swapped(token)]
  return {
    common: credentials(`Basic ${token}`, ...beside.map((one) => `Bearer ${one}`)),
    rare: credentials(
      `Token ${token}`,
      `Bearer ${token.slice(0, 20)}`,
      'Bearer kit-unknown-token-0123456789abcdef',
      'Bearer ',
      'Bearer null',
      `Bearer ${user?.username ?? 'administrator'}`,
      'Bearer undefined',
      `Bearer ${user?.id ?? 1}`,
      `Bearer ${'quartz'.repeat(500)}`,
      `Basic ${Buffer.from('administrator:root').toString('base64')}`,
    ),
  }
}

/** The ways around the header, all at once: a token elsewhere in the request, and headers that a proxy sets. */
export function sideDoors(profile: Profile, username: string): Pick<Ask, 'query' | 'headers'> {
  const token = profile.tokens.administrator
  const right = encodeURIComponent(token)
  const names = ['x-forwarded-user', 'x-remote-user', 'remote-user', 'x-username', 'x-mantis-username']
  const tokens = ['access_token', 'token', 'api_key', 'auth'].map((name) => `${name}=${right}`)
  const cookies = ['access_token', 'token', 'MANTIS_STRING_COOKIE'].map((name) => `${name}=${right}`)
  const keys = ['x-api-key', 'x-access-token', 'x-auth-token']
  return {
    query: tokens.join('&'),
    headers: {
      cookie: cookies.join('; '),
      ...Object.fromEntries(keys.map((name) => [name, token])),
      ...Object.fromEntries(names.map((name) => [name, username])),
      'x-tracker-username': profile.user?.username ?? username,
    },
  }
}

/** The given number of elements from a position on; the list starts again at its end. */
export const byTurns = <T>(list: readonly T[], count: number, first: number): T[] =>
  list.slice(0, count).map((_, turn) => list[(first + turn) % list.length] as T)
