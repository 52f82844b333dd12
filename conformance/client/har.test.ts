import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../oracle/exchange.js'
import { toHar } from './har.js'
import { type HarOptions, readHar } from './har-read.js'

const baseUrl = 'https://tracker.example.org/api/rest'
const root = `${baseUrl}/plugins/Ext`
const administrator = 'Qx7kLm2Pz9vTr4Wn8Ys3Bd6F'
const profile = {
  ...{ baseUrl, tokens: { administrator } },
  passwordAccount: { current: 'Old-Copper-7', next: 'Bright-Copper-7' },
}

interface Given {
  readonly url?: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly request?: object
  readonly status?: number
  readonly response?: object
  readonly [member: string]: unknown
}

const pairs = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

/** As browsers write it, unless something else is given. */
function entry({ url = `${root}/me/account`, method = 'GET', headers = {}, ...given }: Given = {}) {
  const { request, status = 200, response, ...more } = given
  const isRead = method === 'GET'
  return {
    startedDateTime: '2026-11-24T10:00:00.000Z',
    time: 12.5,
    request: { method, url, headers: pairs(headers), bodySize: isRead ? 0 : -1, ...request },
    response: { status, headers: [], bodySize: 2, content: { size: 2, text: '{}' }, ...response },
    ...more,
  }
}

const har = (...entries: unknown[]) => ({ log: { version: '1.2', entries } })
const read = (entries: readonly unknown[], options?: HarOptions) => readHar(har(...entries), options)
const one = (given: Given, options?: HarOptions) => read([entry(given)], options).exchanges[0]

describe("the kit's own", () => {
  const text = fc.string({ maxLength: 20 }).filter((value) => !/secret/i.test(value))
  const headers = fc.dictionary(fc.constantFrom('x-kit', 'x-other'), fc.stringMatching(/^[a-z]{1,5}$/))
  const exchange = fc.record({
    caller: fc.constantFrom('administrator', 'none', 'stranger:an unknown token', 'session:1', 'unknown'),
    method: fc.constantFrom('GET', 'PATCH'),
    path: fc.constantFrom('/api/rest/plugins/Ext/users/a%20b', '/api/rest/plugins/Ext/users/7'),
    query: fc.constantFrom('', '?select=id', '?a=%zz&b'),
    ...{ headers, body: fc.option(text), status: fc.constantFrom(200, 400, 500) },
    ...{ responseHeaders: headers, text },
    startedAt: fc.integer({ min: 1_700_000_000_000_000, max: 1_800_000_000_000_000 }).map((us) => us / 1000),
    took: fc.integer({ max: 9_999_999, min: 0 }),
  })

  test('comes back as it was written', () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1 }), (all) => {
        const trace = all.map(({ took, startedAt, ...rest }, index): Exchange => {
          const endedAt = Math.round(startedAt * 1000 + took) / 1000
          return { n: index + 1, ...rest, startedAt: Math.round(startedAt * 1000) / 1000, endedAt }
        })
        const written = JSON.parse(JSON.stringify(toHar(trace, { baseUrl })))
        expect(readHar(written)).toEqual({ exchanges: trace, passed: [], baseUrl, hint: '' })
      }),
    )
  })

  const kept: Exchange = {
    ...{ n: 3, caller: 'none', method: 'POST', path: '/api/rest/plugins/Ext/users', query: '', headers: {} },
    ...{ body: null, status: 0, responseHeaders: {}, text: '' },
  }

  test('with what was lost, without an answer, and without times', () => {
    const lost: Exchange = { ...kept, n: 7, status: 200, lost: ['body', 'text'] }
    const trace = [kept, lost, { ...kept, n: 8, startedAt: 1_700_000_000_000.25 }]
    const again = readHar(toHar(trace, { baseUrl })).exchanges
    expect(again).toEqual(trace)
  })

  test('of two runs, whose words for secrets and sessions are not the same', () => {
    const own = { ...kept, caller: 'session:1', status: 200, text: '{"token":"SECRET.1"}' }
    const { exchanges } = readHar([toHar([own], { baseUrl }), toHar([own, { ...own, n: 4 }], { baseUrl })])
    expect(exchanges.map(({ n }) => n)).toEqual([1, 2, 3])
    expect(exchanges.map(({ caller }) => caller)).toEqual(['session:1.1', 'session:2.1', 'session:2.1'])
    expect(new Set(exchanges.map((exchange) => exchange.text)).size).toBe(2)
  })
})

