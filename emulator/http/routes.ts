/** The routes of the control plane, each with its description and its answer. */
import { troubleOf } from '../../conformance/contract/trouble.js'
import { parseJson } from '../request/json.js'
import type { Tracker } from '../types.js'
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
