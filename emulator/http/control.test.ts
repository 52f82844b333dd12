import { once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { profileSchema } from '../../conformance/contract/index.js'
import { createTracker, type Tracker, type TrackerServer } from '../index.js'
import { createControl } from './control.js'
import { controlRoutes } from './control-routes.js'
import { createInstances } from './instances.js'
import { listen } from './listen.js'

let tracker: Tracker
let server: TrackerServer

beforeEach(async () => {
  tracker = await createTracker({ now: '2025-06-01T12:00:00Z' })
  server = await listen(tracker)
})
afterEach(() => server.close())

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly json: any
}

/** By node's own client, since fetch sets the Host itself. */
async function ask(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<Answer> {
  const asked = request(`${server.origin}/__tracker${path}`, { method, headers })
  asked.end(body)
  const [response] = await once(asked, 'response')
  const content = await text(response)
  return {
    status: response.statusCode,
    headers: response.headers,
    text: content,
    get json() {
      return JSON.parse(content)
    },
  }
}

const put = (state: unknown) => ask('PUT', '/state', { body: JSON.stringify(state) })
const usernames = () => tracker.db.users.rows.map(({ username }) => username)

async function createUser(username: string, email?: string) {
  const response = await fetch(`${server.url}/plugins/Ext/users`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tracker.tokens.administrator}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ username, email }),
  })
  expect(response.status).toBe(200)
}

test('health says what is running', async () => {
  const { status, json } = await ask('GET', '/health')
  expect(status).toBe(200)
  expect(json).toMatchObject({ status: 'ok', baseUrl: server.url, ext: 'Ext', vary: null })
})

test('the profile is one of this server', async () => {
  const { json } = await ask('GET', '/profile')
  expect(profileSchema.parse(json)).toEqual(tracker.profileFor(server.url))
  expect(json.baseUrl).toBe(server.url)
})

test('the profile has the address by which it was asked for, such as that of a published port', async () => {
  const { json } = await ask('GET', '/profile', { headers: { host: '192.0.2.7:18787' } })
  expect(json.baseUrl).toBe('http://192.0.2.7:18787/api/rest')
})

test('each route is there once, and has its words in the reference', () => {
  const names = controlRoutes.map(({ route }) => route)
  expect(new Set(names).size).toBe(names.length)
  expect(controlRoutes.filter(({ meaning }) => !meaning)).toEqual([])
})

test('the journal is that of the tracker', async () => {
  await createUser('otto')
  const { json } = await ask('GET', '/journal')
  expect(json).toEqual(JSON.parse(JSON.stringify(tracker.journal)))
  expect(json).toMatchObject([{ operation: 'createUser', response: { status: 200 } }])
})

test('reset goes back to the start', async () => {
  const before = usernames()
  await createUser('otto')
  expect(await ask('POST', '/reset')).toMatchObject({ status: 200, json: { status: 'ok' } })
  expect(usernames()).toEqual(before)
  expect(tracker.journal).toHaveLength(0)
})

test('the OpenAPI document is about this server', async () => {
  const { json } = await ask('GET', '/openapi.json')
  expect(json).toMatchObject({ openapi: '3.1.0', servers: [{ url: `${server.url}/plugins/Ext` }] })
})

test('what the tracker saw of its client is there', async () => {
  await createUser('otto', 'otto@example.org')
  await fetch(`${server.url}/plugins/Ext/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tracker.tokens.administrator}` },
    body: JSON.stringify({ username: 7 }),
  })
  expect((await ask('GET', '/outbox')).json).toMatchObject([
    { kind: 'registration', user: { username: 'otto' } },
  ])
  expect((await ask('GET', '/violations')).json).toEqual(JSON.parse(JSON.stringify(tracker.violations)))
  expect(tracker.violations).not.toHaveLength(0)
  expect((await ask('GET', '/coverage')).json).toEqual(JSON.parse(JSON.stringify(tracker.coverage())))
  expect((await ask('GET', '/decisions')).json).toEqual(tracker.decisions)
})

