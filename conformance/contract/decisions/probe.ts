/** Decisions in words, and how to tell their values apart: requests, the state that they need, what to compare. */
import { type OperationId, operation, pathOf } from '../operations.js'

/** `answer`: the body of a success, or the status and number of a refusal. A `member` may be nested: `user.name`. */
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
  /** `{administrator}` is replaced by that user's token, `{impersonated}` by the token from an earlier answer. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Default `answer`. */
  readonly shows?: readonly Shown[]
}

export interface Asked extends Sent {
  readonly operation: OperationId
  /** The owner of the token; default `administrator`. Null sends no credentials. */
  readonly as?: Caller | null
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: string
  readonly body?: unknown
  /** The literal text to send in place of `body`. */
  readonly raw?: string
}

/** A request to no operation, with the administrator's token. */
export interface Strayed extends Sent {
  readonly method: string
  readonly target: string
}

export type Step =
  | Asked
  | Strayed
  /** Changes a record before the next request. */
  | { readonly change: 'users' | 'tokens'; readonly where: Fields; readonly to: Fields }
  /** Looks at what a client can see only in a mail, or only indirectly. */
  | { readonly list: 'notifications' }
  | { readonly count: 'notifications' | 'memberships' | 'tokens' }
  | { readonly user: string; readonly has: Fields }

type Fields = Readonly<Record<string, unknown>>

export interface Probe {
  /** Values of other decisions, without which the difference does not show. */
  readonly given: Fields
  readonly steps: readonly Step[]
}

/** The words for a decision, which is anything that the document leaves open. */
export interface DecisionWords {
  /** One sentence that ends in a question mark. */
  readonly question: string
  /** The reason for the default. */
  readonly why: string
  /** What a tracker does under each legal value, the default first. A value other than a text is written as JSON. */
  readonly values: Readonly<Record<string, string>>
  /** Requests whose answers differ between the values; absent if values can only be learnt. */
  readonly probe?: Probe
}

/** The values of a level that an operation requires. */
export function thresholdValues(what: string) {
  return { '90': `Only administrators (level 90) ${what}.`, '70': `Managers (level 70) ${what} too.` }
}

/** A request in one short line; empty for a step that sends none. */
export function requestLine(step: Step): string[] {
  if (!('operation' in step || 'target' in step)) return []
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => `${name}: ${value ?? '(none)'}`)
  if ('target' in step) return [[step.method, step.target, ...headers].join(' ')]
  const { as = 'administrator', path, query = '', body, raw } = step
  const content = raw ?? (body === undefined ? '' : JSON.stringify(body))
  const whose = as === null ? '(no token)' : as === 'administrator' ? '' : `(as ${as})`
  const target = `${pathOf(step.operation, 'Ext', path)}${query}`
  const parts = [operation(step.operation).method, target, ...headers, shortened(content), whose]
  return [parts.filter((part) => part !== '').join(' ')]
}

const shortened = (text: string): string => text.replace(/(.)\1{20,}/g, '$1…')
