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
import type { State } from '../state/store.js'
import type { Fault, Tracker } from '../types.js'
import type { Instances } from './instances.js'
import { jsonReply, type Reply } from './message.js'
import { page } from './page.js'

export const CONTROL_ROOT = '/__tracker'

export interface ControlCall {
  readonly method: string
  /** Path alone, from `/__tracker` on. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

type Handler = (body: Uint8Array) => Reply | Promise<Reply>
type Routes = Readonly<Record<string, Readonly<Partial<Record<string, Handler>>>>>

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
): (call: ControlCall) => Promise<Reply> {
  const routes = routesOf(tracker, baseUrl, instances)
  const hostname = hostnameOf(new URL(baseUrl).host)
  return async ({ method, path, headers, body }) => {
    const refused = refusal(method, headers, hostname)
    if (refused) return sealed(refused)
    if (path === CONTROL_ROOT) return { status: 308, headers: [['location', `${CONTROL_ROOT}/`]], body: '' }
    const name = path.slice(CONTROL_ROOT.length + 1)
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined
    if (!route) {
      const known = Object.keys(routes).filter((key) => key !== '')
      const message = `The control plane has no "${name}", only ${known.join(', ')}`
      return sealed(jsonReply(404, { message }))
    }
    const asked = method === 'HEAD' ? 'GET' : method
    const handler = Object.hasOwn(route, asked) ? route[asked] : undefined
    if (!handler) {
      const allow = Object.keys(route).join(', ')
      return sealed(jsonReply(405, { message: `${path} takes ${allow}, not ${method}` }, [['allow', allow]]))
    }
    return sealed(await handler(body))
  }
}

function routesOf(tracker: Tracker, baseUrl: string, instances: Instances): Routes {
  const done = () => pretty({ status: 'ok' })
  const faults = () => pretty(tracker.faults.active)
  const clock = () => pretty({ now: tracker.clock.now().toISOString() })
  const named = () => pretty({ limit: instances.limit, names: instances.names })
  return {
    '': { GET: () => html(page(tracker, baseUrl)) },
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
    decisions: { GET: () => pretty(tracker.decisions) },
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
          tracker.faults.inject(parseFault(parse(body)))
          return faults()
        }),
      DELETE: () => {
        tracker.faults.clear()
        return faults()
      },
    },
  }
}

/** What the tracker or a parser throws is the sender's mistake. */
async function refusing(work: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    return jsonReply(400, { message: error instanceof Error ? error.message : String(error) })
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new TypeError(`The body is not JSON: ${(error as Error).message}`)
  }
}

/** The shapes alone: the tracker itself says which values make sense. */
const faultSchema = z.strictObject({
  operation: z.string().optional(),
  when: z
    .strictObject({
      operation: z.string().optional(),
      path: z.record(z.string(), z.string()).optional(),
      body: z.unknown().optional(),
      caller: z.string().nullish(),
    })
    .optional(),
  status: z.number().optional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  delay: z.union([z.number(), z.string()]).optional(),
  transport: z.string().optional(),
  phase: z.string().optional(),
  nth: z.number().optional(),
  times: z.number().optional(),
  probability: z.number().optional(),
  seed: z.number().optional(),
})

function parseFault(value: unknown): Fault {
  const result = faultSchema.safeParse(value)
  if (result.success) return result.data as Fault
  const [issue] = result.error.issues
  throw new TypeError(`Not a fault: ${z.core.toDotPath(issue?.path ?? []) || 'it'}: ${issue?.message}`)
}

function parseAdvance(value: unknown): Duration {
  const result = z.strictObject({ advance: z.union([z.number(), z.string()]) }).safeParse(value)
  if (result.success) return result.data.advance as Duration
  throw new TypeError('The clock takes { "advance": "2h" }, or a number of milliseconds in its place')
}

/** Indented: people read these in the browser. */
function pretty(value: unknown): Reply {
  return { ...jsonReply(200, null), body: `${JSON.stringify(value, null, 2)}\n` }
}

function html(text: string): Reply {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
  return {
    status: 200,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-security-policy', policy],
    ],
    body: text,
  }
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