describe('decisions', () => {
  const decide = (input: unknown) => ask('PATCH', '/decisions', { body: JSON.stringify(input) })

  test('are changed one by one', async () => {
    const before = tracker.decisions
    const { status, json } = await decide({ 'wrong-method': 'not-found' })
    expect(status).toBe(200)
    expect(json).toEqual({ ...before, 'wrong-method': 'not-found' })
    expect(tracker.decisions['wrong-method']).toBe('not-found')
  })

  test.each<[unknown, string]>([
    [{ 'wrong-metod': 'not-found' }, 'did you mean "wrong-method"?'],
    [{ 'wrong-method': 'teapot' }, 'must be one of'],
    [['wrong-method'], 'Decisions are an object'],
    [null, 'Decisions are an object'],
  ])('%j is refused, and changes nothing', async (input, message) => {
    const before = tracker.decisions
    const { status, json } = await decide(input)
    expect(status).toBe(400)
    expect(json.message).toContain(message)
    expect(tracker.decisions).toEqual(before)
  })
})

describe('the clock', () => {
  test('is moved on', async () => {
    const before = Date.parse(String((await ask('GET', '/clock')).json.now))
    const { status, json } = await ask('POST', '/clock', { body: JSON.stringify({ advance: '2h' }) })
    expect(status).toBe(200)
    expect(Date.parse(String(json.now)) - before).toBeGreaterThanOrEqual(2 * 3_600_000)
  })

  test.each([
    ['{"advance":"soon"}', '"soon" is no duration'],
    ['{"to":1}', 'The clock takes { "advance": "2h" }'],
    ['{', 'The body is not JSON'],
  ])('stays as it is after %s', async (body, message) => {
    const before = tracker.clock.now()
    const { status, json } = await ask('POST', '/clock', { body })
    expect(status).toBe(400)
    expect(json.message).toContain(message)
    expect(tracker.clock.now().getTime() - before.getTime()).toBeLessThan(3_600_000)
  })
})

describe('the state', () => {
  test('is saved and put back', async () => {
    await createUser('otto')
    const { json } = await ask('GET', '/state')
    expect(json).toEqual(tracker.snapshot())
    await tracker.reset()
    expect(await put(json)).toMatchObject({ status: 200, json: { status: 'ok' } })
    expect(tracker.snapshot()).toEqual(json)
  })

  test('may be larger than a request to the tracker', async () => {
    const state = tracker.snapshot()
    const users = state.users.map((user) => ({ ...user, avatar: 'x'.repeat(200_000) }))
    expect((await put({ ...state, users })).status).toBe(200)
    expect(tracker.db.users.rows[0]?.avatar).toHaveLength(200_000)
  })

  test.each<[string, () => string]>([
    ['is empty', () => ''],
    ['is no JSON', () => '{"schema":'],
    ['is no state', () => '[]'],
    ['has a user without a name', () => JSON.stringify(damaged((state) => delete state.users[0].username))],
    ['has a token of nobody', () => JSON.stringify(damaged((state) => state.users.shift()))],
    ['has a name twice', () => JSON.stringify(damaged((state) => state.users.push(state.users[0])))],
  ])('that %s is refused in one line and changes nothing', async (_, body) => {
    const before = tracker.snapshot()
    const { status, json } = await ask('PUT', '/state', { body: body() })
    expect(status).toBe(400)
    expect(json.message).toMatch(/^.+$/)
    expect(tracker.snapshot()).toEqual(before)
  })

  // biome-ignore lint/suspicious/noExplicitAny: what is damaged no longer has the type
  function damaged(damage: (state: any) => void) {
    const state = tracker.snapshot()
    damage(state)
    return state
  }
})

