/** What an operation is: the steps of one request, and what they are given. */
import type { OperationId } from '../../conformance/contract/operations.js'
import type { Decisions } from '../decisions/index.js'
import type { Store, Token, User } from '../state/store.js'
import type { Answer } from './answers.js'
import { Refused } from './errors.js'
import type { HeaderList, ReadHeaders } from './incoming.js'

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
  readonly headers: ReadHeaders
  /** Parsed JSON; undefined where there was no body. */
  readonly body: unknown
  /** By the tracker's clock. */
  readonly now: () => Date
  /** Headers that a success answer will have. */
  readonly answerHeaders: HeaderList
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

export interface Operation {
  (c: Context): Answer | Promise<Answer>
  /** The checks alone: throws as the operation would, and writes nothing. */
  check(c: Context): void
}

export function define<Found = undefined, Input = undefined>(steps: Steps<Found, Input>): Operation {
  const run = (c: Context) => {
    const { found, input } = checked(steps, c)
    return steps.run(c, found, input)
  }
  return Object.assign(run, { check: (c: Context) => void checked(steps, c) })
}

function checked<Found, Input>(steps: Steps<Found, Input>, c: Context): { found: Found; input: Input } {
  let step = 'gate'
  /** Of the caller, who may hear of the values first. */
  let refusal: unknown
  const rights = (name: string, check: () => void) => {
    step = name
    try {
      if (refusal === undefined) check()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      error.step ??= name
      // Asked only where it matters: learning tries each value on all that depends on it.
      const order = c.decisions['check-order']
      if (order === 'by-operation' ? !steps.valuesFirst : order === 'rights-first') throw error
      refusal = error
    }
  }
  try {
    rights('gate', () => steps.gate?.(c))
    step = 'find'
    const found = steps.find?.(c) as Found
    rights('guard', () => steps.guard?.(c, found))
    step = 'accept'
    const input = steps.accept?.(c, found) as Input
    if (refusal !== undefined) throw refusal
    step = 'permit'
    steps.permit?.(c, found, input)
    return { found, input }
  } catch (error) {
    if (error instanceof Refused) error.step ??= step
    throw error
  }
}
