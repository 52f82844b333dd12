import supertest from 'supertest'
import { expect, test } from 'vitest'
import { profileSchema } from '../../conformance/contract/index.js'
import { sender } from '../../fixtures/client.js'
import { send, serve, serveEach, server, tracker } from '../../fixtures/each.js'
import { createTracker } from '../index.js'
import { createControl } from './control.js'
import { addressOf, createInstances } from './instances.js'

serveEach()

/** By a client that may set the Host. A body that is no text is sent as JSON. */
function ask(route: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = route.split(' ')
  const asked = supertest(`${server.origin}/__tracker`)[method.toLowerCase() as 'get'](path)
  return asked.set(headers).send(typeof body === 'string' ? body : JSON.stringify(body))
}

const post = (path: string, body: object) => send(path, { method: 'POST', body: JSON.stringify(body) })
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value))

test('what the tracker is, holds, and saw of its client can be read', async () => {
  await post('/users', { username: 'otto', email: 'otto@example.org' })
  await post('/users', { username: 7 })
  expect(tracker.violations).not.toHaveLength(0)
  expect(tracker.outbox).toMatchObject([{ kind: 'registration' }])
  const parts: [route: string, expected: unknown][] = [
    ['health', expect.objectContaining({ status: 'ok', baseUrl: server.url, ext: 'Ext', vary: null })],
    ['profile', tracker.profileFor(server.url)],
    ['journal', asJson(tracker.journal)],
    ['state', tracker.snapshot()],
    ['outbox', tracker.outbox],
    ['violations', asJson(tracker.violations)],
    ['coverage', asJson(tracker.coverage())],
    ['decisions', tracker.decisions],
    ['clock', { now: '2025-06-01T12:00:00.000Z' }],
    ['instances', { limit: 100, names: [] }],
    ['faults', []],
    ['openapi.json', expect.objectContaining({ servers: [{ url: `${server.url}/plugins/Ext` }] })],
  ]
  const answers = await Promise.all(parts.map(([path]) => ask(`GET /${path}`)))
  for (const [index, [path, expected]] of parts.entries()) {
    expect(answers[index]?.status, path).toBe(200)
    expect(answers[index]?.body, path).toEqual(expected)
  }
  expect(profileSchema.parse(answers[1]?.body).baseUrl).toBe(server.url)
})

test('the profile has the address by which it was asked for, such as that of a published port', async () => {
  const { body } = await ask('GET /profile', undefined, { host: '192.0.2.7:18787' })
  expect(body.baseUrl).toBe('http://192.0.2.7:18787/api/rest')
})

test('a state may be larger than a request to the tracker, and nothing else may', async () => {
  const state = tracker.snapshot()
  const users = state.users.map((user) => ({ ...user, avatar: 'x'.repeat(200_000) }))
  expect((await ask('PUT /state', { ...state, users })).status).toBe(200)
  expect(tracker.db.users.rows[0]?.avatar).toHaveLength(200_000)
  const refused = { status: 413, body: { message: 'The body is too large' } }
  expect(await ask('POST /reset', 'x'.repeat(1024 * 1024 + 1))).toMatchObject(refused)
})

test('decisions, the clock and faults are changed', async () => {
  const before = tracker.decisions
  const decided = { ...before, 'wrong-method': 'not-found' }
  expect((await ask('PATCH /decisions', { 'wrong-method': 'not-found' })).body).toEqual(decided)
  expect(tracker.decisions).toEqual(decided)
  expect((await ask('POST /clock', { advance: '2h' })).body).toEqual({ now: '2025-06-01T14:00:00.000Z' })

  const fault = { operation: 'getAccountPage', status: 503, headers: { 'retry-after': '1' } }
  expect((await ask('POST /faults', fault)).body).toEqual([{ ...fault, id: 1, hits: 0 }])
  const response = await send('/me/account')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  const other = { operation: 'getUser', delay: '1h' }
  await ask('POST /faults', other)
  const active = { ...other, id: 2, hits: 0 }
  expect((await ask('GET /faults')).body).toEqual([{ ...fault, id: 1, hits: 1 }, active])
  expect((await ask('DELETE /faults/1')).body).toEqual([active])
  // It may have struck for the last time in the meantime.
  expect(await ask('DELETE /faults/1')).toMatchObject({ status: 200 })
  expect((await ask('DELETE /faults')).body).toEqual([])
  expect((await send('/me/account')).status).toBe(200)
})

const damaged = () => ({ ...tracker.snapshot(), users: [{ ...tracker.db.users.rows[0], username: 7 }] })

test.each<[route: string, body: unknown, message: string | RegExp]>([
  ['PATCH /decisions', { 'wrong-metod': 'not-found' }, 'did you mean "wrong-method"?'],
  ['PUT /state', '', 'The body is not JSON'],
  ['PUT /state', damaged, 'users[0].username'],
  ['POST /faults', { status: 503, time: 1 }, 'fault: no field is called "time"; did you mean "times"'],
  ['GET /journal?limt=1', undefined, 'journal: no parameter is called "limt"; did you mean "limit"?'],
])('%s %j is refused in one line, and changes nothing', async (route, given, message) => {
  const before = [tracker.snapshot(), tracker.decisions, tracker.clock.now()]
  const { status, body } = await ask(route, typeof given === 'function' ? given() : given)
  expect(status).toBe(400)
  expect(body.message).toContain(message)
  expect(body.message).not.toContain('\n')
  expect([tracker.snapshot(), tracker.decisions, tracker.clock.now()]).toEqual(before)
  expect(tracker.faults.active).toEqual([])
})

