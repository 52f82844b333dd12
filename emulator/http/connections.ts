/**
 * Carries out the requests of a connection in their order, and writes their answers at the end of the round of the
 * event loop in which they arrived. Also answers input that is no HTTP request.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setRealImmediate } from '../arrange/clock.js'
import { jsonReply, send } from './message.js'

export type Listener = (message: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** The last request of a connection. */
interface Connection {
  readonly response: ServerResponse
  /** Null once the request has been carried out. */
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
    // Node reports a client that left as an error of the response, which can be ignored.
    response.on('error', nobodyHears)
    connections.set(socket, connection)
    // A client may send several requests at once, which are carried out one after the other.
    const work = before ? before.then(() => listener(message, response)) : begun(listener, message, response)
    if (!work) return
    const done = () => {
      connection.busy = null
    }
    connection.busy = work.catch((error) => fail(response, error)).then(done)
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

let due: { readonly response: ServerResponse; readonly write: () => void }[] = []

/**
 * Everything that has arrived is handled before the first answer is written. That answer wakes a waiting client, which
 * then competes for the processor; writing each answer at once would make this happen often.
 */
export function atEndOfRound(response: ServerResponse, write: () => void): void {
  if (due.push({ response, write }) === 1) setRealImmediate(writeAll)
}

function writeAll(): void {
  const all = due
  due = []
  for (const { response, write } of all)
    try {
      write()
    } catch (error) {
      fail(response, error)
    }
}

/** Answers that the emulator failed, if no answer has begun. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const text = `The emulator failed: ${error instanceof Error ? error.message : error}`
  send(response, jsonReply(500, { message: text }))
}

const nobodyHears = () => undefined

export function attach(server: Server, { connections, start }: Answering): void {
  server.on('request', start)
  // An Expect header with a value other than 100-continue has no effect.
  server.on('checkExpectation', start)
  server.on('connect', (_message, socket) => endRaw(socket, '405 Method Not Allowed', 'This is not a proxy'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
    const refuse = () => endRaw(socket, ...rawRefusal(error))
    const last = connections.get(socket)?.response
    if (!last || last.writableFinished) return refuse()
    // The request before the invalid input gets its answer first.
    if (last.req.complete) return last.once('finish', refuse)
    // A second answer inside the first would corrupt it.
    if (last.headersSent) return socket.destroy()
    refuse()
  })
}

type RawRefusal = readonly [status: string, message: string]

const rawRefusals: Readonly<Record<string, RawRefusal>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
}

const rawRefusal = ({ code = '', message }: NodeJS.ErrnoException): RawRefusal =>
  rawRefusals[code] ?? ['400 Bad Request', `Not an HTTP request: ${message}`]

function endRaw(socket: Duplex, status: string, message: string): void {
  const body = JSON.stringify({ message })
  const length = Buffer.byteLength(body)
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close`
  socket.on('error', nobodyHears)
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy())
}
