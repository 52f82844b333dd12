/** Which request of a connection is answered when, and what comes over one that is none. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { jsonReply, send } from './message.js'

/** Answers one request. */
export type Handler = (message: IncomingMessage, response: ServerResponse) => Promise<void>

/** The last request of a connection. */
interface Connection {
  readonly response: ServerResponse
  readonly answered: Promise<void>
}

export interface Answering {
  readonly connections: WeakMap<Duplex, Connection>
  readonly start: (message: IncomingMessage, response: ServerResponse) => void
}

export function answering(handle: Handler): Answering {
  const connections = new WeakMap<Duplex, Connection>()
  const answer = async (message: IncomingMessage, response: ServerResponse, before?: Promise<void>) => {
    try {
      // A client that does not wait for its answers still means one request after the other.
      if (before) await before
      await handle(message, response)
    } catch (error) {
      if (response.headersSent) return void response.destroy()
      const text = `The emulator failed: ${error instanceof Error ? error.message : error}`
      send(response, jsonReply(500, { message: text }))
    }
  }
  const start = (message: IncomingMessage, response: ServerResponse) => {
    const { socket } = message
    const last = connections.get(socket)
    const pending = last && !last.response.writableEnded ? last.answered : undefined
    // Of a client that left, node tells by an error on the answer; nobody is there to be told.
    response.on('error', nobodyHears)
    connections.set(socket, { response, answered: answer(message, response, pending) })
  }
  return { connections, start }
}

const nobodyHears = () => undefined

export function attach(server: Server, { connections, start }: Answering): void {
  server.on('request', start)
  // What else a client expects is its own affair.
  server.on('checkExpectation', start)
  server.on('connect', (_message, socket) => endRaw(socket, '405 Method Not Allowed', 'This is not a proxy'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
    const refuse = () => endRaw(socket, ...refusalOf(error))
    const last = connections.get(socket)?.response
    if (!last || last.writableFinished) return refuse()
    // What was asked before the garbage is answered first.
    if (last.req.complete) return last.once('finish', refuse)
    // In the middle of an answer another one would only be more garbage.
    if (last.headersSent) return socket.destroy()
    refuse()
  })
}

function refusalOf({ code, message }: NodeJS.ErrnoException): [status: string, message: string] {
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