describe('who asked', () => {
  const authorization = `Bearer ${administrator}`

  test('has the role of a token of the profile, else a number', () => {
    const [one, other] = ['Bearer one-token', 'Bearer other-token']
    const callers = [one, authorization, other, one, 'Basic b3R0bw==']
    const entries = callers.map((given) => entry({ headers: { Authorization: given ?? '' } }))
    const { exchanges } = read(entries, { profile })
    const labels = ['somebody:1', 'administrator', 'somebody:2', 'somebody:1', 'somebody:3']
    expect(exchanges.map(({ caller }) => caller)).toEqual(labels)
    expect(exchanges.map(({ headers }) => headers)).toEqual(labels.map(() => ({})))
  })

  test.each([{}, { authorization: '' }, { authorization: 'Bearer [REDACTED]' }, { authorization: '***' }])(
    'is unknown where the recording has no credentials, or has hidden them: %j',
    (headers: Record<string, string>) => expect(one({ headers }, { profile })?.caller).toBe('unknown'),
  )

  test.each<[string, Given, string]>([
    ['nothing', {}, 'none'],
    ['a cookie', { headers: { cookie: 'a=b' } }, 'unknown'],
    ['the name of a user, as a proxy sends it', { headers: { 'X-Remote-User': 'rita' } }, 'unknown'],
    ['a key in its address', { url: `${root}/plugins?api_key=7` }, 'unknown'],
  ])('is nobody beside others with credentials: with %s', (_, given, caller) => {
    const other = entry({ headers: { authorization } })
    expect(read([other, entry(given)]).exchanges[1]?.caller).toBe(caller)
    expect(read([entry(given)]).exchanges[0]?.caller).toBe('unknown')
    // What one file has kept says nothing of another.
    const { exchanges } = readHar([har(other), har(entry(given))])
    expect(exchanges[1]?.caller).toBe('unknown')
  })
})

test('no secret of the profile, and no token, comes through', () => {
  const token = 'one-token-4711'
  const body = { password_current: 'Old-Copper-7', password: 'hunter-22', note: `of ${token}` }
  const given = {
    ...{ method: 'PATCH', url: `${root}/me/password?token=hunter-22` },
    headers: { Authorization: `Bearer ${token}`, 'X-Debug': administrator },
    request: { postData: { mimeType: 'application/json', text: JSON.stringify(body) } },
    response: { content: { text: JSON.stringify({ told: `Bearer ${token}` }) } },
  }
  const exchange = one(given, { profile })
  expect(JSON.stringify(exchange)).not.toMatch(/4711|hunter|Copper|Qx7k/)
  expect(JSON.parse(exchange?.body ?? '')).toMatchObject({ password_current: 'SECRET.account.current' })
  expect(exchange?.headers).toEqual({ 'x-debug': 'SECRET.token.administrator' })
})

test('a header that each request has, such as a cookie of the browser, says nothing of any one', () => {
  const sent = (more: object) =>
    entry({ headers: { authorization: 'Bearer one', cookie: `id=${Math.random()}`, 'x-app': '7', ...more } })
  const entries = [...Array(6).fill({}), { 'x-odd': '1' }].map(sent)
  const headersIn = (given: readonly unknown[]) => read(given).exchanges.map(({ headers }) => headers)
  expect(headersIn(entries)).toEqual([...Array(6).fill({}), { 'x-odd': '1' }])
  expect(headersIn(entries.slice(0, 2))[0]).toMatchObject({ 'x-app': '7' })
  expect(headersIn([...entries, sent({ 'x-app': '8' })])[0]).toEqual({ 'x-app': '7' })
})

