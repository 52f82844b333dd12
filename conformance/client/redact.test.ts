import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Profile } from '../contract/index.js'
import { redactor as redactorWith } from './redact.js'
import { swapped } from './secret-values.js'

const token = 'Qx7kLm2Pz9vTr4Wn8Ys3Bd6F'
const password = 'grün/"Wal 1+?'
const profile = {
  baseUrl: 'https://tracker.example.org/api/rest',
  tokens: { administrator: token, restricted: 'token-of-reporter', password: 'zY1-wX2-vU3-tS4-rQ5' },
  passwordAccount: { current: password, next: 'Bright-Copper-7' },
  user: { id: 5, username: 'administrator' },
} satisfies Profile

/** Stars stand for all pseudonyms. */
const starred = (text: string) => text.replace(/SECRET\.[\w.]+/g, '***').replace(/\b9000\d{6}\b/g, '"***"')
function redactor(own: Parameters<typeof redactorWith>[0]) {
  const { text, json, raw, header, hide } = redactorWith({ ...own })
  return {
    hide,
    text: (value: string) => starred(text(value)),
    json: (value: unknown) => JSON.parse(starred(JSON.stringify(json(value)))),
    raw: (value: string) => starred(raw(value)),
    header: (name: string, content: string) => starred(header(name, content)),
  }
}
const redact = redactor(profile)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const base64url = (text: string) => Buffer.from(text).toString('base64url')
const hex = (text: string) => Buffer.from(text).toString('hex')
const escaped = (text: string) => JSON.stringify(text).slice(1, -1)

describe('a secret that the profile has is masked', () => {
  // Its whole forms are tested with random secrets below.
  const forms: Record<string, readonly [string, RegExp | string]> = {
    'without its last character': [token.slice(0, -1), token.slice(0, 8)],
    'with a character too many': [`${token}x`, token],
    'of which the last third is another one': [`${token.slice(0, 16)}Kit0Kit0`, token.slice(0, 8)],
    'without its beginning': [token.slice(5), token.slice(-8)],
    'by eight characters of it': [token.slice(7, 15), token.slice(7, 15)],
    'in hexadecimal': [hex(token), hex(token).slice(0, 16)],
    'in hexadecimal of the other case': [hex(swapped(token)).toUpperCase(), hex(swapped(token)).slice(8, 24)],
    'with percent signs in small letters': [encodeURIComponent(password).toLowerCase(), 'gr%c3%bcn'],
    'as a form sends it': [new URLSearchParams({ q: password }).toString(), 'Wal+1'],
    'escaped twice': [escaped(escaped(password)), 'Wal 1'],
    'with slashes escaped': [password.replaceAll('/', '\\/'), 'Wal 1'],
    'in plain ASCII': ['gr\\u00fcn\\/\\"Wal 1+?', 'Wal 1'],
    'as HTML': ['grün/&quot;Wal 1+?', 'Wal 1'],
  }
  test.each(Object.entries(forms))('%s', (_, [form, part]) => {
    for (const shown of [redact.text(`You sent <${form}>, otto`), redact.json({ message: `of ${form}!` })]) {
      expect(JSON.stringify(shown)).not.toContain(part)
      expect(JSON.stringify(shown)).toContain('***')
    }
    expect(redact.text(`before ${form}`)).toMatch(/^before \S*\*\*\*/)
  })

  test('as the name of a member, as a number and in a URL', () => {
    expect(redact.json({ [token]: 1 })).toEqual({ '***': 1 })
    const digits = redactor({ ...profile, tokens: { administrator: '1234567890' } })
    expect(digits.json({ id: 1234567890, other: 1234 })).toEqual({ id: '***', other: 1234 })
    expect(redact.text(`https://tracker.test/users/${token}?x=1`)).toBe('https://tracker.test/users/***?x=1')
  })

  test('also one that came to be known on the way, and all that is of it', () => {
    const own = redactor(profile)
    const session = 'f00dCafe99-beef'
    expect(own.text(session)).toBe(session)
    own.hide(session)
    for (const form of [session, session.toUpperCase(), base64(session)]) expect(own.text(form)).toBe('***')
  })
})

