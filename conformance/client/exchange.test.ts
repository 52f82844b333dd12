import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listening } from '../../fixtures/listening.js'
import type { Exchange } from '../oracle/exchange.js'
import { createClient } from './client.js'
import { withoutSecrets } from './tracer.js'

const token = 'Qx7kLm2Pz9vTr4Wn8Ys3Bd6F'
const rows = Array.from({ length: 1500 }, (_, id) => ({ id, api_key: `hunter-${id}` }))
/** Tells all that it was sent, in a long body. */
const server = createServer(({ headers, url }, response) => {
  const { authorization = '' } = headers
  response.setHeader('x-api-key', 'hunter')
  response.setHeader('x-debug', Buffer.from(`${authorization} ${url}`).toString('base64'))
  const answer = { message: `You sent ${authorization}`, rows, option: 'smtp_password', value: 'hunter' }
  response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
let close: () => Promise<void>
let baseUrl: string
beforeAll(async () => {
  const listens = await listening(server)
  close = listens.close
  baseUrl = `${listens.origin}/api/rest`
})
afterAll(() => close())

function traced() {
  const trace: Exchange[] = []
  const onExchange = (exchange: Exchange) => void trace.push(exchange)
  const profile = { baseUrl, tokens: { administrator: token } }
  const client = createClient(profile, { safety: 'read', timeout: 5000, rate: 0, onExchange })
  onTestFinished(() => client.close())
  return { client, trace }
}

test('an exchange has no secret in it, whatever was sent and answered, and the answer has them all', async () => {
  const { client, trace } = traced()
  const swapped = token.toUpperCase()
  const altered = [`Bearer ${swapped}`, `Bearer ${token.slice(0, -1)}`, `bearer ${token}`, `Basic ${token}x`]
  for (const authorization of altered) {
    const call = { operation: 'getAccountPage' } as const
    const body = { username: 'otto', password: 'hunter', note: `of ${token}` }
    const answer = await client.send({ ...call, authorization, body })
    expect(answer.json).toMatchObject({ message: `You sent ${authorization}`, value: 'hunter' })
    const exchange = trace.at(-1)
    const shown = JSON.stringify(exchange)
    for (const secret of [token, swapped, token.slice(0, 8), swapped.slice(0, 8), 'hunter'])
      expect(shown).not.toContain(secret)
    expect(shown).not.toContain(Buffer.from(authorization).toString('base64').slice(10, 26))
    expect(JSON.parse(exchange?.body ?? '')).toEqual({
      username: 'otto',
      password: expect.stringMatching(/^SECRET\.\d+$/),
      note: 'of SECRET.token.administrator',
    })
  }
})

test('a body that is shorter than its length is no answer that never came', async () => {
  const short = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"user"', () => response.destroy())
  })
  const listens = await listening(short)
  const profile = { baseUrl: `${listens.origin}/api/rest`, tokens: { administrator: token } }
  const client = createClient(profile, { safety: 'read', timeout: 5000, rate: 0 })
  await expect(client.send({ operation: 'getAccountPage' })).rejects.toThrow(
    'the connection ended in the middle of the answer',
  )
  client.close()
  await listens.close()
})

test('what came to be known after an answer is not in its exchange either', async () => {
  const { client, trace } = traced()
  await client.send({ operation: 'getUser', path: { user_id: 'later-known-4711' } })
  client.redact.hide('later-known-4711')
  expect(JSON.stringify(withoutSecrets(trace, client.redact))).not.toContain('later-known')
})
