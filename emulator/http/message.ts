/** Converts Node's messages to calls, and replies to Node's responses. */
import type { IncomingMessage, ServerResponse } from 'node:http'
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
export function callOfMessage(
  message: IncomingMessage,
  url: string,
  bytes: Bytes,
  signal: AbortSignal | null,
): Call {
  const method = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET')
  const dropped = method === 'GET' && bytes !== 'too-large'
  return new Call(method, url, new RawHeaders(message.rawHeaders), dropped ? null : bytes, signal)
}

/** Reads the raw list, since Node's own object keeps only the first of two Authorization headers. */
class RawHeaders implements ReadHeaders {
  constructor(readonly raw: readonly string[]) {}

  get(wanted: string): string | null {
    const name = wanted.toLowerCase()
    const { raw } = this
    let found: string | null = null
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const other = raw[i] as string
      if (other.length !== name.length || other.toLowerCase() !== name) continue
      const value = raw[i + 1] as string
      found = found === null ? value : found + (name === 'cookie' ? '; ' : ', ') + value
    }
    return found
  }

  *[Symbol.iterator](): Generator<[name: string, value: string]> {
    const names = this.raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
    for (const name of new Set(names)) yield [name, this.get(name) ?? '']
  }
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
