/** What reads show otherwise than before, in words. */
import { describe, expect, test, vi } from 'vitest'
import type { Tracker } from '../../emulator/index.js'
import { reply } from '../../fixtures/faulty/behaviours.js'
import type { Behaviour } from '../../fixtures/faulty/call.js'
import { type Guarded, opener, TAG } from '../../fixtures/guarded.js'
import { beside, each, listing } from '../../fixtures/lying/answers.js'
import { changedOtherwise, lookAround } from './survey.js'

const opening = opener()

type Happens = (tracker: Tracker, target: Guarded) => unknown

/** What is told of what happens between the two readings. */
async function told(happens: Happens, lie?: Behaviour, known: readonly string[] = []) {
  const target = await opening(lie ? { lie } : {})
  await lookAround(target.client, target.profile)
  await happens(target.tracker, target)
  const lines = await changedOtherwise(target.client, target.profile, known)
  expect(target.changes.filter((one) => !/^POST \/(users|custom_fields\/create)$/.test(one))).toEqual([])
  return lines
}

const found = <T>(one: T | undefined): T => one ?? expect.unreachable()

describe('a foreign thing', () => {
  const plugin = ({ db }: Tracker) =>
    db.plugins.change(found(db.plugins.find('basename', 'Helpdesk')), { priority: 4 })
  const rename = (username: string) => (tracker: Tracker) =>
    tracker.db.users.change(found(tracker.db.users.find('username', username)), { realname: 'Nobody' })
  const setting = ({ db }: Tracker) =>
    db.userSettings.change(
      found(db.userSettings.rows.find((row) => row.user_id === 5 && row.option === 'refresh_delay')),
      { value: '20' },
    )
  const removed = ({ db }: Tracker) => db.customFields.remove(found(db.customFields.find('id', 3)))
  const added = ({ db }: Tracker) => db.customFields.create({ name: 'Colour' })
  const fields = 'the list of custom fields'
  type Row = [what: string, happens: (tracker: Tracker) => unknown, ...lines: string[]]
  const records = ['nina', 'administrator', 'reporter', 'password'].map(
    (name): Row => [
      `that is the record of ${name}`,
      rename(name),
      `^the (user|edit page of) ${name} .*Nobody`,
    ],
  )
  const ways = ['no longer shows', 'has come to show'].map((way) => `list of plugins \\(${way} .*Helpdesk`)
  test.each<Row>([
    ['that disappeared', removed, `${fields} \\(no longer shows .*Estimated hours`],
    ['that appeared', added, `${fields} \\(has come to show .*Colour`],
    ['that was changed', plugin, ...ways],
    ...records,
    ['that is a setting of a token', setting, 'settings page of tokens.restricted'],
  ])('%s is told', async (_, happens, ...lines) => {
    const wanted = lines.map((line) => expect.stringMatching(line))
    expect(await told(happens)).toEqual(expect.arrayContaining(wanted))
  })
})

describe('nothing is told', () => {
  test('of what the run has made, but for a field that is listed still', async () => {
    const lines = await told(async (_, target) => {
      await target.makeUser(`${TAG}xaab`)
      await target.makeField(`${TAG}xaac`)
    })
    const listed = /^custom field of the run \(listed after the clean-up: .*xaac/
    expect(lines).toEqual([expect.stringMatching(listed)])
  })

  test('where a list has another order', async () => {
    let count = 0
    const turning = listing((rows) => (++count % 2 === 0 ? rows.toReversed() : rows))
    expect(await told(() => undefined, each({ listCustomFields: turning }))).toEqual([])
  })

  test('of what differs from read to read', async () => {
    let count = 0
    const lie: Behaviour = each({
      getUser: beside(() => ({ request_id: `r${++count}`, links: [{ nonce: count }] })),
      getUserSettingsPage: beside(() => ({ form: { stamp: `s${++count}` } })),
    })
    expect(await told(() => undefined, lie)).toEqual([])
  })

  test('of a time near to now, in any form', async () => {
    const times = () => {
      const now = new Date()
      return [now.toISOString(), now.getTime(), Math.floor(now.getTime() / 1000), now.toUTCString()]
    }
    const lie: Behaviour = each({
      getUser: beside(() => ({ last_visit: times(), visits: times().map((at) => ({ at })) })),
      listPlugins: listing((rows) => rows.map((row) => ({ ...row, seen: times() }))),
    })
    try {
      const later = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 })
      expect(await told(later, lie)).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })
})

test('a time of long ago is a fact like any other', async () => {
  let year = 2011
  const lie = each({ getUser: beside(() => ({ member_since: `${year}-01-01T00:00:00Z` })) })
  const lines = await told(() => ++year, lie)
  expect(lines.join('\n')).toMatch(/no longer shows.*2011/)
})

test.each([
  [404, 'not any more'],
  [500, 'cannot be read now'],
])('a page that is answered %i afterwards is told', async (status, words) => {
  let isGone = false
  const lie: Behaviour = each({
    listPlugins: async (call) => (isGone ? reply(status, { message: 'Broken' }) : call.own()),
  })
  const lines = await told(() => {
    isGone = true
  }, lie)
  expect(lines).toEqual([`the list of plugins (shown before the run, and ${words})`])
})

test('what stands under the name of a secret is not kept', async () => {
  const account = { api_key: 'a0b1c2d3e4f5', smtp: { password: 'open' } }
  const lie = each({ getUser: beside(() => ({ account })) })
  const { client, profile, ledger } = await opening({ lie })
  await lookAround(client, profile)
  const kept = JSON.stringify(ledger.survey)
  expect(kept).toContain('account.api_key')
  expect(kept).not.toMatch(/a0b1c2d3e4f5|open"/)
})
