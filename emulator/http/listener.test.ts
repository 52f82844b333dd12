import type { IncomingMessage, RequestListener } from 'node:http'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createTracker } from '../index.js'

// The example of the documents asks more of it.
test('has no control plane', async () => {
  const { listener } = await createTracker()
  expect((await supertest(listener).get('/__tracker/health')).status).toBe(404)
})

test('below a path of a host like Express, that path is the REST root', async () => {
  const tracker = await createTracker()
  const host: RequestListener = (message: IncomingMessage & { baseUrl?: string }, response) => {
    if (!message.url?.startsWith('/mock/')) return void response.writeHead(204).end()
    message.baseUrl = '/mock'
    message.url = message.url.slice('/mock'.length)
    tracker.listener(message, response)
  }
  const agent = supertest(host)
  const headers = { Authorization: `Bearer ${tracker.tokens.reporter}` }
  const account = await agent.get('/mock/plugins/Ext/me/account').set(headers)
  expect(account.body.user.name).toBe('reporter')
  expect((await agent.get('/other')).status).toBe(204)
})
