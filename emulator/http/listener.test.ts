import type { IncomingMessage, RequestListener } from 'node:http'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createTracker } from '../index.js'

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

test('supertest asks it', async () => {
  const tracker = await createTracker()
  const agent = supertest(tracker.listener)
  const created = await agent
    .post('/api/rest/plugins/Ext/users')
    .set(bearer(tracker.tokens.administrator))
    .send({ username: 'otto' })
  expect(created.status).toBe(200)
  expect(tracker.db.users.find('username', 'otto')).toBeDefined()
  expect((await agent.get('/api/rest/plugins/Ext/me/account')).status).toBe(401)
  expect((await agent.get('/__tracker/health')).status).toBe(404)
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
  const account = await agent.get('/mock/plugins/Ext/me/account').set(bearer(tracker.tokens.reporter))
  expect(account.body.user.name).toBe('reporter')
  expect((await agent.get('/other')).status).toBe(204)
})
