/** A `TextResponse` and a plain `Response` of the same answer, told apart by nothing that a client does. */
import { describe, expect, test } from 'vitest'
import type { HeaderList } from './message.js'
import { responseOf } from './respond.js'
import { fetchedOf, TextResponse } from './web.js'

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT = '{"name":"Zoë 🎉","n":[1,null]}'

/** One by each way in which a member is its own, or that of a plain `Response`. */
const readings: Record<string, (response: Response) => unknown> = {
  text: (r) => r.text(),
  json: (r) => r.json(),
  'another response of it': async (r) => {
    const other = new Response(r.body, r)
    return [other.status, other.statusText, [...other.headers], await other.text(), r.bodyUsed]
  },
  'headers changed, then its clone': (r) => {
    r.headers.append('set-cookie', 'c=3')
    const clone = r.clone()
    clone.headers.set('x-first', 'of the clone')
    return [[...r.headers], [...clone.headers], clone.status]
  },
  'itself and its clone': (r) => Promise.all([r.clone().text(), r.clone().json(), r.text()]),
  'text while the body is locked': (r) => [r.body?.getReader() !== null, r.text()][1],
  'the body after text': async (r) => {
    const used = [r.bodyUsed, await r.text(), r.bodyUsed]
    return [used, await r.body?.getReader().read()]
  },
  members: (r) => [r.status, r.statusText, r.ok, r.type, r.url, r.redirected, r.bodyUsed],
  kinds: (r) => [r instanceof Response, Object.keys(r), Object.prototype.toString.call(r), 'bytes' in r],
  'a member set by a wrapper': async (r) => {
    const read = r.json.bind(r)
    r.json = async () => ({ wrapped: await read() })
    return r.json()
  },
}

const outcome = async (read: (response: Response) => unknown, response: Response) => {
  try {
    return { value: await read(response) }
  } catch (error) {
    return { name: (error as Error).name, message: (error as Error).message }
  }
}

const answers = [['JSON', 200, JSON_TYPE, TEXT] as const, ['no JSON', 503, 'text/plain', 'sorry'] as const]
describe.each(answers)('%s', (_, status, type, body) => {
  const others = { 'content-type': type, 'x-first': '1' }
  const headers = (): HeaderList => [...Object.entries(others), ['set-cookie', 'a=1'], ['set-cookie', 'b=2']]
  test.each(Object.keys(readings))('%s', async (name) => {
    const read = readings[name] as (response: Response) => unknown
    const plain = await outcome(read, responseOf({ status, headers: headers(), body }))
    expect(await outcome(read, responseWith(status, headers(), body))).toEqual(plain)
  })
})

const responseWith = (status: number, headers: HeaderList, body: string) => {
  const response = fetchedOf({ status, headers, body })
  expect(response).toBeInstanceOf(TextResponse)
  return response
}

test('each member of a Response is its own, so that none looks for inner parts', () => {
  const names = Object.getOwnPropertyNames(Response.prototype)
  const response = responseWith(200, [], '')
  expect(names.filter((name) => !(name in response))).toEqual([])
  const own = [...Object.getOwnPropertyNames(TextResponse.prototype), ...Object.getOwnPropertyNames(response)]
  expect(names.filter((name) => !own.includes(name))).toEqual([])
})

test('whoever passes over its members is refused, and does not find an empty body', async () => {
  const response = responseWith(200, [], TEXT)
  await expect(async () => Response.prototype.text.call(response)).rejects.toThrow(TypeError)
  expect(() => Response.prototype.clone.call(response)).toThrow(TypeError)
})
