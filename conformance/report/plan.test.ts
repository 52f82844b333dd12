/** Whether what is said of a run before its first request is true of it, on a tracker with a full profile. */
import { beforeEach, describe, expect, test } from 'vitest'
import { isLong } from '../../fixtures/long.js'
import { run } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'

const { tracker, profile, profileFile, write } = await served()
beforeEach(() => tracker.reset())

const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN)
const disabled = () => tracker.db.users.rows.filter(({ enabled }) => !enabled).length

function near(told: number, seen: number) {
  expect(told, `told ${told}, seen ${seen}`).toBeGreaterThan(seen / 1.4)
  expect(told, `told ${told}, seen ${seen}`).toBeLessThan(seen * 1.4)
}

const checks = Object.entries({ read: '5', write: '5', destructive: '60' })

// Whole runs that write take longer than all else here.
test.each(isLong ? checks : checks.slice(0, 1))(
  'what a check at the level %s with %s runs sends and leaves',
  async (safety, runs) => {
    const args = ['check', '--profile', profileFile, '--safety', safety, '--runs', runs]
    const { out: plan } = await run(...args, '--plan')
    expect(plan).toContain('one after the other, as fast as the tracker answers (--rate N sets a limit)')
    const before = disabled()
    const { out } = await run(...args)
    near(numberIn(plan, /sends about (\d+) requests/), numberIn(out, /^run +(\d+) requests/m))
    if (safety === 'read') expect(plan).not.toContain('disabled users')
    else near(numberIn(plan, /leaves about (\d+) disabled users/), disabled() - before)
  },
  60_000,
)

test('a profile that lacks fields is promised no more than it gets', async () => {
  const { baseUrl, tokens } = profile
  const thin = write('thin.json', { baseUrl, tokens: { administrator: tokens.administrator } })
  const { out } = await run('check', '--profile', thin, '--plan')
  expect(out).toContain('It sends at most about ')
  expect(out).toMatch(/^The profile has no tokens\.password, .*: checks that need one of .* skipped\.$/m)
})

test.each([
  ['updateUser', 'creates only one user, which stays', /disabled users|disables the users/],
  ['deleteCustomField', 'creates only one custom field, which stays', /deletes (its custom|the) fields/],
  ['createUser', 'deletes its custom fields', /disabled users|disables the users/],
])('the plan promises no clean-up by a tracker that lacks %s', async (lacked, told, untrue) => {
  const file = write('keeping.json', { ...profile, notImplemented: [lacked] })
  const { out } = await run('check', '--profile', file, '--safety', 'write', '--plan')
  expect(out).toContain('It sends at most about ')
  expect(out).toContain(`The profile says that the tracker lacks ${lacked}: the run leaves them out`)
  expect(out).toContain(told)
  expect(out).not.toMatch(untrue)
})

describe.each(['learn', 'diff'])('%s tells before its first request', (command) => {
  test.runIf(isLong)('how many users a whole run leaves', async () => {
    const before = disabled()
    const { err } = await run(command, '--profile', profileFile, '--safety', 'write', '--seed', '3')
    near(numberIn(err, /leaves about (\d+) disabled users/), disabled() - before)
  })

  test.each([
    ['write', /^At most 30 requests and then the clean-up, as fast .*; leaves about \d+ disabled users/m],
    ['read', /^At most 30 requests and then the clean-up, as fast as .* sets a limit\)$/m],
  ])('what it may do at the level %s', async (safety, told) => {
    const nowhere = write('nowhere.json', { ...profile, baseUrl: 'http://127.0.0.1:1/api/rest' })
    const flags = ['--profile', nowhere, '--safety', safety, '--max-requests', '30']
    const { code, err } = await run(command, ...flags)
    expect(code).toBe(3)
    expect(err).toMatch(told)
  })
})
