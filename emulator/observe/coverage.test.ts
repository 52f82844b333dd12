import { expect, test } from 'vitest'
import { call, start, tracker } from '../../fixtures/each.js'

test('counts operations, documented answers and roles, over a reset, a level between two roles as the lower one', async () => {
  await start({ seed: { users: [{ username: 'odd', access_level: 60 }] } })
  await call('getUser', { path: { user_id: 'nina' } })
  await call('getUser', { path: { user_id: 'nobody' } })
  await call('getUser', { path: { user_id: 'nina' }, headers: { authorization: 'Bearer token-of-odd' } })
  await call('listPlugins', { as: null })
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
