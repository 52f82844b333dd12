import type { RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { answering } from '../../fixtures/answering.js'
import type { Exchange } from '../oracle/exchange.js'
import { type ClientOptions, createClient } from './client.js'

const tokens = { administrator: 'Qx7kLm2Pz9vTr4Wn8Ys3Bd6F', restricted: 'token-of-reporter' }
const profileAt = (origin: string) => ({
  ...{ baseUrl: `${origin}/api/rest`, tokens },
  passwordAccount: { current: 'Old-Copper-7', next: 'Bright-Copper-7' },
})

async function tracedOn(listener: RequestListener, more: Partial<ClientOptions> = {}) {
  const profile = profileAt(await answering(listener))
  const trace: Exchange[] = []
  const onExchange = (exchange: Exchange) => void trace.push(exchange)
  const client = createClient(profile, { safety: 'read', timeout: 2000, rate: 0, onExchange, ...more })
  onTestFinished(() => client.close())
  return { client, trace, profile }
}

const answer: RequestListener = ({ url, headers }, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'sid=hunter-22' })
  response.end(JSON.stringify({ url, told: headers.authorization, password: 'hunter-22' }))
}

test('an exchange says what was asked, by whom, and what came back, and no secret is in it', async () => {
  const { client, trace } = await tracedOn(answer)
  const body = { password: tokens.administrator, password_current: 'Old-Copper-7' }
  await client.send({
    ...{ operation: 'getUser', path: { user_id: 'a b' }, query: 'select=id&token=hunter-22' },
    ...{ as: 'restricted', headers: { 'X-Kit': 'of token-of-reporter' }, body },
  })
  const [exchange] = trace
  expect(exchange).toMatchObject({
    ...{ n: 1, caller: 'restricted', method: 'GET', path: '/api/rest/plugins/Ext/users/a%20b' },
    ...{ query: '?select=id&token=SECRET.1', headers: { 'x-kit': 'of SECRET.token.restricted' } },
    body: '{"password":"SECRET.token.administrator","password_current":"SECRET.account.current"}',
    ...{ status: 200, text: expect.stringContaining('"password":"SECRET.1"') },
    responseHeaders: { 'content-type': 'application/json', 'set-cookie': 'SECRET.2' },
  })
  expect(exchange?.startedAt).toBeLessThan(exchange?.endedAt ?? 0)
  expect(JSON.stringify(trace)).not.toMatch(/Qx7k|token-of|hunter|Copper/)
})

test('what every client sends is left out, and a body without its type is told', async () => {
  const { client, trace } = await tracedOn(answer)
  const operation = 'getAccountPage'
  await client.send({ operation, body: {}, headers: { 'User-Agent': 'kit' } })
  await client.send({ operation, body: {}, headers: { 'Content-Type': 'text/plain', Accept: 'text/html' } })
  await client.send({ operation, body: {}, headers: { 'Content-Type': null } })
  expect(trace.map(({ headers }) => headers)).toEqual([
    {},
    { 'content-type': 'text/plain', accept: 'text/html' },
    { 'content-type': '' },
  ])
})

const cutOff: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-length': '100' }).write('{"user"', () => response.destroy())
test.each<[string, RequestListener]>([
  ['without an answer', (_, response) => response.destroy()],
  ['in the middle of the answer', cutOff],
])('a request that ended %s has the status 0, and one that was withheld is none', async (ended, listener) => {
  const { client, trace } = await tracedOn(listener)
  await expect(client.send({ operation: 'getTokensPage' })).rejects.toThrow(ended)
  const withheld = client.send({ operation: 'getTokensPage', as: 'disabled' })
  await expect(withheld).rejects.toThrow('no tokens.disabled')
  const endedAt = expect.any(Number)
  expect(trace).toMatchObject([{ n: 1, status: 0, text: '', responseHeaders: {}, endedAt }])
})

test('each request that left is an exchange: those of the guard, and those that are sent again', async () => {
  let asked = 0
  const { client, trace } = await tracedOn((request, response) => {
    asked += 1
    if (asked === 1) response.writeHead(429, { 'retry-after': '0' }).end()
    else answer(request, response)
  })
  await client.send({ operation: 'listPlugins' })
  await expect(client.send({ operation: 'deleteCustomField', path: { field_id: 7 } })).rejects.toThrow()
  expect(trace.map(({ status }) => status).slice(0, 2)).toEqual([429, 200])
  expect(trace).toHaveLength(asked)
  expect(trace.map(({ n }) => n)).toEqual(trace.map((_, index) => index + 1))
})
