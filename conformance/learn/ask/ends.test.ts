import { expect, test } from 'vitest'
import { createTracker } from '../../../emulator/index.js'
import { generator } from '../../../emulator/random.js'
import { runLive } from './run.js'
import { scenarios } from './scenarios/index.js'

const wanted = /^(create|update|disabled|definitions|redefinitions)$/

test.each([
  { what: 'names nameless fields itself', vary: 1 },
  { what: 'takes a number for a new username', vary: 2 },
  { what: 'protects users for good', vary: 4 },
  { what: 'shows no field', vary: 7 },
  { what: 'renames a user to a number', vary: 20, budget: 950 },
])(
  'at write nothing enabled is left, and one field at most, where a tracker $what',
  async ({ vary, budget = 500 }) => {
    const tracker = await createTracker({ vary })
    const server = await tracker.listen()
    const idsOf = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id))
    const users = idsOf(tracker.db.users.all())
    const fields = idsOf(tracker.db.customFields.all())
    const { left } = await runLive(
      scenarios.filter(({ id }) => wanted.test(id)),
      {
        ...{ profile: tracker.profileFor(server.url), safety: 'write', timeout: 5000, rate: 0, budget },
        ...{ ledgerFile: null, random: generator(1), signal: new AbortController().signal },
      },
    ).finally(() => server.close())
    const made = tracker.db.users.all().filter(({ id }) => !users.has(id))
    expect(made.length).toBeGreaterThan(5)
    expect(made.filter(({ enabled }) => enabled)).toEqual([])
    expect(left.filter((line) => line.startsWith('user ')).length).toBeGreaterThanOrEqual(made.length)
    const stays = tracker.db.customFields.all().filter(({ id }) => !fields.has(id))
    expect(stays.length).toBeLessThan(2)
    expect(left.filter((line) => /^custom field (?!of the run)/.test(line))).toHaveLength(stays.length)
  },
)
