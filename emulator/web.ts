/** The web's classes at the edge of the tracker, for a `fetch` that was put in the place of its own. */
import { ConnectionDropped } from './arrange/faults.js'
import type { Call } from './request/call.js'
import type { Outgoing } from './request/message.js'

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
