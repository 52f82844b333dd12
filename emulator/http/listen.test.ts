import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import supertest from 'supertest'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sender } from '../../fixtures/client.js'
import { send, serveEach, server, tracker } from '../../fixtures/each.js'
import { createTracker } from '../index.js'
import { type Answered, listen } from './listen.js'

const LIMIT = 1024 * 1024

let answered: Answered[]
serveEach({ onAnswer: (one) => answered.push(one) })
beforeEach(() => {
  answered = []
})

/** A connection on which a test says what it likes. */
async function dial() {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true })
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk
  })
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => undefined)
    socket.on('end', () => socket.end()).on('close', () => resolve(received))
  })
  await once(socket, 'connect')
  return {
    socket,
    /** All that came until the server ended the connection. */
    closed,
    /** Resolves once the bytes have left. */
    write: (text: string | Buffer) => new Promise<void>((resolve) => socket.write(text, () => resolve())),
  }
}

test('answers while a test holds all timers', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  expect((await fetch(`${server.url}/nowhere`)).status).toBe(401)
})

/** The answers in what came over the wire, each with a body of the announced length. */
function parse(received: string) {
  const answers = []
  let rest = received
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n') + 4
    const headers = rest.slice(0, end)
    const length = Number(/^content-length: (\d+)\r$/im.exec(headers)?.[1])
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(headers)?.[1])
    answers.push({ status, json: JSON.parse(rest.slice(end, end + length)) })
    rest = rest.slice(end + length)
  }
  return answers
}

async function exchange(text: string | Buffer) {
  const { write, closed } = await dial()
  await write(text)
  return parse(await closed)
}

const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: localhost', `Authorization: Bearer ${tracker.tokens.administrator}`, ...headers].join('\r\n')}\r\n\r\n`
const users = '/api/rest/plugins/Ext/users'
const account = '/api/rest/plugins/Ext/me/account'
const json = 'Content-Type: application/json'
const last = 'Connection: close'
const chunked = 'Transfer-Encoding: chunked'
const otto = '{"username":"otto"}'

const goesOn = async () => expect((await send('/me/account')).status).toBe(200)
const hasUser = (name: string) => tracker.db.users.find('username', name) !== undefined

test('a request without a Host is refused in JSON', async () => {
  const answers = await exchange(`GET ${account} HTTP/1.1\r\n${last}\r\n\r\n`)
  expect(answers).toMatchObject([{ status: 400, json: { message: expect.any(String) } }])
})

test('bodies arrive in as many pieces as it takes', async () => {
  const { write, closed } = await dial()
  const body = '{"username":"otto","realname":"Jürgen"}'
  const bytes = Buffer.from(body)
  await write(head(`POST ${users} HTTP/1.1`, json, last, `Content-Length: ${bytes.length}`))
  for (const byte of bytes) await write(Buffer.of(byte))
  const [answer] = parse(await closed)
  expect(answer?.json).toMatchObject({ user: { real_name: 'Jürgen' } })
})

test.each([
  ['ends before their length', (socket: Socket) => socket.end(), /^HTTP\/1\.1 400 /],
  ['leaves in their middle', (socket: Socket) => socket.destroy(), /^$/],
] as const)('bodies whose client %s change nothing', async (_, leave, answer) => {
  const { socket, write, closed } = await dial()
  await write(head(`POST ${users} HTTP/1.1`, json, 'Content-Length: 100') + otto)
  leave(socket)
  expect(await closed).toMatch(answer)
  expect(hasUser('otto')).toBe(false)
  await goesOn()
  expect(tracker.journal).toHaveLength(1)
})

const padded = (size: number) => otto.slice(0, -1) + ' '.repeat(size - otto.length) + otto.slice(-1)

test.each(['length', 'chunks'])(
  'a body one byte larger (%s) are refused, the next is answered',
  async (how) => {
    const body = padded(LIMIT + 1)
    const framing = how === 'length' ? `Content-Length: ${body.length}` : chunked
    const framed = how === 'length' ? body : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const answers = await exchange(
      head(`POST ${users} HTTP/1.1`, json, framing) + framed + head(`GET ${account} HTTP/1.1`, last),
    )
    expect(answers.map(({ status }) => status)).toEqual([400, 200])
    expect(answers[0]?.json).toMatchObject({ message: expect.stringContaining('body') })
    expect(hasUser('otto')).toBe(false)
    expect(tracker.journal[0]).toMatchObject({ operation: 'createUser', refusal: { step: 'body' } })
  },
)

test('a browser goes on to the inspector, and anybody else is told that nothing is there', async () => {
  expect((await fetch(`${server.origin}/`)).status).toBe(404)
  const page = await fetch(`${server.origin}/`, { headers: { accept: 'text/html,*/*' } })
  expect([page.status, page.url]).toEqual([200, `${server.origin}/__tracker/`])
})