test('the forms that tools differ in are read alike: no times, pseudo headers, no headers, numbers as texts', () => {
  const exchanges = read([
    entry({ startedDateTime: undefined, time: undefined, method: 'get', request: { postData: null } }),
    entry({ headers: { ':method': 'GET', 'sec-ch-ua-platform': '"Linux"' }, _resourceType: 'xhr' }),
    entry({ request: { headers: [{ name: 'Host', value: 7 }] }, response: { headers: null }, time: '12' }),
  ]).exchanges
  expect(exchanges).toMatchObject(Array(3).fill({ method: 'GET', status: 200, headers: {}, text: '{}' }))
})

describe('what is passed over is counted, with its reason', () => {
  const unsafe = `${root.replace('https', 'http')}/plugins`
  const moved = { headers: pairs({ Location: `${root}/plugins` }) }
  const reasonOf = (given: unknown) => read([given, entry()]).passed[0]
  test.each<[string, unknown]>([
    ['incomplete: without a request', null],
    ['incomplete: without a request', { response: {} }],
    ['asked by the browser itself (OPTIONS)', entry({ method: 'OPTIONS' })],
    ['not over HTTP', entry({ url: 'data:text/plain,x' })],
    ['no operation of the interface', entry({ url: `${baseUrl}/issues/1` })],
    ['no operation of the interface', entry({ method: 'PUT', url: `${root}/users` })],
    ['redirected to another host', entry({ status: 302, response: { redirectURL: 'https://sso.test/' } })],
    ['redirected to another host', entry({ url: unsafe, status: 301, response: moved })],
    ['answered from a cache', entry({ _fromCache: 'memory' })],
  ])('%s', (reason, given) => {
    expect(reasonOf(given)).toEqual({ reason, count: 1 })
    expect(read([given, entry(), given]).exchanges).toHaveLength(1)
  })

  test('a redirect on the same host is an answer of the tracker', () => {
    expect(one({ status: 302, response: { headers: pairs({ Location: '/login' }) } })?.status).toBe(302)
  })
})

const headersOf = (headers: Record<string, string>) => ({ headers: pairs(headers) })
describe('an answer', () => {
  const of = (response: object, given: Given = {}) => {
    const { status, text, lost = [] } = one({ ...given, response }) ?? {}
    return { status, text, lost }
  }
  const answer = '{"name":"Jürgen"}'
  const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64')

  test('that never came has the status 0, however it is written', () => {
    const never = { status: -1, content: { size: -1 } }
    for (const response of [never, { status: 0, content: {} }])
      expect(of(response)).toEqual({ status: 0, text: '', lost: [] })
    for (const response of [null, undefined, 'none'])
      expect(read([{ ...entry(), response }]).exchanges).toMatchObject([{ status: 0, text: '' }])
  })

  test('is read as a text, from base64, and where it is still compressed', () => {
    const size = Buffer.byteLength(answer)
    for (const content of [
      { size, text: answer },
      { size: 3, text: answer, compression: -14 },
      { size, encoding: 'base64', text: base64(answer) },
      { size: 900, encoding: 'base64', text: base64(gzipSync(answer)) },
    ])
      expect(of({ content })).toEqual({ status: 200, text: answer, lost: [] })
    expect(of({ bodySize: 0, content: { size: 0 } })).toEqual({ status: 200, text: '', lost: [] })
    // A tracker may answer what is no JSON.
    expect(of({ content: { size: 9, text: '{"users":' } }).lost).toEqual([])
    // It looks like a mask, and is JSON.
    expect(of({ content: { size: 2, text: '[]' } }).lost).toEqual([])
  })

  test.each<[string, object]>([
    ['left out by Playwright', { content: { size: -1, mimeType: 'application/json' } }],
    ['in a file that is not there', { content: { size: 17, _file: '0f3a.json' } }],
    ['dropped by the browser', { content: { size: 17 } }],
    ['of which the headers alone know', { content: { size: 0 }, ...headersOf({ 'content-length': '17' }) }],
    ['cut off', { content: { size: 2000, text: '{"users":[{"id":1},' } }],
    ['hidden', { content: { size: 17, text: '[REDACTED]' } }],
    ['in bytes that are no text', { content: { encoding: 'base64', text: '//4=' } }],
  ])('is lost: %s', (_, response) => expect(of(response)).toEqual({ status: 200, text: '', lost: ['text'] }))
})

