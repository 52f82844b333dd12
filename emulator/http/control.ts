/**
 * The control plane: what a test, a script or a person at the browser does to the emulator itself. It changes
 * everything without a token, so it answers only at names that no web page can make its own, and it refuses changes
 * that a page of another origin asks for.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { z } from 'zod'
import { openApi } from '../../conformance/contract/openapi.js'
import { version } from '../../conformance/contract/version.js'
import type { Duration } from '../arrange/clock.js'
import type { DecisionInput } from '../decisions/index.js'
import { inspectorRoutes } from '../inspector/routes.js'
import type { RunSuite } from '../inspector/suite.js'
import type { State } from '../state/store.js'
import type { Fault, Tracker } from '../types.js'
import type { Instances } from './instances.js'
import { jsonReply, type Reply } from './message.js'
import { CONTROL_ROOT, parse, pretty, type Routes, refusing } from './routes.js'

export interface ControlCall {
  readonly method: string
  /** Path alone, from `/__tracker` on. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

export type Control = (call: ControlCall) => Promise<Reply>

/** Refused before the call is looked at, or null. `hostname` is the server's own. */
function refusal(method: string, headers: IncomingHttpHeaders, hostname: string): Reply | null {
  const { host = '', origin } = headers
  const called = hostnameOf(host)
  // A page can point its own name at this machine, but neither an address nor the name that the server was given.
  if (called !== 'localhost' && called !== hostname && isIP(called) === 0) {
    const message = `The control plane answers at localhost, an address or ${hostname}, not at "${host}"`
    return jsonReply(403, { message })
  }
  if (method === 'GET' || method === 'HEAD') return null
  const site = headers['sec-fetch-site']
  const foreign =
    (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (!foreign) return null
  const message = `The control plane takes changes from its own page only, not from ${origin ?? 'another site'}`
  return jsonReply(403, { message })
}

/** Without the port and, where it is an address of version 6, without its brackets. */
function hostnameOf(host: string): string {
  const url = `http://${host}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : ''
}

export function createControl(
  tracker: Tracker,
  baseUrl: string,
  instances: Instances,
  runSuite?: RunSuite,
): Control {
  const routes = {
    ...inspectorRoutes(tracker, baseUrl, runSuite),
    ...routesOf(tracker, baseUrl, instances),
  }
  const hostname = hostnameOf(new URL(baseUrl).host)
  return async ({ method, path, headers, body }) => {
    const refused = refusal(method, headers, hostname)
    if (refused) return sealed(refused)
    if (path === CONTROL_ROOT) return { status: 308, headers: [['location', `${CONTROL_ROOT}/`]], body: '' }
    const name = path.slice(CONTROL_ROOT.length + 1)
    const [, id] = /\/(\d+)$/.exec(name) ?? []
    const pattern = id === undefined ? name : `${name.slice(0, -id.length)}{id}`
    const route = Object.hasOwn(routes, pattern) ? routes[pattern] : undefined
    if (!route) {
      const known = Object.keys(routes).filter((key) => !/^$|^assets\/|^inspector\//.test(key))
      const message = `The control plane has no "${name}", only ${known.join(', ')}`
      return sealed(jsonReply(404, { message }))
    }
    const asked = method === 'HEAD' ? 'GET' : method
    const handler = Object.hasOwn(route, asked) ? route[asked] : undefined
    if (!handler) {
      const allow = Object.keys(route).join(', ')
      return sealed(jsonReply(405, { message: `${path} takes ${allow}, not ${method}` }, [['allow', allow]]))
    }
    return sealed(await handler(body, Number(id)))
  }
}

function routesOf(tracker: Tracker, baseUrl: string, instances: Instances): Routes {
  const done = () => pretty({ status: 'ok' })
  const faults = () => pretty(tracker.faults.active)
  const clock = () => pretty({ now: tracker.clock.now().toISOString() })
  const named = () => pretty({ limit: instances.limit, names: instances.names })
  return {
    health: {
      GET: () =>
        pretty({
          status: 'ok',
          version,
          baseUrl,
          ext: tracker.ext,
          vary: tracker.vary,
          decisions: Object.keys(tracker.decisions).length,
        }),
    },
    profile: { GET: () => pretty(tracker.profileFor(baseUrl)) },
    reset: {
      POST: async () => {
        await tracker.reset()
        return done()
      },
    },
    journal: { GET: () => pretty(tracker.journal) },
    state: {
      GET: () => pretty(tracker.snapshot()),
      PUT: (body) =>
        refusing(async () => {
          await tracker.restore(parse(body) as State)
          return done()
        }),
    },
    outbox: { GET: () => pretty(tracker.outbox) },
    violations: { GET: () => pretty(tracker.violations) },
    breaches: { GET: () => pretty(tracker.breaches) },
    coverage: { GET: () => pretty(tracker.coverage()) },
    decisions: {
      GET: () => pretty(tracker.decisions),
      PATCH: (body) =>
        refusing(async () => {
          await tracker.decide(parseDecisions(parse(body)))
          return pretty(tracker.decisions)
        }),
    },
    clock: {
      GET: clock,
      POST: (body) =>
        refusing(() => {
          tracker.clock.advance(parseAdvance(parse(body)))
          return clock()
        }),
    },
    instances: {
      GET: named,
      DELETE: () => {
        instances.clear()
        return named()
      },
    },
    'openapi.json': { GET: () => pretty(openApi({ baseUrl, ext: tracker.ext })) },
    faults: {
      GET: faults,
      POST: (body) =>
        refusing(() => {
          tracker.faults.inject(parse(body) as Fault)
          return faults()
        }),
      DELETE: () => {
        tracker.faults.clear()
        return faults()
      },
    },
    'faults/{id}': {
      DELETE: (_, id) => {
        tracker.faults.clear(id)
        return faults()
      },
    },
  }
}

function parseDecisions(value: unknown): DecisionInput {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new TypeError('Decisions are an object with a value for each id')
}

function parseAdvance(value: unknown): Duration {
  const result = z.strictObject({ advance: z.union([z.number(), z.string()]) }).safeParse(value)
  if (result.success) return result.data.advance as Duration
  throw new TypeError('The clock takes { "advance": "2h" }, or a number of milliseconds in its place')
}

/** State and journal are nobody else's to embed or to keep. */
function sealed(reply: Reply): Reply {
  const headers = [
    ['cache-control', 'no-store'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['x-content-type-options', 'nosniff'],
  ] as const
  return { ...reply, headers: [...reply.headers, ...headers] }
}
