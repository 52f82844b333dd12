/** Node's messages become calls, and replies Node's responses: in order, and at the end of a round of the event loop. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setRealImmediate } from '../arrange/clock.js'
import { Call } from '../request/call.js'
import type { Bytes, HeaderList, Outgoing, ReadHeaders } from '../request/message.js'

export interface Reply extends Outgoing {
  /** Replaces the body: writes text as it comes, until the client leaves, when the function that it returned is called. */
  readonly stream?: (write: (text: string) => void) => () => void
}

export function jsonReply(status: number, value: unknown, headers: HeaderList = []): Reply {
  const type = ['content-type', 'application/json'] as const
  return { status, headers: [type, ...headers], body: JSON.stringify(value) }
}

/** `type` omits the charset, which is UTF-8. */
export function textReply(type: string, body: string, headers: HeaderList = []): Reply {
  return { status: 200, headers: [['content-type', `${type}; charset=utf-8`], ...headers], body }
}

/** The body. One that is too large is read but not kept, since a client that still writes could miss its answer. */
export function collectBody(message: IncomingMessage, limit: number): Promise<Bytes | 'gone'> | null {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = message.headers
  if (length === '0' && coding === undefined) return null
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
    })
    message.on('end', () => resolve(size > limit ? 'too-large' : Buffer.concat(chunks)))
    message.on('error', () => resolve('gone'))
  })
}

/** HEAD becomes GET, since a server must answer both alike. The web's Request has no body of GET, so it is dropped. */
export function callOfMessage(message: IncomingMessage, url: string, bytes: Bytes, signal: Call['signal']) {
  const method = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET')
  const dropped = method === 'GET' && bytes !== 'too-large'
  return new Call(method, url, headersOf(message.rawHeaders), dropped ? null : bytes, signal)
}

/** Reads the raw list, since Node's own object keeps only the first of two Authorization headers. */
function headersOf(raw: readonly string[]): ReadHeaders {
  const found = new Map<string, string>()
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name, value] = [(raw[i] as string).toLowerCase(), raw[i + 1] as string]
    const before = found.get(name)
    found.set(name, before === undefined ? value : before + (name === 'cookie' ? '; ' : ', ') + value)
  }
  return { get: (name) => found.get(name.toLowerCase()) ?? null, [Symbol.iterator]: () => found.entries() }
}

/** A client that leaves more than this of a stream unread is disconnected; 16 MiB. */
const UNREAD_LIMIT = 16 * 1024 * 1024

export function send(response: ServerResponse, { status, headers, body, cut, stream }: Reply): void {
  const flat: string[] = []
  for (const [name, value] of headers) flat.push(name, value)
  if (stream && response.req.method !== 'HEAD') {
    response.writeHead(status, flat)
    const write = (text: string) => {
      if (response.writableLength > UNREAD_LIMIT) response.destroy()
      else response.write(text)
    }
    response.on('close', stream(write))
    return
  }
  if (body !== null && !cut) flat.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, flat)
  if (cut) response.write(body ?? '', () => response.destroy())
  else response.end(body)
}

export type Listener<Result = void | Promise<void>> = (
  message: IncomingMessage,
  response: ServerResponse,
) => Result

/** A client may send several requests at once, which are carried out one after the other. */
export function inOrder(listener: Listener): Listener<void> {
  const busy = new WeakMap<Duplex, Promise<void>>()
  return (message, response) => {
    const { socket } = message
    // Node reports a client that left as an error of the response, which can be ignored.
    response.on('error', () => undefined)
    const before = busy.get(socket)
    const answer = () => listener(message, response)
    let work: ReturnType<Listener>
    try {
      work = before ? before.then(answer) : answer()
    } catch (error) {
      return fail(response, error)
    }
    if (!work) return
    const done = work
      .catch((error) => fail(response, error))
      .then(() => {
        if (busy.get(socket) === done) busy.delete(socket)
      })
    busy.set(socket, done)
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

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const text = `The emulator failed: ${error instanceof Error ? error.message : error}`
  send(response, jsonReply(500, { message: text }))
}
