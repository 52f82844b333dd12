/** What is asked of a target, and what it answers. */
import type { OperationId } from '../contract/index.js'

/** Whose things can be read and put back. */
export const owners = ['administrator', 'restricted', 'password'] as const
export type Owner = (typeof owners)[number]

export const identities = [...owners, 'disabled'] as const
export type Identity = (typeof identities)[number]

export interface Call {
  readonly operation: OperationId
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** The literal text to send in place of `body`. */
  readonly rawBody?: string
  /** Default `administrator`. */
  readonly as?: Identity | undefined
  /** A literal header in place of the identity's; null sends none. */
  readonly authorization?: string | null
  /** Added to the usual headers, or replacing them; null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Behind the path of a reading operation, for example a slash. */
  readonly suffix?: string
}

export interface Answer {
  readonly operation: OperationId
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown
}

export type Ask = (call: Call) => Promise<Answer>

/** The target gave no answer, or asked to come back later. This is never held against it. */
export class NoAnswer extends Error {
  constructor(
    message: string,
    readonly kind: 'unreachable' | 'dropped' | 'timeout' | 'throttled' | 'too-large',
    readonly operation: OperationId,
    /** A target may close a kept-alive connection between two requests, which proves nothing. */
    readonly reusedConnection = false,
  ) {
    super(message)
  }
}
