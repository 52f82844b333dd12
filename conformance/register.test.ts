/** The suite as vitest tests: these are the tests. */
import { afterAll, expect, test } from 'vitest'
import { createTracker } from '../emulator/index.js'
import { defineConformance } from './index.js'

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
