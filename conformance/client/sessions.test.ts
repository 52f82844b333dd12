/** Impersonations that change whom a token speaks for: left again, or told, and nothing is changed meanwhile. */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Behaviour } from '../../fixtures/faulty/call.js'
import { temporaryFolder } from '../../fixtures/folder.js'
import { disabled as disabledUser, type Guarded, type Guarding, opener, TAG } from '../../fixtures/guarded.js'
import { lyingTracker } from '../../fixtures/lying/index.js'
import type { LyingTracker } from '../../fixtures/lying/lying.js'
import { createClient } from './client.js'
import { replayLedger } from './ledger.js'
import { leftoversOf, sweep } from './sweep.js'

const directory = temporaryFolder()

const user = `${TAG}xaab`
const impersonate = (user_id = user) => ({ operation: 'impersonateUser', path: { user_id } }) as const
const disabled = disabledUser(user)

const open = opener({ safety: 'destructive', timeout: 1_500 })
const opening = (name: string, more: Guarding = {}) => open({ lie: lyingTracker(name), ...more })

/** Whom the administrator's token speaks for. */
async function speaksFor({ profile }: Guarded): Promise<unknown> {
  const headers = { authorization: `Bearer ${profile.tokens.administrator}` }
  const answer = await fetch(`${profile.baseUrl}/plugins/Ext/me/account`, { headers })
  return ((await answer.json()) as { user?: { name?: unknown } }).user?.name
}

describe.each(['impersonation-stays', 'impersonation-silent'])('%s', (name) => {
  test('is left by the sweep of another process too, which then disables', async () => {
    const file = join(directory, `${name}.jsonl`)
    const target = await opening(name, { file })
    await target.makeUser(user)
    await target.attempt(impersonate())
    expect(await speaksFor(target)).toBe(user)
    const ledger = replayLedger(file, target.profile.baseUrl)
    const client = createClient(target.profile, { safety: 'destructive', timeout: 1_500, rate: 0, ledger })
    onTestFinished(() => client.close())
    expect(leftoversOf([await sweep(client, target.profile, ledger)])).toEqual([disabled])
    expect(await speaksFor(target)).toBe('administrator')
    expect(ledger.open).toEqual([])
  })

  test.each(['nina', user])('changes nothing in the name of %s', async (user_id) => {
    const target = await opening(name)
    await target.makeUser(user)
    const { db } = target.tracker
    const kept = () =>
      [db.userSettings.rows, db.columnConfigurations.rows].map((rows) => rows.map((one) => ({ ...one })))
    const was = kept()
    await target.attempt(impersonate(user_id))
    expect(await speaksFor(target)).toBe(user_id)
    const configs = [{ option: 'redirect_delay', value: '17' }]
    const authorization = `bearer ${target.profile.tokens.administrator}`
    for (const more of [{}, { authorization }])
      await target.attempt({ operation: 'updateUserSettings', body: { configs }, ...more })
    const body = { project: { id: 2 }, type: 'view', columns: ['id'] }
    await target.attempt({ operation: 'manageColumns', body })
    expect(kept()).toEqual(was)
    expect(await target.sweep()).toContain(disabled)
    expect(await speaksFor(target)).toBe('administrator')
  })
})

test('a token that ended with the impersonation is told', async () => {
  const target = await opening('impersonation-ends-token')
  await target.makeUser(user)
  await target.attempt(impersonate())
  const left = await target.sweep()
  expect(left).toContainEqual(expect.stringMatching(/^tokens\.administrator \(speaks for another user/))
  expect(left).toContainEqual(expect.stringContaining(`user ${user} (`))
  expect(left).not.toContain(disabled)
  expect(target.ledger.open.map(({ kind }) => kind).toSorted()).toEqual(['session', 'user'])
})

const failing: Behaviour = async (call) => {
  const answer = await call.own()
  return call.operation === 'impersonateUser' ? new Response('', { status: 500 }) : answer
}

test.each<[what: string, lie: Behaviour | LyingTracker, status: number]>([
  ['of somebody else than the run’s own', lyingTracker('honest'), 200],
  ['that may have been started, though the answer does not say so,', failing, 500],
])('a session %s is told', async (_, lie, status) => {
  const target = await open({ lie })
  await target.makeUser(user)
  for (const user_id of ['nina', user]) expect(await target.attempt(impersonate(user_id))).toBe(status)
  const told = 'sessions of the users nina (started by impersonation; this interface ends none)'
  expect(await target.sweep()).toEqual([told, disabled])
})
