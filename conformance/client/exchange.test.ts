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
