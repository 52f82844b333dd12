/** Between node's messages and the web's: what comes in becomes a Request, what goes out a Reply. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Reply {
  readonly status: number
  /** A name may occur more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Null where the status allows no body. */
  readonly body: string | null
}

export function jsonReply(
  status: number,
  value: unknown,
  headers: readonly (readonly [string, string])[] = [],
): Reply {
  return {
    status,
    headers: [['content-type', 'application/json'], ...headers],
    body: JSON.stringify(value),
  }
}

/** A body, or why there is none: it is too large, or the client left before its end. */
export type Body = Uint8Array<ArrayBuffer> | 'too-large' | 'gone'

const NOTHING = new Uint8Array(0)

export function readBody(message: IncomingMessage, limit: number): Promise<Body> | Body {
  if (!announcesBody(message)) return NOTHING
  if (Number(message.headers['content-length'] ?? 0) > limit) return 'too-large'
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (body: Body) => {
      message.off('data', onData).off('end', onEnd).off('close', onClose)
      resolve(body)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      message.pause()
      settle('too-large')
    }
    const onEnd = () => settle(Buffer.concat(chunks))
    const onClose = () => settle('gone')
    // Without a listener node would throw what `close` tells anyway.
    message.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

const announcesBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Throws a TypeError where the web's Request cannot hold the message. HEAD becomes GET, as every server must answer
 * it like one; node leaves the body of the answer out. GET has no body in the web's Request, so one is dropped.
 */
export function toRequest(
  message: IncomingMessage,
  url: string,
  body: Uint8Array<ArrayBuffer> | 'too-large',
  limit: number,
): Request {
  const headers = new Headers()
  const raw = message.rawHeaders
  // From the raw list: node keeps the first of two Authorization headers only.
  for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] as string, raw[i + 1] as string)
  if (body === 'too-large') {
    // The tracker judges the size by this header, so it can refuse in its own way what was never read.
    headers.delete('transfer-encoding')
    if (!headers.has('content-length')) headers.set('content-length', String(limit + 1))
  }
  const method = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET')
  const content = body === 'too-large' || body.length === 0 || method === 'GET' ? null : body
  return new Request(url, { method, headers, body: content })
}

export async function toReply(response: Response): Promise<Reply> {
  const body = response.body === null ? null : await response.text()
  return { status: response.status, headers: [...response.headers], body }
}

export function send(response: ServerResponse, reply: Reply): void {
  writeHead(response, reply, false)
  response.end(reply.body)
}

/** Refuses a message whose body was not read to its end, and closes the connection. */
export async function sendAndClose(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
): Promise<void> {
  writeHead(response, reply, true)
  response.write(reply.body ?? '')
  await linger(message)
  response.end()
}

function writeHead(response: ServerResponse, { status, headers, body }: Reply, close: boolean): void {
  const flat: string[] = []
  for (const [name, value] of headers) flat.push(name, value)
  if (body !== null) flat.push('content-length', String(Buffer.byteLength(body)))
  if (close) flat.push('connection', 'close')
  response.writeHead(status, flat)
}

/** What a client may still send, after it was refused, and for how long. */
const LINGER_BYTES = 4 * 1024 * 1024
const LINGER_MS = 2000

/**
 * Throws away a little more of a body that nobody wants. A connection closed at once is reset, and a client that is
 * still writing would then see a broken pipe rather than the answer.
 */
function linger(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (message.readableEnded || message.destroyed) return resolve()
    let left = LINGER_BYTES
    const done = () => {
      clearTimeout(timer)
      message.pause()
      resolve()
    }
    const timer = setTimeout(done, LINGER_MS)
    message.on('end', done).on('close', done).on('error', done)
    message.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) done()
    })
    message.resume()
  })
}
