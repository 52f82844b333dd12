/** What comes after a run: its ledger is swept. */
import { writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { run } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'
import type { Profile } from '../contract/index.js'

const { tracker, profile, file, write } = await served()

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