describe('faults', () => {
  const inject = (fault: unknown) => ask('POST', '/faults', { body: JSON.stringify(fault) })
  const account = () =>
    fetch(`${server.url}/plugins/Ext/me/account`, {
      headers: { authorization: `Bearer ${tracker.tokens.administrator}` },
    })

  test('are injected, listed and taken back', async () => {
    const fault = { operation: 'getAccountPage', status: 503, headers: { 'retry-after': '1' } }
    expect(await inject(fault)).toMatchObject({ status: 200, json: [{ ...fault, id: 1, hits: 0 }] })
    const response = await account()
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await ask('GET', '/faults')).json).toEqual([{ ...fault, id: 1, hits: 1 }])
    expect((await ask('DELETE', '/faults')).json).toEqual([])
    expect((await account()).status).toBe(200)
  })

  test('take all that can be said in JSON', async () => {
    const every = { phase: 'after', times: 2, probability: 1, seed: 7, delay: '0ms' }
    const when = { operation: 'getUser', path: { user_id: 'nina' }, body: { a: 1 }, caller: null }
    const faults = [
      { ...every, when, status: 500, body: { message: 'down' } },
      { nth: 3, transport: 'truncate', delay: 5 },
    ]
    for (const fault of faults) expect(await inject(fault)).toMatchObject({ status: 200 })
    expect((await ask('GET', '/faults')).json).toEqual(
      faults.map((fault, index) => ({ ...fault, id: index + 1, hits: 0 })),
    )
  })

  test('one is taken back, and the others stay', async () => {
    for (const status of [500, 503]) await inject({ status })
    expect((await ask('DELETE', '/faults/1')).json).toEqual([{ id: 2, status: 503, hits: 0 }])
    // It may have struck for the last time in the meantime.
    expect(await ask('DELETE', '/faults/1')).toMatchObject({ status: 200 })
    expect((await account()).status).toBe(503)
  })

  test.each<[unknown, RegExp]>([
    [null, /^fault: must be an object, not null/],
    [{ status: '503' }, /^fault: status: must be a number, not "503"/],
    [{ status: 503, time: 1 }, /^fault: no field is called "time"; did you mean "times"/],
    [{ status: 503, when: { user: 'x' } }, /^fault: when: no field is called "user"/],
    [{ operation: 'getUsr', status: 503 }, /did you mean "getUser"\?/],
    [{ status: 1000 }, /^fault: status: must be a status from 200 to 599, not 1000/],
    [{}, /it would do nothing/],
  ])('%j is refused: %s', async (fault, message) => {
    const { status, json } = await inject(fault)
    expect(status).toBe(400)
    expect(json.message).toMatch(message)
    expect(tracker.faults.active).toHaveLength(0)
  })
})

