/** From a reply to what goes out: headers, text, and where it is cut off. */
import { operation as contractOf, type OperationId } from '../../conformance/contract/operations.js'
import { ConnectionDropped } from '../arrange/faults.js'
import type { Decisions } from '../decisions/index.js'
import type { Authenticated } from './auth.js'
import type { HeaderList, Outgoing } from './incoming.js'

export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers: HeaderList
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

/** `text` is the body of the reply as JSON. */
export function respond(
  { decisions, vary, operation, authenticated }: Situation,
  reply: Reply,
  text: string,
): Outgoing {
  const { status } = reply
  const headers = [...reply.headers]
  const set = (name: string, value: string) => void headers.push([name, value])
  if (!headers.some(([name]) => name === 'content-type'))
    headers.push(shared[decisions['error-content-type']])
  const told = decisions['x-mantis-headers']
  if (told === 'always' || (told === 'on-success' && status === 200)) {
    headers.push(shared.version)
    if (authenticated) {
      set('x-mantis-username', encodeURIComponent(authenticated.caller.username))
      headers.push(shared[authenticated.method])
    }
  }
  const reads = operation !== null && contractOf(operation).method === 'GET' && status === 200
  if (reads && decisions['cache-and-etag'] === 'no-store')
    set('cache-control', 'no-store, no-cache, must-revalidate')
  if (reads && decisions['cache-and-etag'] === 'etag') set('etag', `"${fingerprint(text)}"`)
  if (vary !== undefined) set('x-tracker-vary', String(vary))
  if ([204, 205, 304].includes(status)) return { status, headers, body: null }
  if (!reply.truncated) return { status, headers, body: text }
  headers.push(lengthOf(text))
  return { status, headers, body: text.slice(0, text.length / 2), cut: true }
}

/** With its length, for those who would else send it in parts; not for those who may put another body in its place. */
export const withLength = (answer: Outgoing): Outgoing =>
  answer.cut || answer.body === null
    ? answer
    : { ...answer, headers: [...answer.headers, lengthOf(answer.body)] }

/** The same as the web says it: a body that is cut off is a stream that fails. */
export function responseOf(answer: Outgoing): Response {
  const { status, headers, body, cut } = answer
  const init = { status, headers: headers as [string, string][] }
  return new Response(cut ? failing(body ?? '', answer) : body, init)
}

const encoder = new TextEncoder()
const lengthOf = (text: string): HeaderList[number] => ['content-length', String(encoder.encode(text).length)]

/** A text, and then the end of the connection. */
function failing(text: string, { status, headers }: Outgoing): ReadableStream<Uint8Array> {
  const parts = [new TextEncoder().encode(text)]
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else {
        const sent = { status, headers: new Headers(headers as [string, string][]), body: text }
        controller.error(new ConnectionDropped(sent))
      }
    },
  })
}

/** Shared by all answers, which the journal keeps alive. */
const shared = {
  plain: ['content-type', 'application/json'],
  charset: ['content-type', 'application/json; charset=utf-8'],
  /** Of the family whose behaviour is the default. */
  version: ['x-mantis-version', '2.29.0'],
  'api-token': ['x-mantis-loginmethod', 'api-token'],
  cookie: ['x-mantis-loginmethod', 'cookie'],
} satisfies Record<string, HeaderList[number]>

/** FNV-1a: enough to tell two answers apart. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