describe('ordinary text stays', () => {
  test('though a token is made of words that stand in it', () => {
    const text = 'the user administrator (reporter) has no password; the token was not of a password account'
    const administrator = 'token-of-administrator'
    expect(redactor({ ...profile, tokens: { administrator } }).text(text)).toBe(text)
    const refusal = 'The current password is not correct, or needs other characters'
    const password = { valid: 'Correct-Horse-7', invalid: 'Characters-9' }
    expect(redactor({ ...profile, password }).text(refusal)).toBe(refusal)
    expect(redactor({ ...profile, password }).text('not Correct-Hors')).not.toContain('Hors')
    expect(redact.text(text)).toBe(text)
  })

  test('though a password is short, or a word of the document', () => {
    const own = redactor({ ...profile, password: { valid: 'password', invalid: 'abc' } })
    expect(own.json({ members: 'abc, password_current' })).toEqual({ members: 'abc, password_current' })
    expect(own.json({ password: 'abc', x: 'password' })).toEqual({ password: '***', x: 'password' })
  })

  test('though it says what could be one', () => {
    for (const text of ['Bearer authentication is required', 'password: must be longer', 'a valid API token'])
      expect(redact.text(text)).toBe(text)
  })
})

describe('by its name a value is masked', () => {
  const names = [
    'password', 'new_password', 'passwordHash', 'api_key', 'apiKey', 'APIKey', 'pwd', 'pass', 'smtp_pass', 'passwd',
    'hash', 'jwt', 'auth', 'credential', 'credentials', 'private_key', 'privateKey', 'token', 'accessToken', 'sid',
    'secret', 'session_id', 'cookie', 'authorization', 'passphrase', 'x-api-key', 'newpwd', 'csrf',
  ] as const // biome-ignore format: a list of names
  test.each(names)('%s', (name) => {
    expect(redact.json({ [name]: 'hunter' })).toEqual({ [name]: '***' })
    expect(redact.json({ [name]: { value: 'hunter' } })).toEqual({ [name]: { value: '***' } })
    expect(redact.json({ [name]: ['hunter', { a: [9876543] }] })).toEqual({ [name]: ['***', { a: ['***'] }] })
    expect(redact.json({ option: name, value: 'hunter' })).toEqual({ option: name, value: '***' })
  })

  test('and under other names it is not', () => {
    const names = ['author', 'passed', 'bypass', 'keys', 'compass', 'hashtag', 'key']
    const plain = [...names.map((name) => ({ [name]: 'otto' })), { option: 'language', value: 'german' }]
    expect(redact.json(plain)).toEqual(plain)
  })

  test('in pairs of a name and a value, whatever the two are called', () => {
    for (const label of ['option', 'name', 'key', 'setting', 'Field'])
      for (const member of ['value', 'values', 'default_value', 'current', 'oldValue', 'Content'])
        expect(redact.json([{ [label]: 'smtp_password', [member]: 'hunter', type: 'text' }])).toEqual([
          { [label]: 'smtp_password', [member]: '***', type: 'text' },
        ])
  })

  test('but for what can be no secret', () => {
    const open = {
      limits: { password: 1024 },
      can_change_password: true,
      password: null,
      token: '',
      tokens: [{ id: 7, created_at: '2025-01-01T00:00:00Z', used_at: null }],
      session: { username: 'otto', email: 'otto@example.org' },
    }
    expect(redact.json(open)).toEqual(open)
    expect(redact.json({ password: 12345678 })).toEqual({ password: '***' })
  })

  test('but for a number that the profile says is one', () => {
    const own = redactor({ ...profile, password: { valid: '4711' } })
    expect(own.json({ password: 4711, count: 4711 })).toEqual({ password: '***', count: 4711 })
  })

  test('in what is no JSON, or JSON in a text', () => {
    const texts = [
      '{"user":"otto","password":"hunter"',
      '{"user":"otto","password":"hun',
      '{"user":"otto","api_key": "x\\"hunter"} and more',
      'You sent {\\"pwd\\":\\"hunter\\"}',
      '{"message":"You sent {\\"pwd\\":\\"hunter\\"}"',
      '{"token":{"value":"hunter"',
      '{"password":98765432',
      'GET /users?access_token=hunter&x=1',
      'Cookie: tracker_session=hunter; theme=dark',
      "{'password': 'hunter'}",
      'Authorization: Bearer hunter1234',
      'https://otto:hunter@tracker.example.org/api',
      '<user><password>hunter</password></user>',
      '<input type="hidden" name="csrf_token" value="hunter">',
      '-----BEGIN PRIVATE KEY-----\nhunter\n-----END PRIVATE KEY-----',
      'of eyJhbGciOi.eyJzdWIi.hunter',
    ]
    for (const text of texts)
      for (const shown of [redact.text(text), redact.raw(text)]) {
        expect(shown).not.toMatch(/hun|9876/)
        expect(shown).toContain('***')
      }
  })
})

