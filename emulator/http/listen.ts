/** The tracker over HTTP: sockets, limits, and which part of the server a path belongs to. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ListenOptions, Tracker, TrackerServer } from '../types.js'
import { CONTROL_ROOT, createControl, refusal } from './control.js'
import { preflight, withCors } from './cors.js'
import { jsonReply, type Reply, readBody, send, sendAndClose, toReply, toRequest } from './message.js'

/** Path of the REST root over HTTP, whatever the tracker's own base URL is. */
export const REST_ROOT = '/api/rest'

/** The same as the tracker's own: it refuses what was not read by its announced length. */
const BODY_LIMIT = 1024 * 1024
/** A saved state may be larger than any request. */
const STATE_LIMIT = 64 * 1024 * 1024

export interface Answered {
  readonly method: string
  /** Without its query, which may hold a token. */
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

export interface ServerOptions extends ListenOptions {
  /** Called for every answer, those of the control plane too. */
  readonly onAnswer?: (answered: Answered) => void
}

export async function listen(tracker: Tracker, options: ServerOptions = {}): Promise<TrackerServer> {
  const { port = 0, host = '127.0.0.1' } = options
  const server = createServer({
    // Tests keep clients idle between their calls; close() does not wait for them.
    keepAliveTimeout: 60_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    // Checked by the handler, so that this answer has a JSON body as well.
    requireHostHeader: false,
  })
  await bind(server, port, host)
  const origin = originOf(server, host)
  attach(server, createHandler(tracker, origin + REST_ROOT, options.onAnswer))
  let closing: Promise<void> | undefined
  return {
    url: origin + REST_ROOT,
    origin,
    close() {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      return closing
    },
  }
}

async function bind(server: Server, port: number, host: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${port} on ${host} is in use; choose another one, or 0 for any free port`,
      EACCES: `port ${port} on ${host} needs more rights; choose one above 1023`,
      EADDRNOTAVAIL: `this machine has no address ${host}`,
      ENOTFOUND: `there is no host called ${host}`,
      EAI_AGAIN: `there is no host called ${host}`,
    }
    throw new Error(`Cannot listen: ${reasons[code] ?? (cause as Error).message}`, { cause })
  }
}

/** An address that listens everywhere cannot be called; the loopback one stands for it. */
function originOf(server: Server, host: string): string {
  const { port, family } = server.address() as AddressInfo
  const everywhere = /^(0\.0\.0\.0|::|)$/.test(host)
  const name = everywhere ? (family === 'IPv6' ? '::1' : '127.0.0.1') : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

type Handler = (message: IncomingMessage, response: ServerResponse) => Promise<void>

function attach(server: Server, handle: Handler): void {
  const current = new WeakMap<Duplex, ServerResponse>()
  const start: (message: IncomingMessage, response: ServerResponse) => void = (message, response) => {
    current.set(message.socket, response)
    // Of a client that left, node tells by an error on the answer; nobody is there to be told.
    response.on('error', () => undefined)
    handle(message, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy()
      const text = `The emulator failed: ${error instanceof Error ? error.message : error}`
      send(response, jsonReply(500, { message: text }))
    })
  }
  server.on('request', start)
  server.on('checkContinue', (message, response) => {
    // Whoever announces too much is answered before it is sent.
    if (Number(message.headers['content-length'] ?? 0) <= limitOf(message)) response.writeContinue()
    start(message, response)
  })
  server.on('checkExpectation', (_message, response) => {
    send(response, jsonReply(417, { message: 'The only Expect header known here is 100-continue' }))
  })
  server.on('connect', (_message, socket) => {
    endRaw(socket, '405 Method Not Allowed', 'This is not a proxy')
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const open = current.get(socket)
    // In the middle of an answer another one would only be garbage.
    if (!socket.writable || error.code === 'ECONNRESET' || (open?.headersSent && !open.writableFinished))
      return socket.destroy()
    if (error.code === 'HPE_HEADER_OVERFLOW')
      return endRaw(socket, '431 Request Header Fields Too Large', 'The headers are too large')
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
      return endRaw(socket, '408 Request Timeout', 'The request did not arrive in time')
    endRaw(socket, '400 Bad Request', `Not an HTTP request: ${error.message}`)
  })
}

function endRaw(socket: Duplex, status: string, message: string): void {
  const { headers, body } = jsonReply(400, { message })
  const text = body ?? ''
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const length = Buffer.byteLength(text)
  socket.on('error', () => undefined)
  socket.end(
    `HTTP/1.1 ${status}\r\n${lines}content-length: ${length}\r\nconnection: close\r\n\r\n${text}`,
    () => socket.destroy(),
  )
}

function createHandler(tracker: Tracker, baseUrl: string, onAnswer: ServerOptions['onAnswer']): Handler {
  const control = createControl(tracker, baseUrl)

  async function answer(message: IncomingMessage, target: string, body: Content): Promise<Reply> {
    const { method = 'GET', headers } = message
    const [path = ''] = target.split('?', 1)
    if (headers.host === undefined && message.httpVersion !== '1.0')
      return jsonReply(400, { message: 'A request needs a Host header' })
    if (isBelow(path, CONTROL_ROOT)) {
      if (body === 'too-large') return jsonReply(413, { message: 'The body is too large' })
      return control({ method, path, headers, body })
    }
    if (!isBelow(path, REST_ROOT)) {
      const message = `Nothing is here; the REST root is ${REST_ROOT}, the control plane ${CONTROL_ROOT}/`
      return jsonReply(404, { message })
    }
    return preflight(message) ?? withCors(message, await rest(message, target, body))
  }

  async function rest(message: IncomingMessage, target: string, body: Content): Promise<Reply> {
    let request: Request
    try {
      request = toRequest(message, tracker.baseUrl + target.slice(REST_ROOT.length), body, BODY_LIMIT)
    } catch (error) {
      // The web's Request knows no TRACE.
      if (message.method === 'TRACE') return jsonReply(405, { message: 'TRACE is not answered here' })
      return jsonReply(400, { message: `Not a request: ${(error as Error).message}` })
    }
    return toReply(await tracker.fetch(request))
  }

  return async (message, response) => {
    const started = performance.now()
    const target = originForm(message.url ?? '/')
    const body = await readBody(message, limitOf(message))
    if (body === 'gone') return
    const reply = await answer(message, target, body)
    if (body === 'too-large') await sendAndClose(message, response, reply)
    else send(response, reply)
    onAnswer?.({
      method: message.method ?? 'GET',
      path: target.split('?', 1)[0] ?? '',
      status: reply.status,
      durationMs: performance.now() - started,
    })
  }
}

type Content = Uint8Array<ArrayBuffer> | 'too-large'

function limitOf({ method = 'GET', url = '/', headers }: IncomingMessage): number {
  const state = method === 'PUT' && originForm(url) === `${CONTROL_ROOT}/state` && !refusal(method, headers)
  return state ? STATE_LIMIT : BODY_LIMIT
}

const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`)

/** Clients that think they talk to a proxy send the whole URL. */
function originForm(target: string): string {
  const below = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/'
  // Both mean something else in a URL, where they cannot stand as they are.
  return below.replaceAll('#', '%23').replaceAll('\\', '%5C')
}
