import { describe, expect, test } from 'vitest'
import { createLabels, strangers } from './labels.js'

const profile = {
  tokens: { administrator: 'Qx7kLm2Pz9vTr4Wn8Ys3Bd6F', restricted: 'token-of-reporter' },
  user: { id: 5, username: 'otto' },
}
const { administrator } = profile.tokens
const labels = () => createLabels(profile, strangers(profile))
const swapped = 'qX7KlM2pZ9VtR4wN8yS3bD6f'

test.each([
  [`Bearer ${administrator}`, 'administrator'],
  ['Bearer token-of-reporter', 'restricted'],
  [`bearer  ${administrator}`, 'unknown'],
  ['Bearer ***', 'unknown'],
  ['[REDACTED]', 'unknown'],
  ['', 'stranger:an empty header'],
  ['Bearer', 'stranger:a scheme alone'],
  ['Bearer ', 'stranger:a scheme alone'],
  [`Basic ${administrator}`, 'stranger:the scheme Basic'],
  ['Bearer null', 'stranger:the token null'],
  ['Bearer otto', 'stranger:the name of a user'],
  ['Bearer 5', 'stranger:a number'],
  [`Bearer ${administrator}x`, 'stranger:a token with more behind'],
  [`Bearer ${administrator.slice(0, -1)}`, 'stranger:the beginning of a token'],
  [`Bearer ${swapped}`, 'stranger:a token in other letters'],
  [`Bearer ${administrator.slice(0, 10)}Kit0Kit0`, 'stranger:an altered token'],
  ['Bearer kitUnknown0123456789', 'stranger:an unknown token'],
  [`Bearer ${'kit'.repeat(1000)}`, 'stranger:a long token'],
])('%s is of %s', (authorization, label) => {
  expect(labels().of({ authorization })).toBe(label)
})

test('without the header nobody asks, whatever cookie there is', () => {
  expect(labels().of({})).toBe('none')
  expect(labels().of({ cookie: 'session=made-up-by-the-run' })).toBe('none')
})

describe('of a session', () => {
  const json = (value: object) => ({ headers: {}, text: JSON.stringify(value) })

  test('a token is told by the name that it stood under, or by its form', () => {
    const { of, handedOut } = labels()
    handedOut(json({ user: { name: 'longusername' }, access: { token: 'abcdefgh' } }))
    handedOut(json({ value: 'f00dCafe99beefFeed' }))
    expect(of({ authorization: 'Bearer abcdefgh' })).toBe('session:1')
    expect(of({ authorization: 'Bearer f00dCafe99beefFeed' })).toBe('session:2')
    expect(of({ authorization: 'Bearer longusername' })).toBe('stranger:an unknown token')
  })

  test('a token that is handed out again is of the later session', () => {
    const { of, handedOut } = labels()
    for (const name of ['anna', 'berta']) handedOut(json({ name, token: 'abcdefgh' }))
    expect(of({ authorization: 'Bearer abcdefgh' })).toBe('session:2')
  })

  test('a cookie is one alone, and beside a token', () => {
    const { of, handedOut } = labels()
    const headers = { 'set-cookie': 'sid=f00dCafe99; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT' }
    handedOut({ headers, text: '' })
    expect(of({ cookie: 'theme=dark; sid=f00dCafe99' })).toBe('session:1')
    const authorization = `Bearer ${administrator}`
    expect(of({ cookie: 'sid=f00dCafe99', authorization })).toBe('session:1+administrator')
    expect(of({ cookie: 'sid=f00dCafe00', authorization })).toBe('administrator')
  })

  test('a token that the profile has stays a role, though an impersonation names it too', () => {
    const { of, handedOut } = labels()
    handedOut(json({ original_token: administrator }))
    expect(of({ authorization: `Bearer ${administrator}` })).toBe('administrator')
  })
})
