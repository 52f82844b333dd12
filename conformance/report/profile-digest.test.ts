import { expect, test } from 'vitest'
import type { Profile } from '../contract/index.js'
import { profileDigest } from './judged.js'

const profile: Profile = {
  baseUrl: 'http://tracker.test/api/rest',
  tokens: { administrator: 'secret', restricted: 'other' },
  password: { valid: 'Hunter-2' },
  user: { id: 5, username: 'reporter' },
}
const digest = profileDigest(profile)

test('a profile is told from one that allows a run more or else', () => {
  const { user: _, ...without } = profile
  expect(profileDigest(without)).not.toBe(digest)
  expect(profileDigest({ ...profile, user: { id: 6, username: 'reporter' } })).not.toBe(digest)
  expect(profileDigest({ ...profile, tokens: { administrator: 'secret' } })).not.toBe(digest)
})

test('what is secret is not in the digest, nor what the report tells by itself', () => {
  const told = { ...profile, baseUrl: 'http://other.test', ext: 'Other' }
  const secrets = { tokens: { administrator: 'a', restricted: 'b' }, password: { valid: 'c' } }
  expect(profileDigest({ ...told, ...secrets })).toBe(digest)
})
