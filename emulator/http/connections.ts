/** Which request of a connection is answered when, and what comes over one that is none. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { jsonReply, send } from './message.js'

/** Answers one request, at once or later. */
export type Listener = (message: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** The last request of a connection. */
interface Connection {
  readonly response: ServerResponse
  /** Until it has been carried out. */
  busy: Promise<void> | null
}

export interface Answering {
  readonly connections: WeakMap<Duplex, Connection>
  readonly start: (message: IncomingMessage, response: ServerResponse) => void
}

export function answering(listener: Listener): Answering {
  const connections = new WeakMap<Duplex, Connection>()
  const start = (message: IncomingMessage, response: ServerResponse) => {
    const { socket } = message
    const before = connections.get(socket)?.busy
    const connection: Connection = { response, busy: null }
    // Of a client that left, node tells by an error on the answer; nobody is there to be told.
    response.on('error', nobodyHears)
    connections.set(socket, connection)
    // A client that does not wait for its answers still means one request after the other.
    const work = before ? before.then(() => listener(message, response)) : begun(listener, message, response)
    if (!work) return
    connection.busy = work
      .catch((error) => fail(response, error))
      .then(() => {
        connection.busy = null
      })
  }
  return { connections, start }
}

function begun(listener: Listener, message: IncomingMessage, response: ServerResponse): ReturnType<Listener> {
  try {
    return listener(message, response)
  } catch (error) {
    fail(response, error)
  }
}

/** Tells the client that the emulator failed, where it has heard nothing yet. */
export function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const text = `The emulator failed: ${error instanceof Error ? error.message : error}`
  send(response, jsonReply(500, { message: text }))
}

const nobodyHears = () => undefined

export function attach(server: Server, { connections, start }: Answering): void {
  server.on('request', start)
  // What else a client expects is its own affair.
  server.on('checkExpectation', start)
  server.on('connect', (_message, socket) => endRaw(socket, '405 Method Not Allowed', 'This is not a proxy'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
    const refuse = () => endRaw(socket, ...rawRefusal(error))
    const last = connections.get(socket)?.response
    if (!last || last.writableFinished) return refuse()
    // What was asked before the garbage is answered first.
    if (last.req.complete) return last.once('finish', refuse)
    // In the middle of an answer another one would only be more garbage.
    if (last.headersSent) return socket.destroy()
    refuse()
  })
}

function rawRefusal({ code, message }: NodeJS.ErrnoException): [status: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'The headers are too large']
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['408 Request Timeout', 'The request did not arrive in time']
  return ['400 Bad Request', `Not an HTTP request: ${message}`]
}

function endRaw(socket: Duplex, status: string, message: string): void {
  const body = JSON.stringify({ message })
  const length = Buffer.byteLength(body)
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close`
  socket.on('error', nobodyHears)
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy())
}
