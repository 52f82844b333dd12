/** Lets pages of other origins use the REST root, also with credentials. The control plane stays closed to them. */
import type { IncomingMessage } from 'node:http'
import type { Reply } from './message.js'

export const METHODS = 'GET, POST, PUT, PATCH, DELETE'

type Entries = [name: string, value: string][]

/** The origin itself instead of `*`: a browser that sends credentials, such as a session cookie, rejects `*`. */
const allowed = (origin: string): Entries => [
  ['access-control-allow-origin', origin],
  ['access-control-allow-credentials', 'true'],
]

export function allowing(origin: string, names: Iterable<string>): Entries {
  const exposed = [...new Set(names)].join(', ')
  return [...allowed(origin), ['access-control-expose-headers', exposed], ['vary', 'Origin']]
}

/** Headers for the answer to a preflight request. `wanted` lists the headers that the browser wants to send. */
export const allowingToSend = (origin: string, wanted: string | null | undefined): Entries => [
  ...allowed(origin),
  ['access-control-allow-methods', METHODS],
  ['access-control-allow-headers', wanted ?? 'authorization, content-type'],
  ['access-control-max-age', '600'],
  ['vary', 'Origin, Access-Control-Request-Headers'],
]

export function preflight({ method, headers }: IncomingMessage): Reply | null {
  const { origin } = headers
  if (method !== 'OPTIONS' || !origin || !headers['access-control-request-method']) return null
  const wanted = headers['access-control-request-headers']
  return { status: 204, headers: allowingToSend(origin, wanted), body: null }
}

export function withCors({ headers: { origin } }: IncomingMessage, reply: Reply): Reply {
  if (origin === undefined) return reply
  const names = reply.headers.map(([name]) => name)
  return { ...reply, headers: [...reply.headers, ...allowing(origin, names)] }
}
