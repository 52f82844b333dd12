/** The control plane. It needs no token, so it answers only at host names that no web page can take over. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { inspectorRoutes } from '../inspector/routes.js'
import type { RunSuite } from '../inspector/suite.js'
import type { Tracker } from '../types.js'
import type { Instances } from './instances.js'
import { jsonReply, type Reply } from './message.js'
import type { ControlRequest, Route } from './routes.js'
import { CONTROL_ROOT, controlRoutes, methodOf, parse, pathOf } from './routes.js'

interface ControlCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

export type Control = ReturnType<typeof createControl>

/** The refusal of a call by its headers, or null. `hostname` is that of the server. */
function refusal({ method, headers }: ControlCall, hostname: string): Reply | null {
  const { host = '', origin } = headers
  const called = hostnameOf(host)
  const refuse = (message: string) => jsonReply(403, { message: `The control plane ${message}` })
  // A page can point its own host name at this machine, but has no control over addresses or the server's name.
  if (called !== 'localhost' && called !== hostname && isIP(called) === 0)
    return refuse(
      `answers at localhost, at ${hostname} and at IP addresses, such as http://172.18.0.2:8787, not at the name "${host}"`,
    )
  if (method === 'GET' || method === 'HEAD') return null
  const site = headers['sec-fetch-site']
  const foreign =
    (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  return foreign ? refuse(`takes changes from its own page only, not from ${origin ?? 'another site'}`) : null
}

function hostnameOf(host: string): string {
  const url = `http://${host}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : ''
}

export function createControl(tracker: Tracker, baseUrl: string, instances: Instances, runSuite?: RunSuite) {
  const routes = [...controlRoutes, ...inspectorRoutes(tracker, runSuite)]
  const known = new Set(routes.filter(({ meaning }) => meaning).map(pathOf))
  const hostname = hostnameOf(new URL(baseUrl).host)
  const answer = ({ method, path, query, headers, body }: ControlCall): Reply | Promise<Reply> => {
    if (path === CONTROL_ROOT) return { status: 308, headers: [['location', `${CONTROL_ROOT}/`]], body: '' }
    const name = path.slice(CONTROL_ROOT.length + 1)
    const all = routes.filter((route) => pathOf(route) === name.replace(/(?<=\/)\d+$/, '{id}'))
    if (all.length === 0)
      return jsonReply(404, { message: `The control plane has no "${name}", only ${[...known].join(', ')}` })
    const wanted = method === 'HEAD' ? 'GET' : method
    const route = all.find((one) => methodOf(one) === wanted)
    const allow = all.map(methodOf).join(', ')
    if (!route)
      return jsonReply(405, { message: `${path} takes ${allow}, not ${method}` }, [['allow', allow]])
    const asked = new URL(new URL(baseUrl).pathname, `http://${headers.host}`).href
    const json = () => parse(body)
    return replyOf(route, { tracker, baseUrl, instances, query, json, id: Number(name.split('/')[1]), asked })
  }
  return async (call: ControlCall) => sealed(refusal(call, hostname) ?? (await answer(call)))
}

/** An error during a change or a query is the sender's mistake. */
async function replyOf(route: Route, request: ControlRequest): Promise<Reply> {
  try {
    return await route.answer(request)
  } catch (error) {
    if (methodOf(route) === 'GET' && request.query.size === 0) throw error
    return jsonReply(400, { message: error instanceof Error ? error.message : String(error) })
  }
}

/** Adds headers that stop other pages from embedding the state and the journal, and browsers from storing them. */
function sealed(reply: Reply): Reply {
  const headers = [
    ['cache-control', 'no-store'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['x-content-type-options', 'nosniff'],
  ] as const
  return { ...reply, headers: [...reply.headers, ...headers] }
}
