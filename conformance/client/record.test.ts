import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listening } from '../../fixtures/listening.js'
import { readHar } from './har-read.js'
import { type Fetch, type Recorded, record } from './record.js'

const tokens = { administrator: 'Qx7kLm2Pz9vTr4Wn8Ys3Bd6F' }
const authorization = `Bearer ${tokens.administrator}`
const json = { authorization, 'content-type': 'application/json' }

/** Answers with what it was sent, unless a test says otherwise. */
const echo = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ body }))
let answer: (response: ServerResponse, body: string, request: IncomingMessage) => void
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  answer(response, body, request)
})
let origin: string
let close: () => Promise<void>
let recorded: Recorded
const users = () => `${origin}/api/rest/plugins/Ext/users`

beforeAll(async () => {
  ;({ origin, close } = await listening(server))
})
afterAll(() => close())
beforeEach(() => {
  answer = echo
  recorded = record(fetch, { profile: { baseUrl: `${origin}/api/rest`, tokens } })
})

describe('the caller', () => {
  const body = '{"username":"otto"}'
  const stream = () => new Blob([body]).stream()
  const streamed = () => ({ method: 'POST', headers: json, body: stream(), duplex: 'half' })
  const forms: Record<string, () => Parameters<Fetch>> = {
    'a URL and options': () => [users(), { method: 'POST', headers: json, body }],
    'an URL object and bytes': () => [
      new URL(users()),
      { method: 'post', headers: Object.entries(json), body: new TextEncoder().encode(body) },
    ],
    'a Request': () => [new Request(users(), { method: 'POST', headers: json, body })],
    'a Request with a stream': () => [new Request(users(), streamed())],
  }

  test.each(Object.entries(forms))('may give %s', async (_, given) => {
    const response = await recorded(...given())
    expect(await response.json()).toEqual({ body })
    expect(recorded.exchanges).toEqual([
      {
        ...{ n: 1, caller: 'administrator', method: 'POST', path: '/api/rest/plugins/Ext/users', query: '' },
        ...{ headers: {}, body, status: 200, text: JSON.stringify({ body }) },
        responseHeaders: expect.objectContaining({ 'content-type': 'application/json' }),
        ...{ startedAt: expect.any(Number), endedAt: expect.any(Number) },
      },
    ])
  })

  test('may give a stream, which is sent and not kept', async () => {
    const response = await recorded(users(), streamed())
    expect(await response.json()).toEqual({ body })
    expect(recorded.exchanges).toMatchObject([{ body: null, lost: ['body'] }])
  })
})

describe('a request without a whole answer', () => {
  test('has the status 0 where it was aborted, and the caller learns it', async () => {
    const controller = new AbortController()
    answer = () => controller.abort()
    const asked = recorded(users(), { method: 'POST', headers: json, body: '{}', signal: controller.signal })
    await expect(asked).rejects.toThrow('aborted')
    expect(recorded.exchanges).toMatchObject([{ status: 0, body: '{}', text: '' }])
  })

  test('has lost its text where it was aborted in the middle', async () => {
    const controller = new AbortController()
    recorded = record((...given) => fetch(...given).finally(() => controller.abort()))
    answer = (response) => response.writeHead(200, { 'content-length': '100' }).write('{"user"')
    const response = await recorded(users(), { method: 'POST', body: '{}', signal: controller.signal })
    await expect(response.text()).rejects.toThrow('aborted')
    expect(recorded.exchanges).toMatchObject([{ status: 200, text: '', lost: ['text'] }])
  })
})

test('only operations of the tracker are kept', async () => {
  for (const url of [`${origin}/other/plugins/Ext/me/account`, `${users()}/1/no/operation`])
    await recorded(url, { headers: json })
  expect(recorded.exchanges).toEqual([])
  const free = record(fetch)
  for (const root of ['/one', '/two', '/one'])
    await free(`${origin}${root}/plugins/Ext/me/account`, { headers: json })
  expect(free.exchanges.map(({ path }) => path)).toEqual(Array(2).fill('/one/plugins/Ext/me/account'))
})

test('no secret is kept, though it was answered before it was used', async () => {
  answer = (response) => response.end(JSON.stringify({ value: 'one-of-somebody', told: authorization }))
  const account = `${origin}/api/rest/plugins/Ext/me/account`
  await recorded(account, { headers: json })
  await recorded(account, { headers: { authorization: 'Bearer one-of-somebody' } })
  const kept = JSON.stringify([recorded.exchanges, recorded.har()])
  expect(kept).not.toMatch(/one-of|Qx7k/)
  expect(recorded.exchanges[0]?.text).toBe('{"value":"SECRET.1","told":"Bearer SECRET.token.administrator"}')
})

test('the HAR has the same exchanges', async () => {
  await recorded(users(), { method: 'POST', headers: json, body: '{}' })
  expect(readHar(JSON.parse(JSON.stringify(recorded.har()))).exchanges).toEqual(recorded.exchanges)
})