test('the journal gives the calls that are asked for', async () => {
  await post('/users', { username: 'otto' })
  await post('/users', { username: 'ida' })
  await fetch(`${server.url}/plugins/Ext/users`, { method: 'POST' })
  const sequences = async (query: string) => {
    const entries: { sequence: number }[] = (await ask(`GET /journal${query}`)).body
    return entries.map(({ sequence }) => sequence)
  }
  expect(await sequences('?limit=1&caller=administrator')).toEqual([2])
  expect(await sequences('?status=200&operation=createUser')).toEqual([1, 2])
  expect((await ask('GET /journal?format=har&status=401')).body.log.entries).toMatchObject([
    { _n: 3, request: { url: `${server.url}/plugins/Ext/users` } },
  ])
})

test('the page is found with or without the slash', async () => {
  expect(await ask('GET')).toMatchObject({ status: 308, headers: { location: '/__tracker/' } })
  const { status, headers, text } = await ask('GET /')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(text).toContain('<div id="app"></div>')
})

test.each(['/nothing', '/toString', '/state/', '/health/x', '//state'])('%s is 404', async (path) => {
  expect(await ask(`GET ${path}`)).toMatchObject({ status: 404, body: { message: expect.any(String) } })
})

test('a method that a path does not take is 405', async () => {
  const body = { message: '/__tracker/state takes GET, PUT, not DELETE' }
  expect(await ask('DELETE /state')).toMatchObject({ status: 405, headers: { allow: 'GET, PUT' }, body })
})

const own = ['localhost', 'LOCALHOST:8787', '192.0.2.7:80', '[::1]:80']
test.each(own)('a client may ask at %s', async (host) => {
  expect(await ask('GET /health', undefined, { host })).toMatchObject({ status: 200 })
})

const foreign = ['evil.test', 'evil.test:8787', 'localhost.evil.test', '127.0.0.1.evil.test', 'a b']
test.each(foreign)('a client may not ask at "%s", which may be the name of any page', async (host) => {
  const refused = { status: 403, body: { message: expect.stringContaining('answers at localhost') } }
  for (const route of ['GET /state', 'POST /reset'])
    expect(await ask(route, undefined, { host })).toMatchObject(refused)
})

test('a client may ask at the name that the server was given', async () => {
  const control = createControl(tracker, 'http://tracker.test:8787/api/rest', createInstances(tracker))
  const query = new URLSearchParams()
  const call = { method: 'GET', path: '/__tracker/health', query, body: new Uint8Array() }
  expect(await control({ ...call, headers: { host: 'Tracker.test:8787' } })).toMatchObject({ status: 200 })
  expect(await control({ ...call, headers: { host: 'other.test:8787' } })).toMatchObject({ status: 403 })
})

test.each<Record<string, string>>([
  { origin: 'http://evil.test' },
  { origin: 'http://127.0.0.1:1' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
])('a client may not change anything from a page with %j', async (headers) => {
  const before = tracker.snapshot()
  const foreign = expect.stringContaining('from its own page only')
  const changes = ['POST /reset', 'POST /faults', 'DELETE /faults', 'PATCH /decisions', 'PUT /state']
  for (const route of [...changes, 'POST /inspector/replay']) {
    const { status, body } = await ask(route, {}, headers)
    expect({ route, status, body }).toMatchObject({ route, status: 403, body: { message: foreign } })
  }
  expect([tracker.snapshot(), tracker.faults.active, tracker.journal.length]).toEqual([before, [], 0])
})

test('a client may change things from its own page, and not read them into another one', async () => {
  const page = { origin: server.origin, 'sec-fetch-site': 'same-origin' }
  expect(await ask('POST /reset', undefined, page)).toMatchObject({ status: 200, body: { status: 'ok' } })
  const { headers } = await ask('GET /state', undefined, { origin: 'http://evil.test' })
  expect(headers['access-control-allow-origin']).toBeUndefined()
  const sealed = { 'cross-origin-resource-policy': 'same-origin', 'x-content-type-options': 'nosniff' }
  expect(headers).toMatchObject({ 'cache-control': 'no-store', ...sealed })
})

test('the longest unused instance makes room', async () => {
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
  ['/i/worker_1/api/rest?x=/i/y', undefined, { name: 'worker_1', path: '/api/rest?x=/i/y' }],
  ['/i/a/api/rest', 'b', { name: 'a', path: '/api/rest' }],
  ['/i/a', undefined, { name: 'a', path: '/' }],
  ['/issues/i/a', undefined, { name: null, path: '/issues/i/a' }],
  ['/i//api/rest', undefined, null],
  ['/api/rest', 'x'.repeat(65), null],
])('the address %s with the header %s names an instance or none', (path, header, expected) => {
  expect(addressOf(path, header)).toEqual(expected)
})

test('over HTTP, path and header lead to one tracker with its own control plane, which no other sees and the list names', async () => {
  await tracker.db.users.create({ username: 'anna' })
  await server.close()
  await serve()
  const at = (baseUrl: string) => sender({ fetch, baseUrl, tokens: tracker.tokens })
  const createOtto = (root: string) => at(root)('/users', { method: 'POST', body: '{"username":"otto"}' })
  const statusOf = async (root: string, username: string, headers = {}) =>
    (await at(root)(`/users/${username}`, { headers })).status
  const named = (name: string) => statusOf(server.url, 'otto', { 'x-tracker-instance': name })
  const control = (origin: string, path: string, init?: RequestInit) =>
    fetch(`${origin}/__tracker/${path}`, init)
  const one = `${server.origin}/i/one`
  const root = `${one}/api/rest`

  await createOtto(root)
  const byPath = [statusOf(root, 'otto'), statusOf(server.url, 'otto'), statusOf(root, 'anna')]
  expect(await Promise.all(byPath)).toEqual([200, 404, 200])
  expect(await Promise.all(['one', 'two', 'a b'].map(named))).toEqual([200, 404, 400])
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
