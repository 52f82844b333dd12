import { describe, expect, onTestFinished, test } from 'vitest'
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

describe('over HTTP', () => {
  const served = async () => {
    const tracker = await createTracker()
    await tracker.db.users.create({ username: 'anna' })
    const server = await tracker.listen()
    onTestFinished(() => server.close())
    const send = (baseUrl: string) => sender({ fetch, baseUrl, tokens: tracker.tokens })
    return {
      server,
      createOtto: (root: string) => send(root)('/users', { method: 'POST', body: '{"username":"otto"}' }),
      look: (root: string, username: string, headers = {}) => send(root)(`/users/${username}`, { headers }),
    }
  }

  test('path and header lead to the same tracker, which no other sees and the list names', async () => {
    const { server, createOtto, look } = await served()
    const one = `${server.origin}/i/one/api/rest`
    await createOtto(one)
    const named = (name: string) => look(server.url, 'otto', { 'x-tracker-instance': name })
    const found = [look(one, 'otto'), named('one'), named('two'), look(server.url, 'otto'), named('a b')]
    expect((await Promise.all(found)).map(({ status }) => status)).toEqual([200, 200, 404, 404, 400])
    expect((await look(one, 'anna')).status).toBe(200)
    const list = async (method: string) =>
      (await fetch(`${server.origin}/__tracker/instances`, { method })).json()
    expect(await list('GET')).toEqual({ limit: 100, names: ['two', 'one'] })
    expect(await list('DELETE')).toEqual({ limit: 100, names: [] })
  })

  test('each has a control plane of its own', async () => {
    const { server, createOtto, look } = await served()
    const one = `${server.origin}/i/one`
    await createOtto(`${one}/api/rest`)
    await createOtto(server.url)
    const profile = await (await fetch(`${one}/__tracker/profile`)).json()
    expect(profile).toMatchObject({ baseUrl: `${one}/api/rest` })
    await fetch(`${one}/__tracker/reset`, { method: 'POST' })
    expect((await look(`${one}/api/rest`, 'otto')).status).toBe(404)
    expect((await look(server.url, 'otto')).status).toBe(200)
    const state = await (await fetch(`${server.origin}/__tracker/state`)).text()
    await fetch(`${one}/__tracker/state`, { method: 'PUT', body: state })
    expect((await look(`${one}/api/rest`, 'otto')).status).toBe(200)
  })
})
