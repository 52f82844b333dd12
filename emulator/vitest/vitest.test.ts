import { beforeEach, expect, test as plain } from 'vitest'
import { clientOf } from '../../fixtures/client.js'
import { createTracker, type Tracker } from '../index.js'
import { test, trackerTest } from './index.js'

test.for([1, 2])('the fixture gives a fresh tracker to each test: %i', async (_, { tracker }) => {
  expect(tracker).not.toHaveChanged()
  expect(tracker.journal).toEqual([])
  expect((await clientOf(tracker)('createUser', { body: { username: 'otto' } })).status).toBe(200)
})

const seeded = trackerTest({ seed: { users: [{ username: 'x' }] }, now: 0 })

seeded('the fixture takes the options of a tracker', ({ tracker }) => {
  expect(tracker.db.users.find('username', 'x')).toBeDefined()
  expect(tracker.clock.now().getTime()).toBe(0)
})

let tracker: Tracker
beforeEach(async () => {
  tracker = await createTracker()
  const call = clientOf(tracker)
  await call('createUser', { body: { username: 'otto', password: 'Hidden-Word-1' } })
  await call('updateUser', { path: { user_id: 'nina' }, body: { realname: 'N' } })
  await call('deleteHelpdeskRecipient', { path: { recipient_id: 4 } })
})

plain('toHaveChanged compares numbers, and parts of records, with the start or with a snapshot', async () => {
  expect(tracker).toHaveChanged()
  expect(tracker).toHaveChanged({ users: { added: 1, changed: 1 }, recipients: { removed: 1 } })
  expect(tracker).toHaveChanged({
    users: { added: [{ username: 'otto' }], changed: [{ username: 'nina', realname: 'N' }] },
    recipients: { removed: [{ name: 'Press' }] },
  })
  const since = tracker.snapshot()
  expect(tracker).toHaveChanged({}, since)
  await clientOf(tracker)('createUser', { body: { username: 'anna' } })
  expect(tracker).toHaveChanged({ users: { added: [{ username: 'anna' }] } }, since)
})

plain('toHaveChanged is exact: what is not mentioned has not changed', () => {
  const recipients = { removed: 1 }
  for (const expected of [
    {},
    { users: { added: 1, changed: 1 } },
    { users: { added: 1 }, recipients },
    { users: { added: 2, changed: 1 }, recipients },
    { users: { added: [{ username: 'anna' }], changed: 1 }, recipients },
    { users: { added: 1, changed: 1 }, recipients, plugins: { added: 1 } },
  ])
    expect(tracker).not.toHaveChanged(expected)
})

plain('toHaveChanged tells what was expected and what has changed, but no secret', () => {
  expect(() => expect(tracker).toHaveChanged({ users: { added: 2 } })).toThrow(
    'expected the tracker to have changed in {"users":{"added":2}}; it has changed in ' +
      'users: 1 added (otto), 1 changed (nina: realname "N"); recipients: 1 removed (Press)',
  )
  const added = [{ realname: 'Otto', password: 'Other-Word-1' }]
  const compare = () => expect(tracker).toHaveChanged({ users: { added } })
  expect(compare).toThrow('added (otto: realname "", password (not shown))')
  expect(compare).not.toThrow('Hidden')
})
