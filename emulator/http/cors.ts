/** Lets pages of other origins use the REST root. The control plane stays closed to them. */
import type { IncomingMessage } from 'node:http'
import type { Reply } from './message.js'

/** Those that the interface knows. */
export const METHODS = 'GET, POST, PUT, PATCH, DELETE'

/** The answer to a browser that asks before it sends; null where the message is no such question. */
export function preflight({ method, headers }: IncomingMessage): Reply | null {
  const { origin } = headers
  if (method !== 'OPTIONS' || !origin || !headers['access-control-request-method']) return null
  return {
    status: 204,
    headers: [
      ['access-control-allow-origin', origin],
      ['access-control-allow-methods', METHODS],
      [
        'access-control-allow-headers',
        headers['access-control-request-headers'] ?? 'authorization, content-type',
      ],
      ['access-control-max-age', '600'],
      ['vary', 'Origin, Access-Control-Request-Headers'],
    ],
    body: null,
  }
}

export function withCors({ headers: { origin } }: IncomingMessage, reply: Reply): Reply {
  if (origin === undefined) return reply
  const cors = [
    ['access-control-allow-origin', origin],
    ['access-control-expose-headers', '*'],
    ['vary', 'Origin'],
  ] as const
  return { ...reply, headers: [...reply.headers, ...cors] }
}