test('headers that may hold a credential are masked, and the rest stays, but for secrets in it', () => {
  for (const name of ['Set-Cookie', 'X-Auth', 'Ocp-Apim-Subscription-Key', 'X-Signature'])
    expect(redact.header(name, 'a=hunter')).toBe('***')
  const plain = { 'content-type': 'application/json', 'x-mantis-username': 'otto', location: '/users/5' }
  for (const [name, content] of Object.entries(plain)) expect(redact.header(name, content)).toBe(content)
  expect(redact.header('x-debug', `of ${swapped(token)}`)).toBe('of ***')
  expect(redact.header('location', '/?token=hunter')).toBe('/?token=***')
})

test('a body is as it was sent, unless there is a secret in it', () => {
  for (const raw of ['', 'null', '"otto"', '{"a": 1,\n"a":2}', '{"kit', '[1e400]'])
    expect(redact.raw(raw)).toBe(raw)
  expect(redact.raw('{"7": 1,\n"pwd": "hunter", "7":2}')).toBe('{"7":1,"pwd":"***","7":2}')
  expect(redact.raw('{"pwd": "hunter", "pwd": ""}')).toBe('{"pwd":"***","pwd":""}')
})

// The documents are of other signs, and the mask is of stars.
const secret = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z0-9]{3,20}$/),
    fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 10 })),
    fc.stringMatching(/^[A-Za-z0-9]{3,20}$/),
  )
  .map((parts) => parts.join(''))
  .filter((text) => !text.includes('*'))
const forms = (value: string) => [
  value,
  swapped(value),
  value.toUpperCase().length === value.length ? value.toUpperCase() : value,
  encodeURIComponent(value),
  escaped(value),
  base64(value),
  base64url(value),
  base64(`otto:${value}`),
  base64(swapped(value)),
  base64url(`nina1:${value}`),
]
const planted = fc.array(secret, { minLength: 1, maxLength: 4 }).chain((values) => {
  const form = fc.constantFrom(...values.flatMap(forms))
  const texts = fc.tuple(fc.constantFrom('', 'of ', '<'), form, fc.constantFrom('', '>', ' ok'))
  const text = texts.map((parts) => parts.join(''))
  const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
  const key = fc.constantFrom('id', 'name', 'option', 'value', 'data', ...values)
  const document = fc.anything({ key, values: [leaf], maxDepth: 4, maxKeys: 4 })
  return fc.record({ values: fc.constant(values), document })
})

test('whatever the secrets and the document, none of its forms is left', () => {
  fc.assert(
    fc.property(planted, ({ values, document }) => {
      const [administrator = '', ...rest] = values
      const own = redactor({ ...profile, tokens: { administrator } })
      for (const value of rest) own.hide(value)
      const shown = [JSON.stringify(own.json(document)), own.text(JSON.stringify(document))]
      for (const form of values.flatMap(forms))
        for (const text of shown) expect(text.includes(form), `${form} in ${text}`).toBe(false)
    }),
    { numRuns: 150 },
  )
})
