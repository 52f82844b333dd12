import { afterAll, expect, test } from 'vitest'
import { createTracker } from '../emulator/index.js'
import { defineConformance, judge, record } from './index.js'

/** A program that knows nothing of the kit: it makes a user, changes it and reads it. */
async function work(fetch: typeof globalThis.fetch, baseUrl: string, token: string): Promise<void> {
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    return (await fetch(`${baseUrl}/plugins/Ext${path}`, init)).json()
  }
  for (const username of ['tkanna', 'tkbert']) {
    const email = `${username}@example.org`
    await ask('POST', '/users', { username, email, realname: 'A Name', enabled: true })
    await ask('GET', `/users/${username}`)
    await ask('PATCH', `/users/${username}`, { realname: 'Another Name', enabled: false })
    await ask('GET', `/users/${username}`)
    await ask('GET', `/users/${username}/no-operation`)
  }
}

test("a program's traffic with a right tracker has no finding, and another status is one", async () => {
  const { baseUrl, tokens, profile, fetch: answer } = await createTracker()
  const recorded = record((input, init) => answer(new Request(input, init)), { profile })
  await work(recorded as typeof fetch, baseUrl, tokens.administrator)
  expect(recorded.exchanges).toHaveLength(8)
  expect(judge(recorded.exchanges, { profile }).findings).toEqual([])
  expect(judge(recorded.exchanges).findings).toEqual([])
  const wrong = recorded.exchanges.map((one) => (one.n === 3 ? { ...one, status: 202 } : one))
  const { findings } = judge(wrong, { profile })
  expect(findings).toMatchObject([{ rule: 'status', operation: 'updateUser', n: 3 }])
})

test('what is no list of exchanges is refused with what to give instead', () => {
  const har = { log: { entries: [] } } as unknown as []
  expect(() => judge(har)).toThrow(/takes a list of exchanges.*record\(fetch\)\.exchanges.*tracker-kit judge/)
})

/** The suite as vitest tests: these are the tests. */
const tracker = await createTracker()
const server = await tracker.listen()
const profile = { ...tracker.profileFor(server.url), safety: 'read' as const }
afterAll(() => server.close())

defineConformance(profile, { only: ['getUser', 'listPlugins'], runs: 5 })

test('the target was driven, and once', () => {
  const lists = tracker.journal.filter(({ operation }) => operation === 'listPlugins')
  expect(lists.length).toBeGreaterThan(3)
  expect(lists.length).toBeLessThan(60)
})

test('what is no option, and what is no id, is refused', () => {
  expect(() => defineConformance(profile, { only: ['getUsr'] })).toThrow(/did you mean "getUser"\?/)
  expect(() => defineConformance(profile, { runs: 0 })).toThrow(/runs/)
})