test('HEAD is GET without the body', async () => {
  const response = await send('/me/account', { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(2)
  expect(await response.text()).toBe('')
})

test.each<[what: string, request: string, status: number, header?: string]>([
  ['the whole URL', `GET http://tracker.test${account}`, 200],
  ['a star', 'GET *', 404],
  // Were it the fragment of a URL, user 1 would be found.
  ['a hash in a name', `GET ${users}/1#x`, 404],
  ['a backslash in a name', `GET ${users}/x\\..\\1`, 404],
  ['two slashes in front', `GET //api/rest/plugins/Ext/me/account`, 404],
  ['a method that the web forbids', `TRACE ${account}`, 405],
  ['two credentials', `GET ${account}`, 401, 'Authorization: Bearer other'],
])('the path of a request with %s is answered', async (_, request, status, header = 'Accept: */*') => {
  await tracker.decide({ 'bearer-scheme-parsing': 'strict' })
  const [answer] = await exchange(head(`${request} HTTP/1.1`, last, header))
  expect(answer).toMatchObject({ status })
})

test('a tracker with a root of its own answers at the same place', async () => {
  const other = await createTracker({ baseUrl: 'https://tracker.test/bugs/rest' })
  const elsewhere = await listen(other)
  const ask = sender({ fetch, baseUrl: elsewhere.url, tokens: other.tokens })
  expect((await ask('/users/nina?select=id')).status).toBe(200)
  expect(other.journal).toMatchObject([{ path: '/bugs/rest/plugins/Ext/users/nina?select=id' }])
  await elsewhere.close()
})

test('what fails inside the tracker is a 500 that says so', async () => {
  const broken = Object.create(tracker, { fetch: { value: () => Promise.reject(new Error('lost')) } })
  const elsewhere = await listen(broken)
  const response = await fetch(`${elsewhere.url}/plugins/Ext/plugins`)
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ message: 'The emulator failed: lost' })
  await elsewhere.close()
})

test.each([
  ['OPTIONS', account, 204],
  ['GET', '/rest', 404],
  ['GET', account, 401],
])('a page of another origin may read the answer to %s %s', async (method, path, status) => {
  const wanted = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-mine' }
  const headers = { origin: 'http://app.test', ...wanted }
  const answer = await fetch(server.origin + path, { method, headers })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://app.test')
  expect(answer.headers.get('access-control-allow-headers')).toBe(method === 'OPTIONS' ? 'x-mine' : null)
})

test('a dropped connection gives no answer', async () => {
  tracker.faults.inject({ operation: 'createUser', transport: 'drop', times: 1 })
  const sized = `Content-Length: ${otto.length}`
  expect(await exchange(head(`POST ${users} HTTP/1.1`, json, sized) + otto)).toEqual([])
  expect(answered.map(({ status }) => status)).toEqual([0])
  await goesOn()
})

test('a truncated answer announces the whole of it', async () => {
  tracker.faults.inject({ operation: 'getAccountPage', transport: 'truncate', times: 1 })
  const { write, closed } = await dial()
  await write(head(`GET ${account} HTTP/1.1`, 'Origin: http://app.test'))
  const [headers = '', body = ''] = (await closed).split('\r\n\r\n')
  expect(headers).toMatch(/^HTTP\/1\.1 200 /)
  expect(headers).toMatch(/^access-control-allow-origin: http:\/\/app\.test\r?$/m)
  const whole = await (await send('/me/account')).text()
  expect(headers.match(/^content-length: \d+/gm)).toEqual([`content-length: ${Buffer.byteLength(whole)}`])
  expect(body).not.toBe('')
  expect(body.length).toBeLessThan(whole.length)
})

test('a client that leaves is not waited for', async () => {
  const late = tracker.faults.inject({ operation: 'getAccountPage', delay: '1h' })
  const { socket, write } = await dial()
  await write(head(`GET ${account} HTTP/1.1`))
  await vi.waitFor(() => expect(late.hits).toBe(1))
  socket.destroy()
  await vi.waitFor(() => expect(tracker.journal).toMatchObject([{ response: { status: 0 } }]))
  late.clear()
  await goesOn()
})

test('the server tells of every answer, without the query', async () => {
  await send('/users/nina?select=id')
  await send('/users/nobody')
  await fetch(`${server.origin}/__tracker/health`)
  expect(answered.map(({ method, path, status }) => `${method} ${path()} ${status}`)).toEqual([
    'GET /api/rest/plugins/Ext/users/nina 200',
    'GET /api/rest/plugins/Ext/users/nobody 404',
    'GET /__tracker/health 200',
  ])
  for (const { durationMs } of answered) expect(durationMs).toBeGreaterThan(0)
})

test('the server ends open connections, idle, half sent and unanswered ones', async () => {
  const late = tracker.faults.inject({ operation: 'getAccountPage', delay: '1h' })
  const connections = await Promise.all([dial(), dial(), dial(), dial()])
  const [, idle, half, waiting] = connections
  await idle?.write(head(`GET ${users}/1 HTTP/1.1`))
  await vi.waitFor(() => expect(answered).toHaveLength(1))
  await half?.write(`GET ${account} HTTP/1.1\r\nHost: `)
  await waiting?.write(head(`GET ${account} HTTP/1.1`))
  await vi.waitFor(() => expect(late.hits).toBe(1))
  await Promise.all([server.close(), server.close()])
  await Promise.all(connections.map(({ closed }) => closed))
  await expect(fetch(server.url)).rejects.toThrow()
})

test('the server on all addresses has a URL that can be called', async () => {
  const other = await listen(tracker, { host: '0.0.0.0' })
  expect((await fetch(`${other.origin}/__tracker/health`)).status).toBe(200)
  expect(new URL(other.url).hostname).toBe('127.0.0.1')
  await other.close()
})

test('a listener for another server has no control plane; below a path of a host like Express, that path is the REST root', async () => {
  expect((await supertest(tracker.listener).get('/__tracker/health')).status).toBe(404)
  const host: RequestListener = (message: IncomingMessage & { baseUrl?: string }, response) => {
    if (!message.url?.startsWith('/mock/')) return void response.writeHead(204).end()
    message.baseUrl = '/mock'
    message.url = message.url.slice('/mock'.length)
    tracker.listener(message, response)
  }
  const agent = supertest(host)
  const account = await agent
    .get('/mock/plugins/Ext/me/account')
    .auth(tracker.tokens.reporter, { type: 'bearer' })
  expect(account.body.user.name).toBe('reporter')
  expect((await agent.get('/other')).status).toBe(204)
})
