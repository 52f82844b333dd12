import { expect, onTestFinished, test } from 'vitest'
import { sender } from '../../fixtures/client.js'
import { createTracker } from '../index.js'
import { addressOf, createInstances } from './instances.js'

test('the longest unused one makes room', async () => {
  const instances = createInstances(await createTracker())
  const one = instances.of('one')
  const two = instances.of('two')
  const others = Array.from({ length: instances.limit - 1 }, (_, number) => `other-${number}`)
  expect(instances.of('one')).toBe(one)
  for (const name of others) instances.of(name)
  expect(instances.names).toEqual(['one', ...others])
  expect(instances.of('two')).not.toBe(two)
  expect(instances.names).toEqual([...others, 'two'])
})

test.each([
  ['/api/rest/plugins', undefined, { name: null, path: '/api/rest/plugins' }],
  ['/api/rest/plugins', 'worker-1', { name: 'worker-1', path: '/api/rest/plugins' }],
  ['/i/worker_1/api/rest?x=/i/y', undefined, { name: 'worker_1', path: '/api/rest?x=/i/y' }],
  ['/i/a/api/rest', 'b', { name: 'a', path: '/api/rest' }],
  ['/i/a', undefined, { name: 'a', path: '/' }],
  ['/issues/i/a', undefined, { name: null, path: '/issues/i/a' }],
  ['/i//api/rest', undefined, null],
  ['/i/a%20b/api', undefined, null],
  ['/api/rest', '', null],
  ['/api/rest', 'x'.repeat(65), null],
])('an address: %s with the header %s', (path, header, expected) => {
  expect(addressOf(path, header)).toEqual(expected)
})

test('over HTTP, path and header lead to one tracker with its own control plane, which no other sees and the list names', async () => {
  const tracker = await createTracker()
  await tracker.db.users.create({ username: 'anna' })
  const server = await tracker.listen()
  onTestFinished(() => server.close())
  const send = (baseUrl: string) => sender({ fetch, baseUrl, tokens: tracker.tokens })
  const createOtto = (root: string) => send(root)('/users', { method: 'POST', body: '{"username":"otto"}' })
  const statusOf = async (root: string, username: string, headers = {}) =>
    (await send(root)(`/users/${username}`, { headers })).status
  const named = (name: string) => statusOf(server.url, 'otto', { 'x-tracker-instance': name })
  const control = (origin: string, path: string, init: RequestInit = {}) =>
    fetch(`${origin}/__tracker/${path}`, init)
  const one = `${server.origin}/i/one`
  const root = `${one}/api/rest`

  await createOtto(root)
  const found = [
    statusOf(root, 'otto'),
    named('one'),
    named('two'),
    statusOf(server.url, 'otto'),
    named('a b'),
  ]
  expect(await Promise.all(found)).toEqual([200, 200, 404, 404, 400])
  expect(await statusOf(root, 'anna')).toBe(200)
  await createOtto(server.url)
  expect(await (await control(one, 'profile')).json()).toMatchObject({ baseUrl: root })
  await control(one, 'reset', { method: 'POST' })
  expect([await statusOf(root, 'otto'), await statusOf(server.url, 'otto')]).toEqual([404, 200])
  await control(one, 'state', { method: 'PUT', body: await (await control(server.origin, 'state')).text() })
  expect(await statusOf(root, 'otto')).toBe(200)
  const list = async (method: string) => (await control(server.origin, 'instances', { method })).json()
  expect(await list('GET')).toEqual({ limit: 100, names: ['two', 'one'] })
  expect(await list('DELETE')).toEqual({ limit: 100, names: [] })
})
