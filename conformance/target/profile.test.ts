/** What is wrong with a profile is said with the field that is to be changed. */
import { expect, test } from 'vitest'
import { parseProfile } from './profile.js'

const profile = { baseUrl: 'https://tracker.example/api/rest', tokens: { administrator: 'a' } }

test.each(['restricted', 'password'])("the administrator's token as that of tokens.%s", (name) => {
  const wrong = { ...profile, tokens: { administrator: 'a', [name]: 'a' } }
  expect(() => parseProfile(wrong, 'profile p.json')).toThrow(
    `profile p.json: field "tokens.${name}": is the administrator's token; give that of`,
  )
})

test('tokens of three users', () => {
  const tokens = { administrator: 'a', restricted: 'b', password: 'c' }
  expect(parseProfile({ ...profile, tokens }, 'p').tokens).toEqual(tokens)
})
