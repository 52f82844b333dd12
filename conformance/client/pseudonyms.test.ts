import { describe, expect, test } from 'vitest'
import type { Profile } from '../contract/index.js'
import { knowledgeOf, redactor } from './redact.js'

const profile = {
  baseUrl: 'https://tracker.example.org/api/rest',
  ext: 'Admin',
  tokens: { administrator: 'Qx7kLm2Pz9vTr4Wn8Ys3Bd6F', restricted: 'token-of-reporter' },
  passwordAccount: { current: 'grün/"Wal 1+?', next: 'Bright-Copper-7' },
  password: { valid: 'Bright-Copper-7', invalid: 'abc' },
  user: { id: 5, username: 'otto' },
} satisfies Profile

const { administrator } = profile.tokens
const forTrace = () => redactor({ ...profile })

describe('in a trace', () => {
  test('a secret with the word secret in it leaves the words of others alone', () => {
    const passwordAccount = { current: 'first secret', next: 'other-1' }
    const { text, literals } = redactor({ tokens: {}, passwordAccount })
    expect(literals(text('first secret, other-1'))).toBe('SECRET.account.current, SECRET.account.next')
  })

  test('parts of a secret are words of their own, and it has its word in every form', () => {
    const { text } = forTrace()
    expect(text(`q=${encodeURIComponent(profile.passwordAccount.current)}`)).toBe('q=SECRET.account.current')
    const parts = [administrator.slice(0, -1), administrator.toUpperCase(), `${administrator}x`]
    const words = parts.map(text)
    expect(new Set([...words, text(administrator)]).size).toBe(4)
    expect(parts.map(text)).toEqual(words)
    expect(words.join()).not.toMatch(/Qx7k|QX7K/)
  })

  test('a number stays a number, so that its type can be judged', () => {
    const { raw } = forTrace()
    const masked = raw('{"password": 12345678, "limits": {"password": 1024}}')
    expect(masked).toBe('{"password":9000000001,"limits":{"password":1024}}')
    expect(raw('{"token":12345678}')).toBe('{"token":9000000001}')
    expect(raw(masked)).toBe(masked)
  })

  test('what is masked already stays as it is', () => {
    const { raw, text } = forTrace()
    const texts = [
      `{"password":"${administrator}","token":"x-1"}`,
      `Authorization: Bearer ${administrator}; token=hunter`,
      'https://otto:hunter@tracker.example.org/?access_token=one',
      '{"user":"otto","password":"hunter", "token": {"a": "b"}',
    ]
    for (const one of texts) {
      expect(raw(raw(one))).toBe(raw(one))
      expect(text(text(one))).toBe(text(one))
    }
  })
})

describe('knowledge', () => {
  test('has the pseudonyms of the trace in the place of secrets, and the rest of the profile', () => {
    const settings = [{ name: 'smtp_password', value: 'hunter-2' }]
    const own = { ...profile, settings }
    expect(redactor({ ...own }).raw('["x", {"secret":"hunter-2"}]')).toBe('["x",{"secret":"SECRET.1"}]')
    expect(knowledgeOf(own)).toEqual({
      baseUrl: profile.baseUrl,
      ext: 'Admin',
      callers: ['administrator', 'restricted'],
      passwordAccount: { current: 'SECRET.account.current', next: 'SECRET.account.next' },
      password: { valid: 'SECRET.account.next', invalid: 'SECRET.password.invalid' },
      user: { id: 5, username: 'otto' },
      settings: [{ name: 'smtp_password', value: 'SECRET.1' }],
    })
  })
})
