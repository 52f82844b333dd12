/** What comes after runs: shards become one report, and the ledger of a run is swept. */
import { writeFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'
import type { Profile } from '../contract/index.js'
import type { Report } from '../report/report.js'

const { tracker, profile, file, write, reportIn, check } = await served()

describe('merge', () => {
  const only = ['--safety', 'write', '--runs', '5', '--only', 'getUser,listPlugins,createCustomField']

  beforeAll(async () => {
    expect((await check(...only, '--shard', '1/2', '--out', file('one'))).code).toBe(0)
    expect((await check(...only, '--shard', '2/2', '--out', file('two'))).code).toBe(0)
  })

  test('makes one report of all shards', async () => {
    const { code, out } = await run('merge', file('one'), file('two'), '--out', file('both'))
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${profile.baseUrl} conforms`),
    })
    const [one, two, both] = ['one', 'two', 'both'].map(reportIn)
    const passed = (report: Report | undefined) =>
      report?.requirements.flatMap(({ id, checks }) =>
        checks.flatMap(({ operation, outcome }) => (outcome === 'passed' ? [`${id} ${operation}`] : [])),
      ) ?? []
    expect(passed(one)).not.toEqual([])
    expect(passed(two)).not.toEqual([])
    expect(new Set(passed(both))).toEqual(new Set([...passed(one), ...passed(two)]))
    const ids = both?.requirements.map(({ id }) => id) ?? []
    expect(ids.length).toBe(new Set(ids).size)
    expect(both?.summary.requests).toBe((one?.summary.requests ?? 0) + (two?.summary.requests ?? 0))
    expect(both?.shard).toBeNull()
  })

  test.each([
    ['a missing shard', ['one'], /shard 2\/2 is missing/],
    ['a shard twice', ['one', 'one'], /are both shard 1\/2/],
    ['a directory without a report', ['one', 'nothing'], /nothing\/report\.json cannot be read: .*ENOENT/],
    ['the report of a whole run', ['whole'], /a whole run/],
  ])('refuses %s', async (_, names, message) => {
    if (names.includes('whole')) await check('--safety', 'read', '--only', 'getUser', '--out', file('whole'))
    const { code, err } = await run('merge', ...names.map((name) => file(name)), '--out', file('refused'))
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})

describe('a sweep of what was changed for a while', () => {
  const reference = { project: { id: 1 }, type: 'view' }
  const entries = [
    { kind: 'plugin', name: 'Snippets' },
    { kind: 'columns', name: JSON.stringify(reference), as: 'administrator', value: ['summary', 'id'] },
    { kind: 'setting', name: 'redirect_delay', as: 'administrator', value: '3' },
    { kind: 'password', name: 'passwordAccount' },
  ]
  const sweepWith = async (change: (profile: Profile) => Profile) => {
    const event = { event: 'intend', tag: 'tkabcde', baseUrl: profile.baseUrl }
    const lines = entries.map((entry, index) => ({ ...event, entry: index + 1, ...entry }))
    writeFileSync(file('changes.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return run('sweep', file('changes.jsonl'), '--profile', write('changes.json', change(profile)))
  }
  const isInstalled = () => tracker.db.plugins.find('basename', 'Snippets')?.installed
  const columns = () => tracker.db.columnConfigurations.find('place', '1/1/view')?.columns
  const password = () => tracker.db.users.find('username', 'password')?.password

  beforeEach(async () => {
    await tracker.reset()
    const { plugins, users } = tracker.db
    const [plugin, account] = [plugins.find('basename', 'Snippets'), users.find('username', 'password')]
    if (!plugin || !account) throw new Error('the seed has another plugin or account')
    await plugins.change(plugin, { installed: true, enabled: true })
    const { next = '' } = profile.passwordAccount ?? {}
    await users.change(account, { password: next })
  })

  test('puts it back', async () => {
    const { current } = profile.passwordAccount ?? {}
    expect(await sweepWith((whole) => whole)).toMatchObject({
      code: 0,
      out: '4 open entries before, 0 after\n',
    })
    expect(isInstalled()).toBe(false)
    expect(columns()).toEqual(['summary', 'id'])
    expect(tracker.db.userSettings.find('pair', '1/redirect_delay')?.value).toBe('3')
    expect(password()).toBe(current)
  })

  test('does no more than the profile allows, and says what is left', async () => {
    const { code, out } = await sweepWith((whole) => ({ ...whole, safety: 'write' }))
    expect(code).toBe(1)
    // The password that the profile gives is set at every level that writes.
    expect(out).toContain(' before, 3 after\n')
    expect(out).toContain('  plugin Snippets (needs --safety destructive: ')
    expect(isInstalled()).toBe(true)
  })

  test('says of a password that it cannot set why', async () => {
    const { code, out } = await sweepWith(({ passwordAccount: _, ...rest }) => rest)
    expect(code).toBe(1)
    expect(out).toContain("password account's password (the profile has no passwordAccount with a token)")
  })
})