describe('a body', () => {
  const of = (request: object, given: Given = {}) => {
    const { body, lost = [] } = one({ method: 'PATCH', url: `${root}/users/7`, ...given, request }) ?? {}
    return { body, lost }
  }
  const written = '{"enabled": true}'

  test('is read as it was written, also from base64', () => {
    const text = Buffer.from(written).toString('base64')
    const plain = { mimeType: 'application/json', text: written }
    for (const postData of [plain, { text, encoding: 'base64' }])
      expect(of({ postData })).toEqual({ body: written, lost: [] })
    expect(of({ postData: { mimeType: 'x', params: [{ name: 'a', value: 'b c' }] } }).body).toBe('a=b+c')
  })

  test('was not sent where its length says so, or the operation takes none', () => {
    expect(of({ bodySize: 0 })).toEqual({ body: null, lost: [] })
    expect(of({ headers: [{ name: 'Content-Length', value: '0' }] })).toEqual({ body: null, lost: [] })
    expect(of({}, { method: 'PUT', url: `${root}/users/7/reset` })).toEqual({ body: null, lost: [] })
  })

  test.each<[string, object]>([
    ['where nothing is told of it', {}],
    ['where it is hidden', { postData: { text: '***' } }],
    ['where it is cut off', { postData: { text: written.slice(0, 9) }, bodySize: written.length }],
    ['where its size is left out', { bodySize: 0, ...headersOf({ 'content-type': 'application/json' }) }],
  ])('is lost %s', (_, request) => expect(of(request)).toEqual({ body: null, lost: ['body'] }))
})

const at = (startedDateTime: string | undefined, user: string) =>
  entry({ startedDateTime, url: `${root}/users/${user}` })

test('the order is that of the times, whatever their zone, where all have one, else that of the file', () => {
  const third = at('2026-11-24T11:00:02+01:00', 'c')
  const second = at('2026-11-24T10:00:01Z', 'b')
  const first = at('2026-11-24T10:00:00.9Z', 'a')
  const usersIn = (...entries: unknown[]) => read(entries).exchanges.map(({ path }) => path.at(-1))
  expect(usersIn(third, second, first)).toEqual(['a', 'b', 'c'])
  expect(usersIn(second, at(undefined, 'd'), first)).toEqual(['b', 'd', 'a'])
})

describe('the tracker', () => {
  const other = 'http://localhost:8080/other'
  const both = [entry(), entry({ url: `${other}/plugins/Ext/me/account` })]

  test('is the one host that operations of the interface were sent to', () => {
    const cdn = 'https://cdn.example.org'
    expect(read([entry({ url: `${cdn}/plugins/Ext/app.js` }), entry()]).baseUrl).toBe(baseUrl)
    expect(read([entry({ url: `${cdn}/app.js` })]).baseUrl).toBe(null)
  })

  test('has to be told where there are several, unless the profile says it', () => {
    expect(() => read(both)).toThrow(`give --base-url ${baseUrl} or --base-url ${other}`)
    expect(read(both, { baseUrl: 'http://nowhere.example' }).hint).toContain(`give --base-url ${baseUrl}`)
    for (const options of [{ baseUrl: `${other}/` }, { profile: { ...profile, baseUrl: other } }]) {
      const { exchanges, passed } = read(both, options)
      expect(exchanges.map(({ path }) => path)).toEqual(['/other/plugins/Ext/me/account'])
      expect(passed).toEqual([{ reason: 'to another host', count: 1 }])
    }
  })

  test('may have another extension segment', () => {
    const url = `${baseUrl}/plugins/My%20Admin/me/account`
    expect(read([entry({ url })], { ext: 'My Admin' })).toMatchObject({ baseUrl, exchanges: [{}] })
    const hint = '; operations were recorded under /plugins/My Admin: give --ext My Admin'
    expect(read([entry({ url })])).toMatchObject({ exchanges: [], hint })
    expect(read([entry({ url: `${baseUrl}/plugins/100%/x` })]).hint).toBe('')
  })
})
