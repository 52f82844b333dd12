/** What the tracker reports about a call in addition to its answer. */
import type { OperationId } from '../../conformance/contract/operations.js'
import type { DecisionId } from '../decisions/index.js'
import type { Collections, Notification } from '../state/store.js'

export interface Refusal {
  readonly condition: string
  /** What was required and what the caller had, in one sentence. */
  readonly detail: string
  /**
   * The step that refused: `credentials`, `path`, `body`, or a step of the operation: `gate` (may the caller do this
   * kind of thing at all), `find` (the resource in the path), `guard` (may the caller do it to this resource), `accept`
   * (the values), `permit` (may the caller set these values).
   */
  readonly step: string
  /** For a lack of rights: the caller's level, and the lowest sufficient level, or null if no level is sufficient. */
  readonly level: { readonly held: number; readonly needed: number | null } | null
  readonly decision: DecisionId | null
  /** The value of that decision, and the legal values with which the same request would have passed. */
  readonly ruling: { readonly value: unknown; readonly passesWith: readonly unknown[] } | null
}

export interface LearntDecision {
  readonly decision: DecisionId
  /** Null for decisions that are copies of answers, since these are long. */
  readonly value: unknown
  /** Numbers of the exchanges that show the decision, in the trace from which it was learnt. */
  readonly exchanges: readonly (number | string)[]
}

/** A mail that a real tracker would have sent, without links and secrets. `at`: ISO 8601, by the tracker's clock. */
export interface Mail extends Readonly<Omit<Notification, 'user_id' | 'changes'>> {
  readonly user: { readonly id: number; readonly username: string }
  /** The changes that the mail reports to the owner of the account. */
  readonly changes: readonly { readonly field: string; readonly from: string; readonly to: string }[]
}

export const mailsOf = ({ users }: Collections, notifications: readonly Notification[]): Mail[] =>
  notifications.map(({ user_id, ...mail }) => ({
    ...mail,
    user: { id: user_id, username: users.find('id', user_id)?.username ?? '' },
  }))

/** Something in a request that the document does not allow, without values from the request. */
export interface Violation {
  /** The sequence number of the call in the journal. */
  readonly sequence: number
  readonly operation: OperationId | null
  readonly kind: 'path' | 'parameter' | 'credentials' | 'content-type' | 'body' | 'type' | 'unknown-member'
  /** The name of the member or parameter. */
  readonly field: string | null
  readonly message: string
  /** The section of the interface document. */
  readonly section: string
}

/** A violation without its call. */
export type Finding = Omit<Violation, 'sequence' | 'operation'>
