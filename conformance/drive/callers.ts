/** Wrong credentials that a careless tracker may accept. */
import type { Profile } from '../contract/index.js'
import type { Ask, Credentials } from './ask.js'

type Write = (profile: Profile) => string

const token = ({ tokens }: Profile) => tokens.administrator
const swapped = (text: string) =>
  [...text].map((one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('')

/** Those that careless trackers accept most often. */
const common: readonly Write[] = [
  (profile) => `Basic ${token(profile)}`,
  (profile) => `Bearer ${token(profile).slice(0, -1)}`,
  (profile) => `Bearer ${token(profile)}x`,
  (profile) => `Bearer ${swapped(token(profile))}`,
]

/** Those that few trackers accept. */
const rare: readonly Write[] = [
  (profile) => `Token ${token(profile)}`,
  (profile) => `Bearer ${token(profile).slice(0, 20)}`,
  () => 'Bearer kit-unknown-token-0123456789abcdef',
  () => 'Bearer ',
  () => 'Bearer null',
  ({ user }) => `Bearer ${user?.username ?? 'administrator'}`,
  () => 'Bearer undefined',
  ({ user }) => `Bearer ${user?.id ?? 1}`,
  () => `Bearer ${'quartz'.repeat(500)}`,
  () => `Basic ${Buffer.from('administrator:root').toString('base64')}`,
]

const strangersOf = (list: readonly Write[], profile: Profile): Credentials[] =>
  // A token that has no letters is not changed by other letters.
  list
    .map((write) => ({ authorization: write(profile) }))
    .filter(({ authorization }) => authorization !== `Bearer ${token(profile)}`)

export const commonStrangers = (profile: Profile): Credentials[] => strangersOf(common, profile)
export const rareStrangers = (profile: Profile): Credentials[] => strangersOf(rare, profile)

/** The ways around the header, all at once: a token elsewhere in the request, and headers that a proxy sets. */
export function sideDoors(profile: Profile, username: string): Pick<Ask, 'query' | 'headers'> {
  const right = encodeURIComponent(token(profile))
  const names = ['x-forwarded-user', 'x-remote-user', 'remote-user', 'x-username', 'x-mantis-username']
  const tokens = ['access_token', 'token', 'api_key', 'auth'].map((name) => `${name}=${right}`)
  const cookies = ['access_token', 'token', 'MANTIS_STRING_COOKIE'].map((name) => `${name}=${right}`)
  const keys = ['x-api-key', 'x-access-token', 'x-auth-token']
  return {
    query: tokens.join('&'),
    headers: {
      cookie: cookies.join('; '),
      ...Object.fromEntries(keys.map((name) => [name, token(profile)])),
      ...Object.fromEntries(names.map((name) => [name, username])),
      'x-tracker-username': profile.user?.username ?? username,
    },
  }
}

/** The given number of elements from a position on; the list starts again at its end. */
export const byTurns = <T>(list: readonly T[], count: number, first: number): T[] =>
  list.slice(0, count).map((_, turn) => list[(first + turn) % list.length] as T)
