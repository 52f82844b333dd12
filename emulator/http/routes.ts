/** What the control plane is made of: routes, each with its words and its answer. */
import { troubleOf } from '../../conformance/contract/trouble.js'
import { parseJson } from '../request/json.js'
import type { Tracker } from '../types.js'
import type { Instances } from './instances.js'
import { jsonReply, type Reply } from './message.js'

export const CONTROL_ROOT = '/__tracker'

export interface ControlRequest {
  readonly tracker: Tracker
  /** The REST root of the tracker at the server's own address. */
  readonly baseUrl: string
  readonly instances: Instances
  readonly query: URLSearchParams
  /** The JSON of the body. Throws one line where it is none. */
  json(): unknown
  /** What stands for `{id}` in the path; NaN where the path has none. */
  readonly id: number
  /** The REST root at the address that the caller has used. */
  readonly asked: string
}

export interface Route {
  /** Method, and path below the control plane's root: `GET faults`, `DELETE faults/{id}`. */
  readonly route: string
  /** What it does, for the reference and the page; null where only the page asks for it. */
  readonly meaning: string | null
  /** The body or the query that it takes, as the reference shows it. */
  readonly takes: string
  /** What it throws is the sender's mistake, unless it only reads. */
  answer(request: ControlRequest): Reply | Promise<Reply>
}

type Name = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`
type Words = string | null | readonly [meaning: string, takes: string]
type Work<T> = (request: ControlRequest) => T | Promise<T>

export function route(name: Name, words: Words, answer: Work<Reply>): Route {
  const [meaning, takes] = Array.isArray(words) ? words : [words, '']
  return { route: name, meaning, takes, answer }
}

/** Answers what `work` gives as JSON; that all is well where it gives nothing. */
export const jsonRoute = (name: Name, words: Words, work: Work<unknown>): Route =>
  route(name, words, async (request) => pretty((await work(request)) ?? { status: 'ok' }))

export const methodOf = (one: Route) => one.route.slice(0, one.route.indexOf(' '))
export const pathOf = (one: Route) => one.route.slice(one.route.indexOf(' ') + 1)

/** Indented: people read these in the browser. */
const pretty = (value: unknown): Reply => ({
  ...jsonReply(200, null),
  body: `${JSON.stringify(value, null, 2)}\n`,
})

export function parse(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new TypeError(`The body is not JSON: ${troubleOf(error)}`)
  }
}
