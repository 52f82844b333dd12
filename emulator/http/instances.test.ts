import { describe, expect, test } from 'vitest'
import { clientOf } from '../../fixtures/client.js'
import { createTracker } from '../index.js'
import { addressOf, createInstances } from './instances.js'

describe('instances', () => {
  test('are made on first use, and do not see each other', async () => {
    const origin = await createTracker()
    const instances = createInstances(origin)
    await clientOf(instances.of('one'))('createUser', { body: { username: 'otto' } })
    const path = { user_id: 'otto' }
    expect((await clientOf(instances.of('one'))('getUser', { path })).status).toBe(200)
    expect((await clientOf(instances.of('two'))('getUser', { path })).status).toBe(404)
    expect((await clientOf(origin)('getUser', { path })).status).toBe(404)
    expect(instances.names).toEqual(['one', 'two'])
  })

  test('start where the origin was when they were set up', async () => {
    const origin = await createTracker()
    await clientOf(origin)('createUser', { body: { username: 'otto' } })
    const instances = createInstances(origin)
    await clientOf(origin)('createUser', { body: { username: 'anna' } })
    const { db } = instances.of('one')
    expect(db.users.find('username', 'otto')).toBeDefined()
    expect(db.users.find('username', 'anna')).toBeUndefined()
  })

  test('the longest unused one makes room', async () => {
    const instances = createInstances(await createTracker(), { limit: 2 })
    const one = instances.of('one')
    const two = instances.of('two')
    expect(instances.of('one')).toBe(one)
    instances.of('three')
    expect(instances.names).toEqual(['one', 'three'])
    expect(instances.of('two')).not.toBe(two)
    expect(instances.names).toEqual(['three', 'two'])
  })

  test('are removed', async () => {
    const instances = createInstances(await createTracker())
    const one = instances.of('one')
    expect([instances.remove('one'), instances.remove('one')]).toEqual([true, false])
    expect(instances.of('one')).not.toBe(one)
    instances.clear()
    expect(instances.names).toEqual([])
  })

  test('have a limit that makes sense', async () => {
    const tracker = await createTracker()
    expect(() => createInstances(tracker, { limit: 0 })).toThrow('a whole number from 1 on, not 0')
  })
})

describe('an address', () => {
  test.each([
    ['/api/rest/plugins', null, { name: null, path: '/api/rest/plugins' }],
    ['/api/rest/plugins', 'worker-1', { name: 'worker-1', path: '/api/rest/plugins' }],
    ['/i/worker_1/api/rest?x=/i/y', null, { name: 'worker_1', path: '/api/rest?x=/i/y' }],
    ['/i/a/api/rest', 'b', { name: 'a', path: '/api/rest' }],
    ['/i/a', null, { name: 'a', path: '/' }],
    ['/issues/i/a', null, { name: null, path: '/issues/i/a' }],
  ])('%s with the header %s', (path, header, expected) => {
    expect(addressOf(path, header)).toEqual(expected)
  })

  test.each([
    ['/i//api/rest', null],
    ['/i/a%20b/api', null],
    ['/api/rest', ''],
    ['/api/rest', 'x'.repeat(65)],
  ])('%s with the header %s is none', (path, header) => {
    expect(() => addressOf(path, header)).toThrow('An instance has a name of 1 to 64')
  })
})
