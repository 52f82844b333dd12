import { describe, expect, onTestFinished, test } from 'vitest'
import { createTracker } from '../../../emulator/index.js'
import { frameworkTrackers } from '../../../fixtures/frameworks/index.js'
import { isLong } from '../../../fixtures/long.js'
import type { Profile } from '../../contract/index.js'
import { ledgerView } from '../copy/emulator.js'
import { learn } from '../learn.js'
import { diff } from '../report/diff.js'
import { plan } from './plan.js'
import { runLive } from './run.js'

const common = { safety: 'write', timeout: 5000, rate: 0, ledgerFile: null } as const
const optionsFor = (profile: Profile, budget: number) => ({
  ...{ ...common, profile, budget, signal: new AbortController().signal },
})

/** Nothing enabled, one field at most, and a line for each of them. */
async function expectFewLeft(vary: number, run: (profile: Profile) => Promise<readonly string[]>) {
  const tracker = await createTracker({ vary })
  const server = await tracker.listen()
  const { users, customFields } = tracker.db
  const idsOf = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id))
  const [oldUsers, oldFields] = [idsOf(users.all()), idsOf(customFields.all())]
  const left = await run(tracker.profileFor(server.url)).finally(() => server.close())
  const made = users.all().filter(({ id }) => !oldUsers.has(id))
  expect(made.length).toBeGreaterThan(5)
  expect(made.filter(({ enabled }) => enabled)).toEqual([])
  const stays = customFields.all().filter(({ id }) => !oldFields.has(id))
  expect(stays.length).toBeLessThan(2)
  expect(left.filter((line) => line.includes('custom field')).length).toBeGreaterThanOrEqual(stays.length)
  const lines = left.filter((line) => line.startsWith('user '))
  const namesIn = (line: string) => line.slice(5, line.lastIndexOf(' (')).toLowerCase().split(' or ')
  const named = lines.map((line) => namesIn(line).map((name) => name.trim()))
  const untold = made.filter(({ id, username }) => {
    const isTold = (names: readonly string[]) =>
      names.includes(username.trim().toLowerCase()) ||
      names.some((name) => name.endsWith(`, with the id ${id}`))
    const at = named.findIndex(isTold)
    if (at >= 0) named.splice(at, 1)
    return at < 0
  })
  expect(untold.map(({ id, username }) => [id, username])).toEqual([])
}

test.each([
  { what: 'names nameless fields itself', vary: 1 },
  { what: 'takes a number for a new username', vary: 2 },
  { what: 'protects users for good', vary: 4 },
  { what: 'shows no field', vary: 7 },
  { what: 'renames a user to a number', vary: 20, budget: 950 },
  { what: 'makes another name of a number', vary: 122, budget: 700 },
])('at write nothing enabled is left, where a tracker $what', async ({ vary, budget = 500 }) => {
  await expectFewLeft(vary, async (profile) => (await runLive(plan, optionsFor(profile, budget))).left)
})

/** Half a minute each: `VARY=200` takes so many, and `-t 'vary 7 '` one. */
const seeds = Array.from({ length: Number(process.env.VARY ?? 10) }, (_, index) => index + 1)

describe.runIf(isLong)('at write few things are left, and all are told', () => {
  const commands = {
    learn: async (profile: Profile) =>
      (await learn({ ...optionsFor(profile, 700), ledger: ledgerView, asIs: false })).left ?? [],
    diff: async (profile: Profile) => {
      const options = { ...optionsFor(profile, 2000), ledger: {}, decisions: {}, seed: 77, runs: 100 }
      return (await diff(options)).left ?? []
    },
  }
  test.each(seeds.flatMap((vary) => Object.entries(commands).map(([name, run]) => ({ vary, name, run }))))(
    'vary $vary after $name',
    ({ vary, run }) => expectFewLeft(vary, run),
  )
})

test('an impersonation that takes the token with it is left again, and taken for no other way', async () => {
  const problem = frameworkTrackers.find(({ name }) => name === 'problem') ?? expect.fail()
  const { profile, baseUrl, close } = await problem.start()
  onTestFinished(close)
  const sessions = plan.filter(({ id }) => id === 'sessions')
  const options = { ...optionsFor(profile, 200), safety: 'destructive' } as const
  const { trace, left } = await runLive(sessions, options)
  const begun = trace.exchanges.filter((one) => one.path.endsWith('/impersonate') && one.status === 200)
  expect(begun.length).toBeGreaterThan(1)
  expect(trace.exchanges.filter(({ headers }) => headers['x-mantis-username'] !== undefined)).toEqual([])
  expect(left.filter((line) => line.includes('session'))).toEqual([])
  const answer = await fetch(`${baseUrl}/plugins/Ext/me/account`, {
    headers: { authorization: `Bearer ${profile.tokens.administrator}` },
  })
  expect(await answer.json()).toMatchObject({ data: { userName: 'chief' } })
})
