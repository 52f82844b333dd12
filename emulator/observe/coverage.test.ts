import { expect, test } from 'vitest'
import { clientOf } from '../../fixtures/client.js'
import { createTracker } from '../index.js'

async function used() {
  const tracker = await createTracker()
  const call = clientOf(tracker)
  await call('getUser', { path: { user_id: 'nina' } })
  await call('getUser', { path: { user_id: 'nobody' } })
  await call('getUser', { path: { user_id: 'nina' }, as: 'developer' })
  await call('listPlugins', { as: null })
  return tracker
}

test('counts operations, documented answers and roles, over a reset', async () => {
  const tracker = await used()
  await tracker.reset()
  const { operations, roles } = tracker.coverage()
  expect(operations).toHaveLength(26)
  expect(operations.find(({ id }) => id === 'getUser')).toEqual({
    id: 'getUser',
    calls: 3,
    statuses: { 200: 1, 400: 0, 401: 0, 403: 1, 404: 1 },
  })
  expect(operations.filter(({ calls }) => calls > 0).map(({ id }) => id)).toEqual(['getUser', 'listPlugins'])
  expect(roles.filter(({ calls }) => calls > 0)).toEqual([
    { name: 'anonymous', calls: 1 },
    { name: 'developer', calls: 1 },
    { name: 'administrator', calls: 2 },
  ])
})

test('a level between two roles counts as the lower one', async () => {
  const tracker = await createTracker({
    seed: { users: [{ username: 'odd', access_level: 60 }], tokens: [{ user_id: 'odd', secret: 'odd' }] },
  })
  await clientOf(tracker)('getAccountPage', { as: null, headers: { authorization: 'Bearer odd' } })
  expect(tracker.coverage().roles).toContainEqual({ name: 'developer', calls: 1 })
})
