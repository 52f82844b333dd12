import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type Call, clientOf } from '../../fixtures/client.js'
import { serve, serveEach, server, tracker } from '../../fixtures/each.js'
import type { Tracker } from '../index.js'
import { curlOf } from './client/curl.js'
import type { ShownCall } from './routes.js'
import type { RunSuite, SuiteResult } from './suite.js'

serveEach()

const at = (path: string) => `${server.origin}/__tracker/${path}`
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
async function ask(path: string, method = 'GET', body?: unknown): Promise<{ status: number; json: any }> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(at(path), { method, ...sent })
  return { status: response.status, json: await response.json() }
}

const send = (...[id, options]: Parameters<Call>) =>
  clientOf({ ...{ fetch, ext: 'Ext' }, baseUrl: server.url, tokens: tracker.tokens })(id, options)
const createUser = (username: unknown) => send('createUser', { body: { username } })

test('the overview has no secret', async () => {
  const { json } = await ask('inspector/overview')
  expect(json).toMatchObject({ baseUrl: server.url, root: '/api/rest', ext: 'Ext', suite: false })
  for (const secret of Object.values(tracker.tokens)) expect(JSON.stringify(json)).not.toContain(secret)
})

test('the state takes a change of a row without its password, and refuses what would be wrong', async () => {
  const put = (row: object) => ask('inspector/row', 'POST', row)
  const key = JSON.stringify([10])
  const { password, ...shown } = tracker.db.users.find('id', 10) ?? expect.fail()
  const cells = { ...shown, password: '***', realname: 'Nina' }
  expect((await put({ collection: 'users', key, cells })).status).toBe(200)
  expect(tracker.db.users.find('id', 10)).toMatchObject({ realname: 'Nina', password })
  const before = tracker.snapshot()
  for (const wrong of [
    { collection: 'users', key, cells: { ...cells, enabled: 'perhaps' } },
    { collection: 'memberships', key: null, cells: { user_id: 4711, project_id: 1, access_level: 10 } },
  ]) {
    const { status, json } = await put(wrong)
    expect({ status, message: json.message }).toEqual({ status: 400, message: expect.any(String) })
  }
  expect(tracker.diff(before)).toEqual({})
})

test('the state has neither passwords nor tokens, before or after', async () => {
  const body = { password_current: 'Sunny-Day-2024', password: 'Bright-Copper-7' }
  const secrets = [tracker.tokens, body].flatMap((some) => Object.values(some))
  await send('changeOwnPassword', { as: 'password', body })
  const { json } = await ask('inspector/state')
  const masked = { password: '***' }
  expect(json.users[8]).toMatchObject({ change: 'changed', cells: masked, before: masked })
  for (const secret of secrets) expect(JSON.stringify(json)).not.toContain(secret)
})

/** The events as they come: name and data. */
async function* events() {
  const response = await fetch(at('events'))
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      yield { name, data: JSON.parse(data) }
    }
  }
}

test('the events begin with the journal, and go on with each call and each change', async () => {
  await createUser('otto')
  const stream = events()
  const next = async () => (await stream.next()).value
  expect(await next()).toMatchObject({ name: 'journal', data: [{ sequence: 1, violations: [] }] })
  await createUser(7)
  expect(await next()).toMatchObject({
    name: 'call',
    data: { sequence: 2, violations: [{ kind: 'type', field: 'username' }] },
  })
  tracker.clock.advance('1h')
  expect(await next()).toEqual({ name: 'changed', data: 'clock' })
  await stream.return()
})

test('the events are taken from a client that does not read them', async () => {
  const asked = request(at('events')).end()
  const [response] = await once(asked, 'response')
  const body = { username: 'otto', avatar: 'x'.repeat(900_000) }
  for (let sent = 0; sent < 60; sent++) await send('createUser', { as: 'reporter', body })
  await expect(text(response)).rejects.toThrow('aborted')
})

const others = ['', '../routes.js', '..%2froutes.js', 'package.json', 'client.test.js']
test.each(others)('no file but the assets of the page is served: assets/%s', async (name) => {
  expect((await fetch(at(`assets/${name}`))).status).toBe(404)
})

const result: SuiteResult = { verdict: 'conforms', sentence: 'conforms', html: '<h1>Report</h1>' }
const starting = async (runSuite: RunSuite) => {
  await server.close()
  await serve({ runSuite })
}

const ended = (expected: object) =>
  expect.poll(async () => (await ask('suite')).json).toMatchObject({ running: false, ...expected })

test('the suite is not there unless brought along; runs on a copy, tells how far it is, and leaves a report', async () => {
  expect(await ask('suite')).toMatchObject({ status: 404 })
  const finished = new AbortController()
  const seen: Tracker[] = []
  await starting(async (copy, { onProgress }) => {
    seen.push(copy)
    onProgress({ done: 1, total: 2, story: 'reads' })
    await once(finished.signal, 'abort')
    return result
  })
  expect(await ask('suite')).toMatchObject({ json: { running: false, last: null } })
  expect((await fetch(at('suite/report.html'))).status).toBe(404)
  const json = { running: true, progress: { done: 1, total: 2 } }
  expect(await ask('suite', 'POST')).toMatchObject({ status: 202, json })
  expect(await ask('suite', 'POST')).toMatchObject({ status: 409 })
  finished.abort()
  await ended({ last: { verdict: 'conforms', at: expect.any(String) } })
  expect(await (await fetch(at('suite/report.html'))).text()).toBe(result.html)
  expect([seen.length, seen.includes(tracker)]).toEqual([1, false])
})

test('the suite is stopped at a click', async () => {
  await starting(async (_, { signal }) => {
    await once(signal, 'abort')
    throw new Error('it was stopped')
  })
  await ask('suite', 'POST')
  await ask('suite', 'DELETE')
  await ended({ trouble: 'it was stopped' })
})

test('a call for the shell has the address of the page, a variable for the token, and quotes that hold', () => {
  const overview = { baseUrl: 'http://127.0.0.1:8787/i/one/api/rest', root: '/api/rest' }
  const body = { username: "o'tto", password: '***' }
  const call = { method: 'POST', path: '/api/rest/plugins/Ext/users?x=1', body, violations: [] }
  const token = '-H "Authorization: Bearer $TRACKER_TOKEN" -H \'Content-Type: application/json\''
  const data = `--data-raw '{"username":"o'\\''tto","password":"***"}'`
  const url = "'http://127.0.0.1:8787/i/one/api/rest/plugins/Ext/users?x=1'"
  expect(curlOf(call as unknown as ShownCall, overview)).toBe(`curl -i -X POST ${token} ${data} ${url}`)
})
