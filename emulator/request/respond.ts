/** From a reply to a Response: headers, bytes, and where they are cut off. */
import { operation as contractOf, type OperationId } from '../../conformance/contract/operations.js'
import { ConnectionDropped } from '../arrange/faults.js'
import type { Decisions } from '../decisions/index.js'
import type { Authenticated } from './auth.js'

export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
  /** A fault gave it, in the place of the tracker. */
  readonly injected?: true
  /** The connection ends in the middle of the body. */
  readonly truncated?: true
}

interface Situation {
  readonly decisions: Decisions
  readonly vary: number | undefined
  readonly operation: OperationId | null
  readonly authenticated: Authenticated | null
}

/** A reply as it goes over the wire. */
export interface Worded extends Reply {
  readonly text: string
}

export function worded({ decisions, vary, operation, authenticated }: Situation, reply: Reply): Worded {
  const { headers, status } = reply
  const text = JSON.stringify(reply.body)
  const charset = decisions['error-content-type'] === 'charset' ? '; charset=utf-8' : ''
  if (!headers.has('content-type')) headers.set('content-type', `application/json${charset}`)
  const told = decisions['x-mantis-headers']
  if (told === 'always' || (told === 'on-success' && status === 200)) {
    headers.set('x-mantis-version', VERSION)
    if (authenticated) {
      headers.set('x-mantis-username', encodeURIComponent(authenticated.caller.username))
      headers.set('x-mantis-loginmethod', authenticated.method)
    }
  }
  const reads = operation !== null && contractOf(operation).method === 'GET' && status === 200
  if (reads && decisions['cache-and-etag'] === 'no-store')
    headers.set('cache-control', 'no-store, no-cache, must-revalidate')
  if (reads && decisions['cache-and-etag'] === 'etag') headers.set('etag', `"${fingerprint(text)}"`)
  if (vary !== undefined) headers.set('x-tracker-vary', String(vary))
  return { ...reply, text }
}

export function respond({ status, headers, text, truncated }: Worded): Response {
  const bodyless = [204, 205, 304].includes(status)
  return new Response(bodyless ? null : truncated ? cutOff(status, headers, text) : text, { status, headers })
}

/** The first half of a text, and then the end of the connection. */
function cutOff(status: number, headers: Headers, text: string): ReadableStream<Uint8Array> {
  headers.set('content-length', String(new TextEncoder().encode(text).length))
  const body = text.slice(0, text.length / 2)
  const parts = [new TextEncoder().encode(body)]
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.error(new ConnectionDropped({ status, headers: new Headers(headers), body }))
    },
  })
}

/** Of the family whose behaviour is the default. */
const VERSION = '2.29.0'

/** FNV-1a: enough to tell two answers apart. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
