/** Between the web's classes and the tracker: a request becomes a call, and a call a request for a `fetch` of somebody else. */
import { ConnectionDropped } from './arrange/faults.js'
import { Call } from './request/call.js'
import { BODY_LIMIT, type Outgoing } from './request/message.js'

/** The call of a web request. Rejects where its body cannot be read. */
export async function callOfRequest(request: Request): Promise<Call> {
  const { method, url, headers, signal } = request
  const tooLarge = Number(headers.get('content-length') ?? 0) > BODY_LIMIT
  const bytes = request.body === null || tooLarge ? null : new Uint8Array(await request.arrayBuffer())
  return new Call(method, url, headers, tooLarge ? 'too-large' : bytes, signal)
}

/** What a `fetch` answers to a call. Rejects where the connection is to end without an answer. */
export async function askedByFetch(
  fetch: (request: Request) => Promise<Response>,
  call: Call,
): Promise<Outgoing> {
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
  // What was never kept is refused by its length.
  if (bytes === 'too-large') all.set('content-length', String(Number.MAX_SAFE_INTEGER))
  const body = bytes === 'too-large' ? null : (bytes as Uint8Array<ArrayBuffer> | null)
  return new Request(url, { method, headers: all, body, signal })
}
