/** A request in the form that stories use, and the call that the client sends for it. */
import type { Call, Identity } from '../client/call.js'
import { type OperationId, operation } from '../contract/index.js'

/** Credentials that are written out; `authorization: null` sends none. */
export interface Credentials {
  readonly authorization: string | null
  readonly cookie?: string
}

export type Caller = Identity | 'nobody' | Credentials

export interface Ask extends Pick<Call, 'body' | 'query' | 'headers' | 'suffix'> {
  readonly op: OperationId
  /** Default `administrator`. */
  readonly caller?: Caller
  /** What the path addresses. */
  readonly at?: string | undefined
  /** The literal text to send in place of a body. */
  readonly raw?: string | undefined
}

export function callOf({ op, caller = 'administrator', at = '', raw, headers = {}, ...rest }: Ask): Call {
  const [parameter] = operation(op).parameters
  const isToken = typeof caller === 'string' && caller !== 'nobody'
  const { authorization = null, cookie } = typeof caller === 'string' ? {} : caller
  const further = { ...headers, ...(cookie === undefined ? {} : { cookie }) }
  return {
    operation: op,
    ...rest,
    ...(parameter ? { path: { [parameter.name]: at } } : {}),
    ...(isToken ? { as: caller } : { authorization }),
    ...(raw === undefined ? {} : { rawBody: raw }),
    ...(Object.keys(further).length > 0 ? { headers: further } : {}),
  }
}
