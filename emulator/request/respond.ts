/** Makes the answer for the transport: its headers and its text, truncated if a fault says so. */
import { operation as contractOf } from '../../conformance/contract/operations.js'
import { ConnectionDropped } from '../arrange/faults.js'
import type { Call } from './call.js'
import type { HeaderList, Outgoing } from './message.js'

/** `text` is the body of the answer as JSON. */
export function respond(call: Call, text: string): Outgoing {
  const { decisions, operation, status, answerHeaders: headers } = call
  const set = (name: string, value: string) => void headers.push([name, value])
  if (!headers.some(([name]) => name === 'content-type')) headers.push(fixed[decisions['error-content-type']])
  const told = decisions['x-mantis-headers']
  if (told === 'always' || (told === 'on-success' && status === 200)) {
    headers.push(fixed.version)
    if (call.caller && call.session) {
      set('x-mantis-username', encodeURIComponent(call.caller.username))
      headers.push(call.session.kind === 'cookie' ? fixed.cookie : fixed.token)
    }
  }
  const reads = operation !== null && contractOf(operation).method === 'GET' && status === 200
  if (reads && decisions['cache-and-etag'] === 'no-store') headers.push(fixed.uncached)
  if (reads && decisions['cache-and-etag'] === 'etag') set('etag', `"${fingerprint(text)}"`)
  if (call.setup.vary !== undefined) set('x-tracker-vary', String(call.setup.vary))
  if (status === 204 || status === 205 || status === 304) return { status, headers, body: null }
  if (!call.truncated) return { status, headers, body: text }
  headers.push(lengthOf(text))
  return { status, headers, body: text.slice(0, text.length / 2), cut: true }
}

/** Shared by all answers to save memory, since the journal keeps them. */
const fixed = {
  plain: ['content-type', 'application/json'],
  charset: ['content-type', 'application/json; charset=utf-8'],
  /** The version of the family whose behaviour is the default. */
  version: ['x-mantis-version', '2.29.0'],
  token: ['x-mantis-loginmethod', 'api-token'],
  cookie: ['x-mantis-loginmethod', 'cookie'],
  uncached: ['cache-control', 'no-store, no-cache, must-revalidate'],
} satisfies Record<string, HeaderList[number]>

/** The FNV-1a hash, which is enough to tell two answers apart. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}

/** Adds the length; without it, msw sends the body in parts. A caller that may replace the body must not use this. */
export function withLength(answer: Outgoing): Outgoing {
  if (answer.cut || answer.body === null) return answer
  return { ...answer, headers: [...answer.headers, lengthOf(answer.body)] }
}

/** The answer as a web `Response`. A truncated body is a stream that fails. */
export function responseOf(answer: Outgoing): Response {
  const { status, headers, body, cut } = answer
  const init = { status, headers: headers as [string, string][] }
  return new Response(cut ? failing(body ?? '', answer) : body, init)
}

const encoder = new TextEncoder()
const lengthOf = (text: string): HeaderList[number] => ['content-length', String(encoder.encode(text).length)]

function failing(text: string, { status, headers }: Outgoing): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(text)),
    // Called once the text was read.
    pull(controller) {
      const sent = { status, headers: new Headers(headers as [string, string][]), body: text }
      controller.error(new ConnectionDropped(sent))
    },
  })
}
