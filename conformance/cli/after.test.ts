/** What comes after runs: shards become one report, and an interrupted run is cleaned up. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker, type TrackerServer } from '../../emulator/index.js'
import { madeSome, run, start } from '../../fixtures/program.js'
import type { Profile } from '../contract/index.js'
import { type Report, reportSchema } from '../report/report.js'

let directory: string
let tracker: Tracker
let server: TrackerServer
let profile: string
const file = (name: string) => join(directory, name)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tracker-kit-'))
  tracker = await createTracker()
  server = await listen(tracker)
  profile = file('profile.json')
  await writeFile(profile, JSON.stringify(tracker.profileFor(server.url)))
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

const reportIn = async (name: string): Promise<Report> =>
  reportSchema.parse(JSON.parse(await readFile(join(file(name), 'report.json'), 'utf8')))

describe('merge', () => {
  const checkShard = (shard: string, name: string, ...more: string[]) =>
    run(
      'check',
      '--profile',
      profile,
      '--safety',
      'write',
      '--runs',
      '5',
      '--shard',
      shard,
      '--out',
      file(name),
      ...more,
    )

  beforeAll(async () => {
    expect((await checkShard('1/2', 'one')).code).toBe(0)
    expect((await checkShard('2/2', 'two')).code).toBe(0)
  }, 60_000)

  test('makes one report of all shards', async () => {
    const { code, out } = await run('merge', file('one'), file('two'), '--out', file('both'))
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`${server.url} conforms`) })
    const [one, two, both] = await Promise.all(['one', 'two', 'both'].map(reportIn))
    const ids = (report: Report | undefined) => report?.requirements.map(({ id }) => id) ?? []
    expect(new Set(ids(both))).toEqual(new Set([...ids(one), ...ids(two)]))
    expect(ids(both).length).toBe(new Set(ids(both)).size)
    expect(both?.summary.requests).toBe((one?.summary.requests ?? 0) + (two?.summary.requests ?? 0))
    expect(both?.shard).toBeNull()
  })

  test('a failure in one shard is one of the whole', async () => {
    const broken = await reportIn('two')
    const [first] = broken.requirements
    if (!first) throw new Error('the shard has no requirement')
    const checks = first.checks.map((check) => ({ ...check, outcome: 'failed' as const }))
    broken.requirements[0] = { ...first, outcome: 'failed', checks }
    await run(
      'check',
      '--profile',
      profile,
      '--safety',
      'read',
      '--only',
      'getUser',
      '--out',
      file('two-broken'),
    )
    await writeFile(join(file('two-broken'), 'report.json'), JSON.stringify(broken))
    const { code } = await run('merge', file('one'), file('two-broken'), '--out', file('both-broken'))
    expect(code).toBe(1)
    expect((await reportIn('both-broken')).summary.verdict).toBe('deviates')
  }, 60_000)

  test.each([
    ['a missing shard', ['one'], /shard 2\/2 is missing/],
    ['a shard twice', ['one', 'one'], /are both shard 1\/2/],
    ['a directory without a report', ['one', 'nothing'], /nothing\/report\.json cannot be read: .*ENOENT/],
  ])('refuses %s', async (_, names, message) => {
    const { code, err } = await run('merge', ...names.map(file), '--out', file('refused'))
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test('refuses the report of a whole run, and shards at another level', async () => {
    await run('check', '--profile', profile, '--safety', 'read', '--only', 'getUser', '--out', file('whole'))
    expect((await run('merge', file('whole'), '--out', file('refused'))).err).toMatch(/a whole run/)
    await run(
      'check',
      '--profile',
      profile,
      '--safety',
      'read',
      '--runs',
      '5',
      '--shard',
      '2/2',
      '--out',
      file('read'),
    )
    const { err } = await run('merge', file('one'), file('read'), '--out', file('refused'))
    expect(err).toMatch(/another safety than .*: read instead of write/)
  }, 60_000)
})

describe('sweep', () => {
  test('finishes the clean-up of a run that was killed, and touches nothing else', async () => {
    await tracker.reset()
    const before = tracker.snapshot()
    const program = start([
      'check',
      '--profile',
      profile,
      '--safety',
      'write',
      '--runs',
      '5',
      '--out',
      file('killed'),
    ])
    await madeSome(tracker)
    program.signal('SIGKILL')
    await program.ended
    const ledger = join(file('killed'), 'ledger.jsonl')
    const args = ['sweep', ledger, '--profile', profile]
    const { code, out } = await run('sweep', file('killed'), '--profile', profile)
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+ entries were open, 0 are left/),
    })
    const after = tracker.snapshot()
    expect(after.customFields).toEqual(before.customFields)
    const old = (id: number) => before.users.find((user) => user.id === id)
    expect(after.users.filter(({ id, enabled }) => !old(id) && enabled)).toEqual([])
    expect(
      after.users.filter(({ id }) => old(id)).map(({ username, enabled }) => [username, enabled]),
    ).toEqual(before.users.map(({ username, enabled }) => [username, enabled]))
    // A second time there is nothing left to do.
    expect((await run(...args)).out).toMatch(/^0 entries were open/)
  }, 60_000)

  describe('of what was changed for a while', () => {
    const reference = { project: { id: 1 }, type: 'view' }
    const entries = [
      { kind: 'plugin', name: 'Snippets' },
      { kind: 'columns', name: JSON.stringify(reference), as: 'administrator', value: ['summary', 'id'] },
      { kind: 'setting', name: 'redirect_delay', as: 'administrator', value: '3' },
      { kind: 'password', name: 'passwordAccount' },
    ]
    const sweepWith = async (change: (profile: Profile) => Profile) => {
      const event = { event: 'intend', tag: 'tkabcde', baseUrl: server.url }
      const lines = entries.map((entry, index) => ({ ...event, entry: index + 1, ...entry }))
      await writeFile(file('changes.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await writeFile(file('changes.json'), JSON.stringify(change(tracker.profileFor(server.url))))
      return run('sweep', file('changes.jsonl'), '--profile', file('changes.json'))
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
      const { next = '' } = tracker.profileFor(server.url).passwordAccount ?? {}
      await users.change(account, { password: next })
    })

    test('puts it back', async () => {
      const { current } = tracker.profileFor(server.url).passwordAccount ?? {}
      expect(await sweepWith((whole) => whole)).toMatchObject({
        code: 0,
        out: '4 entries were open, 0 are left\n',
      })
      expect(isInstalled()).toBe(false)
      expect(columns()).toEqual(['summary', 'id'])
      expect(tracker.db.userSettings.find('pair', '1/redirect_delay')?.value).toBe('3')
      expect(password()).toBe(current)
    })

    test('leaves alone what was put back before', async () => {
      expect((await sweepWith((whole) => whole)).code).toBe(0)
      const before = tracker.snapshot()
      expect(await sweepWith((whole) => whole)).toMatchObject({ code: 0 })
      expect(tracker.diff(before)).toEqual({})
    })

    test('does no more than the profile allows, and says what is left', async () => {
      const { code, out } = await sweepWith((whole) => ({ ...whole, safety: 'write' }))
      expect(code).toBe(1)
      // The password that the profile gives is set at every level that writes.
      expect(out).toContain('3 are left\n')
      expect(out).toContain('  plugin Snippets (needs --safety destructive: ')
      expect(isInstalled()).toBe(true)
    })

    test('says of a password that it cannot set why', async () => {
      const { code, out } = await sweepWith(({ passwordAccount: _, ...rest }) => rest)
      expect(code).toBe(1)
      expect(out).toContain("password account's password (the profile has no passwordAccount with a token)")
    })
  })

  test.each([
    ['no ledger', [], /takes one ledger: the ledger\.jsonl of a run, or the folder that it is in/],
    ['no target', ['x.jsonl'], /needs --base-url or --profile/],
  ])('%s is an error of use', async (_, args, message) => {
    const { code, err } = await run('sweep', ...args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  test('refuses the ledger of another tracker, and what is no ledger', async () => {
    const other = {
      event: 'intend',
      entry: 1,
      tag: 'tkabcde',
      baseUrl: 'http://other.test/api/rest',
      kind: 'user',
      name: 'a',
    }
    await writeFile(file('other.jsonl'), `${JSON.stringify(other)}\n`)
    await writeFile(file('text.jsonl'), 'hello\n')
    const sweep = (name: string) => run('sweep', file(name), '--profile', profile)
    expect((await sweep('other.jsonl')).err).toMatch(/of a run on http:\/\/other\.test/)
    expect((await sweep('text.jsonl')).err).toMatch(/text\.jsonl is no ledger/)
  })
})
