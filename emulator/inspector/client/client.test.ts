import { expect, test } from 'vitest'
import type { ShownCall } from '../routes.js'
import { curlOf } from './curl.js'

const overview = { baseUrl: 'http://127.0.0.1:8787/i/one/api/rest', root: '/api/rest' }
const call = {
  method: 'POST',
  path: '/api/rest/plugins/Ext/users?x=1',
  body: { username: "o'tto", password: '***' },
  violations: [],
} as unknown as ShownCall

const url = "'http://127.0.0.1:8787/i/one/api/rest/plugins/Ext/users?x=1'"

test('a call for the shell has the address of the page, a variable for the token, and quotes that hold', () => {
  const token = '-H "Authorization: Bearer $TRACKER_TOKEN" -H \'Content-Type: application/json\''
  const data = `--data-raw '{"username":"o'\\''tto","password":"***"}'`
  expect(curlOf(call, overview)).toBe(`curl -i -X POST ${token} ${data} ${url}`)
})

test('a call that had no credentials has none for the shell', () => {
  const violations = [{ kind: 'credentials', message: 'The Authorization header is missing' }]
  const bare = { ...call, method: 'GET', body: null, violations } as unknown as ShownCall
  expect(curlOf(bare, overview)).toBe(`curl -i -X GET ${url}`)
})
