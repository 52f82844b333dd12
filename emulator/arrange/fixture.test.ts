import { expect, test } from 'vitest'
import { sender } from '../../fixtures/client.js'
import { startEach, tracker } from '../../fixtures/each.js'
import { createTracker } from '../index.js'
import { fixtureOf, seedOf } from './fixture.js'

startEach()

const admin = async (method: string, path: string, body: unknown) => {
  const { status } = await sender(tracker)(path, {
    method,
    body: body === null ? null : JSON.stringify(body),
  })
  expect(status).toBe(200)
}

/** A tracker made from what the fixture says. */
async function again() {
  const [, text = ''] = /^const seed: \w+ = (.*?)^export/ms.exec(await fixtureOf(tracker.snapshot())) ?? []
  const seed = new Function(`return ${text}`)()
  return createTracker({ seed })
}

test('an untouched tracker differs in nothing', async () => {
  expect(await seedOf(tracker.snapshot())).toEqual({})
})

test('what was added and changed is there, and no more than it takes', async () => {
  await admin('POST', '/users', { username: 'otto', email: 'otto@example.org' })
  await admin('PATCH', '/users/nina', { realname: 'Nina "N" \\ Neumann' })
  await admin('POST', '/users/nina/projects', { project_ids: ['3'], access_level: 'reporter' })
  await admin('POST', '/plugin/Snippets/install', null)
  expect(await seedOf(tracker.snapshot())).toMatchObject({
    users: [
      { id: 10, realname: 'Nina "N" \\ Neumann' },
      { id: 13, username: 'otto' },
    ],
    memberships: [{ user_id: 10, project_id: 3 }],
    plugins: [{ basename: 'Snippets', installed: true, enabled: true }],
  })
  const { users = [] } = (await seedOf(tracker.snapshot())) as { users?: object[] }
  expect(Object.keys(users[0] ?? {})).toEqual(['id', 'realname'])
  expect(Object.keys(users[1] ?? {})).not.toContain('email')
  expect(tracker.diff(tracker.snapshot(), (await again()).snapshot())).toEqual({
    tokens: {
      added: ['token-of-nina', 'token-of-otto'].map((secret) => expect.objectContaining({ secret })),
      changed: [],
      removed: [],
    },
  })
})

test('where a record is gone it is the whole state', async () => {
  await admin('DELETE', '/custom_fields/12', null)
  const state = tracker.snapshot()
  expect(await seedOf(state)).toBe(state)
  expect((await again()).snapshot()).toEqual(state)
})

test('where two have exchanged their names it is the whole state', async () => {
  const { users } = tracker.db
  const [one, other] = [users.find('id', 5), users.find('id', 10)]
  if (!one || !other) throw new Error('There are no such users')
  await users.change(one, { username: other.username })
  await users.change(other, { username: one.username })
  expect(await seedOf(tracker.snapshot())).toHaveProperty('schema')
  expect(tracker.diff((await again()).snapshot())).toEqual({})
})
