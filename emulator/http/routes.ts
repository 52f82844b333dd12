/** The routes of the control plane, each with its description and its answer. */
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { openApi } from '../../conformance/contract/openapi.js'
import { operationIds } from '../../conformance/contract/operations.js'
import { troubleOf } from '../../conformance/contract/trouble.js'
import { version } from '../../conformance/contract/version.js'
import type { Duration } from '../arrange/clock.js'
import type { Fault } from '../arrange/faults.js'
import type { DecisionInput } from '../decisions/index.js'
import { parseJson } from '../request/json.js'
import type { State } from '../state/collections.js'
import type { CallFilter, Tracker } from '../types.js'
import type { Instances } from './instances.js'
import { jsonReply, type Reply } from './message.js'

export const CONTROL_ROOT = '/__tracker'

export interface ControlRequest {
  readonly tracker: Tracker
  /** The tracker's REST root at the server's own address. */
  readonly baseUrl: string
  readonly instances: Instances
  readonly query: URLSearchParams
  /** The JSON of the body. Throws one line if the body is not JSON. */
  json(): unknown
  /** The value of `{id}` in the path; NaN if the path has none. */
  readonly id: number
  /** The REST root at the address that the caller used. */
  readonly asked: string
}

export interface Route {
  /** The method, and the path below the control plane's root: `GET faults`, `DELETE faults/{id}`. */
  readonly route: string
  /** What the route does, for the reference and the page; null if only the page uses it. */
  readonly meaning: string | null
  /** The body or query that it takes, as the reference shows it. */
  readonly takes: string
  /** An error is the sender's mistake, unless the route only reads. */
  answer(request: ControlRequest): Reply | Promise<Reply>
}

type Name = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`
type Words = string | null | readonly [meaning: string, takes: string]
type Work<T> = (request: ControlRequest) => T | Promise<T>

export function route(name: Name, words: Words, answer: Work<Reply>): Route {
  const [meaning, takes] = Array.isArray(words) ? words : [words, '']
  return { route: name, meaning, takes, answer }
}

/** Answers with the result of `work` as JSON; with `{"status": "ok"}` if there is none. */
export const jsonRoute = (name: Name, words: Words, work: Work<unknown>): Route =>
  route(name, words, async (request) => pretty((await work(request)) ?? { status: 'ok' }))

export const methodOf = (one: Route) => one.route.slice(0, one.route.indexOf(' '))
export const pathOf = (one: Route) => one.route.slice(one.route.indexOf(' ') + 1)

/** Indented, since people read this in the browser. */
function pretty(value: unknown): Reply {
  return { ...jsonReply(200, null), body: `${JSON.stringify(value, null, 2)}\n` }
}

export function parse(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new TypeError(`The body is not JSON: ${troubleOf(error)}`)
  }
}

export const controlRoutes: readonly Route[] = [
  jsonRoute('GET health', 'what is running: version, base URL, `ext`, `vary`', ({ tracker, baseUrl }) => {
    const { ext, vary, decisions } = tracker
    return { status: 'ok', version, baseUrl, ext, vary, decisions: Object.keys(decisions).length }
  }),
  // The address that the request used: a container has another port outside.
  jsonRoute('GET profile', 'a profile for `tracker-kit check`, with the address of this request', (request) =>
    request.tracker.profileFor(request.asked),
  ),
  jsonRoute(
    'POST reset',
    'back to the starting state and time; the journal and the faults are emptied, and decisions stay',
    (asked) => asked.tracker.reset(),
  ),
  jsonRoute(
    'GET journal',
    [
      'the last 1,000 calls, each with the reason why it was refused; as HAR for `judge`',
      '`?operation=getUser&caller=nina&status=403&limit=10&format=har`',
    ],
    journalOf,
  ),
  jsonRoute('GET state', 'the whole state', ({ tracker }) => tracker.snapshot()),
  jsonRoute(
    'PUT state',
    ['restores a state; an invalid one changes nothing', 'the result of `GET state`'],
    ({ tracker, json }) => tracker.restore(json() as State),
  ),
  jsonRoute('GET outbox', 'the mails that a tracker would have sent', ({ tracker }) => tracker.outbox),
  jsonRoute('GET violations', 'requests that break the document', ({ tracker }) => tracker.violations),
  jsonRoute('GET coverage', 'which operations, errors and roles the calls covered', (asked) =>
    asked.tracker.coverage(),
  ),
  jsonRoute('GET decisions', 'the value of each decision', ({ tracker }) => tracker.decisions),
  jsonRoute(
    'PATCH decisions',
    ['changes decisions from the next request on', '`{ "wrong-method": "not-found" }`'],
    ({ tracker, json }) =>
      tracker.decide(checked(decisionsBody, json(), 'decisions')).then(() => tracker.decisions),
  ),
  jsonRoute('GET clock', 'the time', ({ tracker }) => clockOf(tracker)),
  jsonRoute('POST clock', ['advances it; a number is in milliseconds', '`{ "advance": "2h" }`'], (asked) => {
    asked.tracker.clock.advance(checked(clockBody, asked.json(), 'clock').advance as Duration)
    return clockOf(asked.tracker)
  }),
  jsonRoute('GET instances', 'the names of the trackers under `/i/NAME`, and how many are allowed', (asked) =>
    namesOf(asked.instances),
  ),
  jsonRoute('DELETE instances', 'ends all of them', ({ instances }) => {
    instances.clear()
    return namesOf(instances)
  }),
  jsonRoute('GET openapi.json', 'the interface as OpenAPI 3.1', ({ tracker: { ext }, baseUrl }) =>
    openApi({ baseUrl, ext }),
  ),
  jsonRoute('GET faults', 'the faults that may still hit a call', ({ tracker }) => tracker.faults.active),
  jsonRoute(
    'POST faults',
    ['injects a fault', '`{ "operation": "getUser", "status": 503, "times": 1 }`'],
    ({ tracker: { faults }, json }) => {
      faults.inject(json() as Fault)
      return faults.active
    },
  ),
  jsonRoute('DELETE faults', 'removes all faults', ({ tracker: { faults } }) => {
    faults.clear()
    return faults.active
  }),
  jsonRoute('DELETE faults/{id}', 'removes one fault', ({ tracker: { faults }, id }) => {
    faults.clear(id)
    return faults.active
  }),
]

const decisionsBody = z.record(z.string(), z.unknown()) as z.ZodType<DecisionInput>
const clockBody = z.strictObject({
  advance: z.union([z.number(), z.string()], { error: 'must be a text such as "2h", or milliseconds' }),
})

const journalQuery = z.strictObject({
  operation: z.enum(operationIds).optional(),
  caller: z.string().optional(),
  status: z.coerce.number<string>().int().optional(),
  limit: z.coerce.number<string>().int().min(1).optional(),
  format: z.enum(['json', 'har']).optional(),
})

/** A HAR has the address at which the journal was asked for, since the calls came to the same server. */
function journalOf({ tracker, query, asked }: ControlRequest): unknown {
  const wanted = checked(journalQuery, Object.fromEntries(query), 'journal', 'parameter')
  const { format, limit = Number.POSITIVE_INFINITY, ...filter } = wanted
  const entries = tracker.calls(filter as CallFilter).slice(-limit)
  if (format !== 'har') return entries
  const har = tracker.journal.har(entries)
  for (const { request } of har.log.entries)
    request.url = request.url.replace(/^https?:\/\/[^/]+/, new URL(asked).origin)
  return har
}

const clockOf = ({ clock }: ControlRequest['tracker']) => ({ now: clock.now().toISOString() })
const namesOf = ({ limit, names }: Instances) => ({ limit, names })
