/** What tells the values of a decision apart: requests, what has to be so before, and which part of an answer shows it. */
import { type OperationId, operation, pathOf } from '../operations.js'

/** `answer` is the body of a success, and the status and the number of a refusal. A `member` may be inside others: `user.name`. */
export type Shown =
  | 'answer'
  | 'status'
  | 'members'
  | `members ${string}`
  | `member ${string}`
  | `header ${string}`
  | `has ${string}`

type Caller =
  | 'administrator'
  | 'manager'
  | 'developer'
  | 'reporter'
  | 'viewer'
  | 'restricted'
  | 'disabled'
  | 'protected'
  | 'password'
  | 'french'

interface Sent {
  /** `{administrator}` stands for that user's token, `{impersonated}` for the token that a former answer gave. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Default `answer`. */
  readonly shows?: readonly Shown[]
}

export interface Asked extends Sent {
  readonly operation: OperationId
  /** Whose token; default `administrator`. Null sends no credentials. */
  readonly as?: Caller | null
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: string
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly raw?: string
}

/** A request of no operation, with the administrator's token. */
export interface Strayed extends Sent {
  readonly method: string
  readonly target: string
}

export type Step =
  | Asked
  | Strayed
  /** A record is made otherwise before the next request. */
  | { readonly change: 'users' | 'tokens'; readonly where: Fields; readonly to: Fields }
  /** For what a client sees only in a mail, or by a long way round. */
  | { readonly list: 'notifications' }
  | { readonly count: 'notifications' | 'memberships' | 'tokens' }
  | { readonly user: string; readonly has: Fields }

type Fields = Readonly<Record<string, unknown>>

export interface Probe {
  /** Other decisions, without which it does not show. */
  readonly given: Fields
  readonly steps: readonly Step[]
}

/** A request as a person may send it. */
export interface Probed {
  readonly line: string
  readonly operation: OperationId
  /** Whose token; null for none. */
  readonly as: Caller | null
  /** Below the base URL. */
  readonly path: string
  readonly query: string
  readonly body: string
}

/** One of an operation that needs no headers of its own. */
export function probed(step: Step, ext: string): Probed[] {
  if (!('operation' in step) || step.headers) return []
  const { operation, as = 'administrator', path, query = '', body, raw } = step
  const content = raw ?? (body === undefined ? '' : JSON.stringify(body, null, 2))
  const target = pathOf(operation, ext, path)
  return requestLine(step, ext).map((line) => ({
    line,
    operation,
    as,
    path: target,
    query: query.replace(/^\?/, ''),
    body: content,
  }))
}

/** A request in one short line; of a step that sends none, nothing. */
export function requestLine(step: Step, ext = 'Ext'): string[] {
  if (!('operation' in step || 'target' in step)) return []
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => `${name}: ${value ?? '(none)'}`)
  if ('target' in step) return [[step.method, step.target, ...headers].join(' ')]
  const { as = 'administrator', path, query = '', body, raw } = step
  const content = raw ?? (body === undefined ? '' : JSON.stringify(body))
  const whose = as === null ? '(no token)' : as === 'administrator' ? '' : `(as ${as})`
  const target = `${pathOf(step.operation, ext, path)}${query}`
  const parts = [operation(step.operation).method, target, ...headers, shortened(content), whose]
  return [parts.filter((part) => part !== '').join(' ')]
}

const shortened = (text: string): string => text.replace(/(.)\1{20,}/g, '$1…')
