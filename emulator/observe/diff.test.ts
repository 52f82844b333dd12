import { describe, expect, test } from 'vitest'
import { clientOf } from '../../fixtures/client.js'
import { call, startEach, tracker } from '../../fixtures/each.js'
import type { Tracker } from '../index.js'

startEach()

test('a fork has the state and the time, but no journal and no faults, and a life of its own, to whose start it comes back', async () => {
  await call('createUser', { body: { username: 'otto' } })
  tracker.faults.inject({ status: 503 })
  tracker.clock.advance('1h')
  const fork = tracker.fork()
  const start = fork.snapshot()
  expect(start).toEqual(tracker.snapshot())
  expect(fork).toMatchObject({ tokens: tracker.tokens, baseUrl: tracker.baseUrl, journal: [] })
  expect(fork.faults.active).toEqual([])
  tracker.faults.clear()
  fork.clock.advance('1h')

  const inFork = clientOf(fork)
  await inFork('updateUser', { path: { user_id: 'otto' }, body: { realname: 'Otto', enabled: false } })
  await call('createUser', { body: { username: 'anna' } })
  expect(tracker.db.users.find('username', 'otto')?.realname).toBe('')
  expect(fork.db.users.find('username', 'anna')).toBeUndefined()
  expect((await inFork('createUser', { body: { username: 'anna' } })).json.user.id).toBe(14)
  const changed = [{ before: { realname: '', enabled: true }, fields: ['realname', 'enabled'] }]
  expect(fork.diff().users).toMatchObject({ added: [{ username: 'anna' }], removed: [], changed })
  await fork.reset()
  expect([fork.snapshot(), fork.clock.now()]).toEqual([start, tracker.clock.now()])
})

describe('a piece of work is whole', () => {
  test('what fails in the middle of an operation leaves nothing behind', async () => {
    const before = tracker.snapshot()
    tracker.db.notifications.hooks.on('create', () => {
      throw new Error('broken on purpose')
    })
    const body = { username: 'otto', email: 'o@example.org' }
    expect((await call('createUser', { body })).status).toBe(500)
    expect(tracker.diff(before)).toEqual({})
    expect(tracker.snapshot().lastIds).toEqual(before.lastIds)
    expect((await call('getUser', { path: { user_id: 'otto' } })).status).toBe(404)
    expect((await call('getUser', { path: { user_id: 'nina' } })).status).toBe(200)
  })

  test('a snapshot in the middle of an operation shows the state before it', async () => {
    const before = tracker.snapshot()
    let during = null as ReturnType<Tracker['snapshot']> | null
    let forked = null as Tracker | null
    tracker.db.notifications.hooks.on('create', () => {
      during = tracker.snapshot()
      forked = tracker.fork()
    })
    await call('createUser', { body: { username: 'otto', email: 'o@example.org' } })
    expect(during?.users).toEqual(before.users)
    expect(during?.lastIds).toEqual(before.lastIds)
    expect(forked?.db.users.count()).toBe(12)
    expect(tracker.snapshot().users).toHaveLength(13)
  })

  test("a snapshot is nobody else's", async () => {
    const saved = tracker.snapshot()
    Object.assign(saved.users[0] ?? {}, { username: 'changed' })
    Object.assign(saved.plugins[0]?.requires ?? {}, { Other: '1' })
    expect(tracker.snapshot().users[0]?.username).toBe('administrator')
    expect(tracker.snapshot().plugins[0]?.requires).toEqual({})
    await tracker.restore(saved)
    Object.assign(saved.users[0] ?? {}, { username: 'changed again' })
    expect(tracker.snapshot().users[0]?.username).toBe('changed')
  })

  test('what the tracker holds cannot be changed by mistake, however deep', () => {
    const [record] = tracker.db.columnConfigurations.rows
    expect(() => record?.columns.push('x')).toThrow(TypeError)
  })
})
