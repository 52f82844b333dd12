/** What an operation is: the steps of one request, and what they are given. */
import type { OperationId } from '../conformance/contract/operations.js'
import type { Answer } from './answers.js'
import type { Decisions } from './decisions/index.js'
import type { Store, Token, User } from './state/store.js'

export interface Context {
  readonly operation: OperationId
  readonly decisions: Decisions
  readonly store: Store
  readonly caller: User
  /** What the caller presented: an API token or a session that an impersonation started. */
  readonly session: Token
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Parsed JSON; undefined where there was no body. */
  readonly body: unknown
  /** By the tracker's clock. */
  readonly now: () => Date
  /** Headers that a success answer will have. */
  readonly answerHeaders: Headers
}

/**
 * The steps in which a request is checked and then carried out. Each check refuses by throwing; only `run` writes.
 *
 * - `gate`: may the caller do this kind of thing at all?
 * - `find`: the resource in the path
 * - `guard`: may the caller do it to this resource?
 * - `accept`: the values in the request
 * - `permit`: may the caller ask for these values?
 */
export interface Steps<Found, Input> {
  /** The family validates before it asks for rights. */
  readonly valuesFirst?: true
  gate?(c: Context): void
  find?(c: Context): Found
  guard?(c: Context, found: Found): void
  accept?(c: Context, found: Found): Input
  permit?(c: Context, found: Found, input: Input): void
  run(c: Context, found: Found, input: Input): Answer | Promise<Answer>
}

export type Operation = (c: Context) => Answer | Promise<Answer>

export function define<Found = undefined, Input = undefined>(steps: Steps<Found, Input>): Operation {
  return (c) => {
    const order = c.decisions['check-order']
    const valuesFirst = order === 'by-operation' ? steps.valuesFirst === true : order === 'values-first'
    if (!valuesFirst) steps.gate?.(c)
    const found = steps.find?.(c) as Found
    if (!valuesFirst) steps.guard?.(c, found)
    const input = steps.accept?.(c, found) as Input
    if (valuesFirst) {
      steps.gate?.(c)
      steps.guard?.(c, found)
    }
    steps.permit?.(c, found, input)
    return steps.run(c, found, input)
  }
}
