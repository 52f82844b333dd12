/** Tells profiles apart, without anything in it that is secret. */
import type { OfflineProfile } from '../client/profile.js'
import { digestOf } from './baseline.js'

/** Of these the names of what is given count, and not what it is: few words could be guessed from a digest. */
const secret = ['tokens', 'passwordAccount', 'password', 'settings', 'userSetting'] as const

/** Where the target stands and the extension's name are told by a report itself. */
export function profileDigest({ baseUrl: _, ext: _ext, ...profile }: OfflineProfile): string {
  const plain: Record<string, unknown> = { ...profile }
  for (const name of secret) if (profile[name] !== undefined) plain[name] = Object.keys(profile[name]).sort()
  return digestOf(JSON.stringify(Object.entries(plain).sort(([a], [b]) => (a < b ? -1 : 1))))
}
