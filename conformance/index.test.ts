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

async function recordedWork(wrong = async (_: Request, right: Response) => right) {
  const { baseUrl, tokens, profile, fetch: answer } = await createTracker()
  const asked = async (input: Request | URL | string, init?: RequestInit) => {
    const request = new Request(input, init)
    return wrong(request.clone(), await answer(request))
  }
  const recorded = record(asked, { profile })
  await work(recorded as typeof fetch, baseUrl, tokens.administrator)
  return { recorded, profile }
}

test("a program's traffic with a right tracker has no finding, with a profile and without", async () => {
  const { recorded, profile } = await recordedWork()
  expect(recorded.exchanges).toHaveLength(8)
  expect(judge(recorded.exchanges, { profile }).findings).toEqual([])
  expect(judge(recorded.exchanges).findings).toEqual([])
})

test('what is no list of exchanges is refused with what to give instead', () => {
  const har = { log: { entries: [] } } as unknown as []
  expect(() => judge(har)).toThrow(/takes a list of exchanges.*record\(fetch\)\.exchanges.*tracker-kit judge/)
})

test('a fault is found at its operation, with the exchanges that show it', async () => {
  const { recorded, profile } = await recordedWork(async ({ method }, right) => {
    if (method !== 'PATCH' || right.status !== 200) return right
    return new Response(await right.text(), { status: 202, headers: right.headers })
  })
  const { findings } = judge(recorded.exchanges, { profile })
  expect(findings).toMatchObject([
    { rule: 'status', operation: 'updateUser', n: 3 },
    { rule: 'status', operation: 'updateUser', n: 7 },
  ])
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