describe('the page', () => {
  test('is found with or without the slash', async () => {
    expect(await ask('GET', '')).toMatchObject({ status: 308, headers: { location: '/__tracker/' } })
    const { status, headers, text } = await ask('GET', '/')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(text).toContain(`<code>${server.url}</code>`)
  })

  test('names every part of the control plane, and each link leads to one', async () => {
    const { text } = await ask('GET', '/')
    const named = [...text.matchAll(/<tr><td>(?:<a href="([^"]+)">)?([^<]+)/g)]
    const [, parts = ''] = (await ask('GET', '/nothing')).json.message.split(' only ')
    expect([...new Set(named.map(([, , name]) => name))].sort()).toEqual(parts.split(', ').sort())
    for (const [, link] of named)
      if (link !== undefined) expect(await ask('HEAD', `/${link}`), link).toMatchObject({ status: 200 })
  })

  test('shows the extension as text', async () => {
    const ext = '<script>&"'
    const other = await listen(await createTracker({ ext }))
    const page = await (await fetch(`${other.origin}/__tracker/`)).text()
    await other.close()
    expect(page).not.toContain('<script>')
    expect(page).toContain('&#60;script&#62;&#38;&#34;')
  })
})

describe('what is not there', () => {
  test.each(['/nothing', '/toString', '/state/', '/health/x', '//state'])('%s is 404', async (path) => {
    expect(await ask('GET', path)).toMatchObject({ status: 404, json: { message: expect.any(String) } })
  })

  test.each([
    ['POST', '/', 'GET'],
    ['GET', '/reset', 'POST'],
    ['DELETE', '/state', 'GET, PUT'],
    ['OPTIONS', '/faults', 'GET, POST, DELETE'],
    ['PATCH', '/journal', 'GET'],
  ])('%s %s is 405', async (method, path, allow) => {
    const answer = await ask(method, path)
    expect(answer).toMatchObject({ status: 405, headers: { allow } })
    expect(answer.json.message).toBe(`/__tracker${path} takes ${allow}, not ${method}`)
  })

  test('HEAD is GET without the body', async () => {
    const { status, headers, text } = await ask('HEAD', '/health')
    expect([status, text]).toEqual([200, ''])
    expect(Number(headers['content-length'])).toBeGreaterThan(0)
  })

  test('a body of more than 1 MiB is refused where no state is meant', async () => {
    const body = 'x'.repeat(1024 * 1024 + 1)
    expect(await ask('POST', '/reset', { body })).toMatchObject({
      status: 413,
      json: { message: 'The body is too large' },
    })
  })
})

describe('who may', () => {
  test.each(['localhost', 'LOCALHOST:8787', '127.0.0.1', '127.0.0.1:8787', '192.0.2.7:80', '[::1]:80'])(
    'ask at %s',
    async (host) => {
      expect(await ask('GET', '/health', { headers: { host } })).toMatchObject({ status: 200 })
    },
  )

  test.each(['evil.test', 'evil.test:8787', 'localhost.evil.test', '127.0.0.1.evil.test', 'a b'])(
    'not ask at "%s", which may be the name of any page',
    async (host) => {
      const read = await ask('GET', '/state', { headers: { host } })
      expect(read.status).toBe(403)
      expect(read.json.message).toContain('answers at localhost')
      const changed = await ask('POST', '/reset', { headers: { host } })
      expect(changed.status).toBe(403)
    },
  )

  test('ask at the name that the server was given', async () => {
    const control = createControl(tracker, 'http://tracker.test:8787/api/rest', createInstances(tracker))
    const query = new URLSearchParams()
    const call = { method: 'GET', path: '/__tracker/health', query, body: new Uint8Array() }
    expect(await control({ ...call, headers: { host: 'Tracker.test:8787' } })).toMatchObject({ status: 200 })
    expect(await control({ ...call, headers: { host: 'other.test:8787' } })).toMatchObject({ status: 403 })
  })

  test.each<[string, OutgoingHttpHeaders]>([
    ['of another origin', { origin: 'http://evil.test' }],
    ['of another port', { origin: 'http://127.0.0.1:1' }],
    ['of no origin that it tells', { origin: 'null' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('not change anything from a page %s', async (_, headers) => {
    const before = tracker.snapshot()
    const calls: [string, string, string?][] = [
      ['POST', '/reset'],
      ['PUT', '/state', JSON.stringify({ ...before, recipients: [] })],
      ['POST', '/faults', '{"status":503}'],
      ['DELETE', '/faults'],
      ['PATCH', '/decisions', '{"wrong-method":"not-found"}'],
      ['POST', '/inspector/send', '{"as":"administrator","method":"GET","path":"/","body":null}'],
    ]
    for (const [method, path, body] of calls) {
      const { status, json } = await ask(method, path, { headers, ...(body === undefined ? {} : { body }) })
      expect([method, path, status]).toEqual([method, path, 403])
      expect(json.message).toContain('from its own page only')
    }
    expect(tracker.snapshot()).toEqual(before)
    expect(tracker.faults.active).toHaveLength(0)
    expect(tracker.decisions['wrong-method']).toBe('method-not-allowed')
    expect(tracker.journal).toHaveLength(0)
  })

  test('change things from its own page', async () => {
    const headers = { origin: server.origin, 'sec-fetch-site': 'same-origin' }
    expect(await ask('POST', '/reset', { headers })).toMatchObject({ status: 200 })
  })

  test('not read it into a page of another origin', async () => {
    const { headers } = await ask('GET', '/state', { headers: { origin: 'http://evil.test' } })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('the journal', () => {
  beforeEach(async () => {
    await createUser('otto')
    await createUser('ida')
    await fetch(`${server.url}/plugins/Ext/users`, { method: 'POST' })
  })
  const journal = async (query: string) => (await ask('GET', `/journal${query}`)).json

  test('gives the calls that are asked for', async () => {
    const sequences = async (query: string) => {
      const entries: { sequence: number }[] = await journal(query)
      return entries.map(({ sequence }) => sequence)
    }
    expect(await sequences('')).toEqual([1, 2, 3])
    expect(await sequences('?limit=2')).toEqual([2, 3])
    expect(await sequences('?status=200&operation=createUser')).toEqual([1, 2])
    expect(await sequences('?operation=getUser')).toEqual([])
    expect((await journal('?format=har&status=401')).log.entries).toMatchObject([{ _n: 3 }])
  })

  test.each([
    ['?limt=1', 'journal: no parameter is called "limt"; did you mean "limit"?'],
    ['?operation=getUsr', 'journal: no operation is called "getUsr"; did you mean "getUser"?'],
    ['?format=xml', 'journal: no format is called "xml"; there is json, har'],
    ['?limit=all', 'journal: limit: must be a number, not "all"'],
  ])('refuses %s', async (query, message) => {
    expect(await ask('GET', `/journal${query}`)).toMatchObject({ status: 400, json: { message } })
  })
})
