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
    const message = `The control plane answers at localhost, at ${hostname} and at IP addresses, such as http://172.18.0.2:8787, not at the name "${host}"`
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
    return sealed(
      await handler(body, Number(id), new URL(new URL(baseUrl).pathname, `http://${headers.host}`).href),
    )
  }
}

/** What the reference says of each route: method and path, body, and what it does. */
export const controlWords: readonly (readonly [route: string, body: string, meaning: string])[] = [
  ['GET health', '', 'what is running: version, base URL, `ext`, `vary`'],
  ['GET profile', '', 'a profile for `tracker-kit check`, at the address that was asked'],
  ['POST reset', '', 'back to the starting state and time; the journal and the faults are emptied'],
  ['GET journal', '', 'the last calls, each with the reason why it was refused'],
  ['GET state', '', 'the whole state'],
  ['PUT state', 'what `GET state` gave', 'puts it back; a state that does not fit changes nothing'],
  ['GET outbox', '', 'the mails that a tracker would have sent'],
  ['GET violations', '', 'what requests had that the document does not allow'],
  ['GET breaches', '', 'answers of the emulator that the document does not allow'],
  ['GET coverage', '', 'which operations, errors and roles calls have met'],
  ['GET decisions', '', 'the value of each decision'],
  ['PATCH decisions', '`{ "wrong-method": "not-found" }`', 'decides otherwise from the next request on'],
  ['GET clock', '', 'the time'],
  ['POST clock', '`{ "advance": "2h" }`', 'moves it; a number is in milliseconds'],
  ['GET instances', '', 'the names of the trackers under `/i/NAME`, and how many there may be'],
  ['DELETE instances', '', 'ends all of them'],
  ['GET openapi.json', '', 'the interface as OpenAPI 3.1'],
  ['GET faults', '', 'the faults that may still strike'],
  ['POST faults', '`{ "operation": "getUser", "status": 503, "times": 1 }`', 'injects a fault'],
  ['DELETE faults', '', 'takes all of them back'],
  ['DELETE faults/{id}', '', 'takes one back'],
]

export function routesOf(tracker: Tracker, baseUrl: string, instances: Instances): Routes {
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
    // As it was asked for: the port of a container is another one outside.
    profile: { GET: (_, __, asked) => pretty(tracker.profileFor(asked)) },
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
