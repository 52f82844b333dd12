/** Credentials that let nobody in, in each way in which a careless tracker may take them for right ones. */
import type { Profile } from '../contract/index.js'
import type { Ask, Credentials } from './ask.js'

type Write = (profile: Profile) => string

const token = ({ tokens }: Profile) => tokens.administrator
const swapped = (text: string) =>
  [...text].map((one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('')

/** Those that are tried on each operation. */
const common: readonly Write[] = [
  () => 'Bearer kit-unknown-token-0123456789abcdef',
  (profile) => `Basic ${token(profile)}`,
  () => 'Bearer ',
  (profile) => `Bearer ${token(profile).slice(0, 20)}`,
  (profile) => `Bearer ${token(profile)}x`,
  (profile) => `Bearer ${swapped(token(profile))}`,
]

/** Those that are tried on some operations, by turns. */
const rare: readonly Write[] = [
  (profile) => `Token ${token(profile)}`,
  (profile) => `Bearer ${token(profile).slice(0, -1)}`,
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

/** Ways around the header: a token elsewhere in the request, and headers that a proxy sets. */
export function sideDoors(profile: Profile, username: string): Pick<Ask, 'query' | 'headers'>[] {
  const right = encodeURIComponent(token(profile))
  const names = ['x-forwarded-user', 'x-remote-user', 'remote-user', 'x-username', 'x-mantis-username']
  const who = profile.user?.username ?? username
  return [
    {
      query: ['access_token', 'token', 'api_key', 'auth'].map((name) => `${name}=${right}`).join('&'),
      headers: {
        cookie: ['access_token', 'token', 'MANTIS_STRING_COOKIE']
          .map((name) => `${name}=${right}`)
          .join('; '),
        'x-api-key': token(profile),
        'x-access-token': token(profile),
        'x-auth-token': token(profile),
      },
    },
    { headers: Object.fromEntries([...names.map((name) => [name, username]), ['x-tracker-username', who]]) },
  ]
}
