import { afterAll, expect, test } from 'vitest'
import { createTracker } from '../emulator/index.js'
import { defineConformance, judge, record } from './index.js'

test('what a right tracker answers has no finding, with its profile or without, and another status is one', async () => {
  const { baseUrl, tokens, profile, fetch: answer } = await createTracker()
  const recorded = record((input, init) => answer(new Request(input, init)), { profile })
  const headers = { authorization: `Bearer ${tokens.administrator}` }
  for (const path of ['plugins', 'users/nina', 'no-operation'])
    await recorded(`${baseUrl}/plugins/Ext/${path}`, { headers })
  expect(recorded.exchanges).toHaveLength(2)
  for (const options of [{ profile }, {}]) expect(judge(recorded.exchanges, options).findings).toEqual([])
  const wrong = recorded.exchanges.map((one) => (one.n === 2 ? { ...one, status: 202 } : one))
  const { findings } = judge(wrong, { profile })
  expect(findings).toMatchObject([{ rule: 'status', operation: 'getUser', n: 2 }])
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
