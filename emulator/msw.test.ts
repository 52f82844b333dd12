import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { createTracker } from './index.js'
import { handlers } from './msw.js'

async function served() {
  const tracker = await createTracker({ now: 0 })
  const elsewhere = http.get('http://tracker.test/other', () => HttpResponse.json('somebody else'))
  const server = setupServer(...handlers(tracker), elsewhere)
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  return tracker
}

test('a client of another origin talks to the tracker, and to others about other things', async () => {
  const { tokens, baseUrl } = await served()
  const origin = 'http://app.test'
  const authorization = `Bearer ${tokens.administrator}`
  const headers = { origin, authorization, 'content-type': 'application/json' }
  const url = `${baseUrl}/plugins/Ext/users`
  const wanted = { origin, 'access-control-request-headers': 'authorization' }
  expect((await fetch(url, { method: 'OPTIONS', headers: wanted })).status).toBe(204)
  const created = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ username: 'otto' }) })
  expect(created.status).toBe(200)
  const read = await fetch(`${url}/otto?select=name`, { headers })
  const text = await read.text()
  expect(JSON.parse(text)).toEqual({ users: [{ name: 'otto' }] })
  expect(Object.fromEntries(read.headers)).toMatchObject({
    'content-length': String(text.length),
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': expect.stringContaining('x-mantis-username'),
  })
  expect(await (await fetch('http://tracker.test/other')).json()).toBe('somebody else')
})

test('faults are the same behind msw', async () => {
  const tracker = await served()
  const init = { headers: { authorization: `Bearer ${tracker.tokens.administrator}` } }
  const account = `${tracker.baseUrl}/plugins/Ext/me/account`
  tracker.faults.inject({ transport: 'drop', times: 1 })
  await expect(fetch(account, init)).rejects.toThrow(TypeError)
  tracker.faults.inject({ transport: 'truncate', times: 1 })
  const cut = await fetch(account, init)
  expect(cut.status).toBe(200)
  await expect(cut.json()).rejects.toThrow(TypeError)
  expect((await fetch(account, init)).status).toBe(200)
})
