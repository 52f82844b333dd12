/** A request in the form that stories use, and the call that the client sends for it. */
import type { Call, Identity } from '../client/call.js'
import { type OperationId, operation } from '../contract/index.js'

/** Credentials that are written out; `authorization: null` sends none. */
export interface Credentials {
  readonly authorization: string | null
  readonly cookie?: string
}

export type Caller = Identity | 'nobody' | Credentials

export interface Ask {
  readonly op: OperationId
  /** Default `administrator`. */
  readonly caller?: Caller
  /** What the path addresses. */
  readonly at?: string | undefined
  readonly body?: unknown
  /** The literal text to send in place of a body. */
  readonly raw?: string | undefined
  /** Without its `?`. */
  readonly query?: string
  /** Added to the usual headers, or replacing them; null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Behind the path, so that it leads to no operation. */
  readonly suffix?: string
}

export function callOf(ask: Ask): Call {
  const { op, caller = 'administrator', at, body, raw, query, headers = {}, suffix } = ask
  const [parameter] = operation(op).parameters
  const isToken = typeof caller === 'string' && caller !== 'nobody'
  const { authorization = null, cookie } = typeof caller === 'string' ? {} : caller
  const further = { ...headers, ...(cookie === undefined ? {} : { cookie }) }
  return {
    operation: op,
    ...(parameter ? { path: { [parameter.name]: at ?? '' } } : {}),
    ...(isToken ? { as: caller } : { authorization }),
    ...(raw !== undefined ? { rawBody: raw } : body === undefined ? {} : { body }),
    ...(query === undefined ? {} : { query }),
    ...(suffix === undefined ? {} : { suffix }),
    ...(Object.keys(further).length > 0 ? { headers: further } : {}),
  }
}
