/** Converts a web request to a call, and a call to a web request for a tracker with a stubbed `fetch`. */
import { ConnectionDropped } from './arrange/faults.js'
import { Call } from './request/call.js'
import { BODY_LIMIT, type Outgoing } from './request/message.js'
import type { Tracker } from './types.js'

export async function callOfRequest(request: Request): Promise<Call> {
  const { method, url, headers, signal } = request
  const tooLarge = Number(headers.get('content-length') ?? 0) > BODY_LIMIT
  const bytes = request.body === null || tooLarge ? null : new Uint8Array(await request.arrayBuffer())
  return new Call(method, url, headers, tooLarge ? 'too-large' : bytes, signal)
}

/** The answer of a `fetch` to a call. Rejects if the connection must end without an answer. */
export async function askedByFetch(fetch: Tracker['fetch'], call: Call): Promise<Outgoing> {
  const response = await fetch(requestOf(call))
  const { status, headers } = response
  try {
    return { status, headers: [...headers], body: response.body && (await response.text()) }
  } catch (error) {
    if (!(error instanceof ConnectionDropped && error.sent)) throw error
    const { sent } = error
    return { status: sent.status, headers: [...sent.headers], body: sent.body, cut: true }
  }
}

function requestOf({ url, method, headers, bytes, signal }: Call): Request {
  const all = new Headers([...headers])
  // The body was not kept: the length alone makes the tracker refuse it.
  if (bytes === 'too-large') all.set('content-length', String(Number.MAX_SAFE_INTEGER))
  const body = bytes === 'too-large' ? null : (bytes as Uint8Array<ArrayBuffer> | null)
  return new Request(url, { method, headers: all, body, signal })
}
