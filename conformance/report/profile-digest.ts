/** A digest that tells profiles apart and contains no secret. */
import type { OfflineProfile } from '../client/profile.js'
import { digestOf } from './baseline.js'

/** Only the names inside these fields count, since a digest could reveal a value that can be guessed. */
const secret = ['tokens', 'passwordAccount', 'password', 'settings', 'userSetting'] as const

/** The digest omits the target and the extension's name, since the report shows them. */
export function profileDigest({ baseUrl: _, ext: _ext, ...profile }: OfflineProfile): string {
  const plain: Record<string, unknown> = { ...profile }
  for (const name of secret) if (profile[name] !== undefined) plain[name] = Object.keys(profile[name]).sort()
  return digestOf(JSON.stringify(Object.entries(plain).sort(([a], [b]) => (a < b ? -1 : 1))))
}
