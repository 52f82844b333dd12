/** Lets pages of other origins use the REST root, also with credentials. The control plane stays closed to them. */
import type { HeaderList, Outgoing } from '../request/message.js'

/** The origin itself instead of `*`: a browser that sends credentials, such as a session cookie, rejects `*`. */
const allowed = (origin: string): HeaderList => [
  ['access-control-allow-origin', origin],
  ['access-control-allow-credentials', 'true'],
]

/** The answer to a preflight request. `wanted` lists the headers that the browser wants to send. */
export function preflight(origin: string, wanted: string | null | undefined): Outgoing {
  const headers: HeaderList = [
    ...allowed(origin),
    ['access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE'],
    ['access-control-allow-headers', wanted ?? 'authorization, content-type'],
    ['access-control-max-age', '600'],
    ['vary', 'Origin, Access-Control-Request-Headers'],
  ]
  return { status: 204, headers, body: null }
}

/** The answer as the page may read it; the same answer if no page asks. */
export function withCors(origin: string | null | undefined, answer: Outgoing): Outgoing {
  if (origin == null) return answer
  const names = [...new Set(answer.headers.map(([name]) => name))].join(', ')
  const added: HeaderList = [...allowed(origin), ['access-control-expose-headers', names], ['vary', 'Origin']]
  return { ...answer, headers: [...answer.headers, ...added] }
}
