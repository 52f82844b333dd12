/** What the tracker reports of a call besides its answer. */
import type { OperationId } from '../../conformance/contract/operations.js'
import type { DecisionId } from '../decisions/index.js'
import type { Collections, Notification } from '../state/store.js'

export interface Refusal {
  readonly condition: string
  /** What was required and what was held, in one sentence. */
  readonly detail: string
  /**
   * The step that refused: `credentials`, `path`, `body`, and then those of the operation: `gate` (may the caller do such a
   * thing at all), `find` (what the path names), `guard` (may the caller do it to that), `accept` (the values), `permit`
   * (may the caller ask for these values).
   */
  readonly step: string
  /** For a lack of rights: the caller's level, and the lowest that would have sufficed; null where none would have. */
  readonly level: { readonly held: number; readonly needed: number | null } | null
  readonly decision: DecisionId | null
  /** The value of that decision, and the legal ones with which the same request would have passed. */
  readonly ruling: { readonly value: unknown; readonly passesWith: readonly unknown[] } | null
}

export interface LearntDecision {
  readonly decision: DecisionId
  /** Null of what was copied from answers: it is as long as they are. */
  readonly value: unknown
  /** Numbers of the exchanges that show it, in the trace that it was learnt from. */
  readonly exchanges: readonly (number | string)[]
}

/** A message that a real tracker would have sent, without links and secrets. `at`: ISO 8601, by the tracker's clock. */
export interface Mail extends Readonly<Omit<Notification, 'user_id' | 'changes'>> {
  readonly user: { readonly id: number; readonly username: string }
  /** What an account's owner is told of a change. */
  readonly changes: readonly { readonly field: string; readonly from: string; readonly to: string }[]
}

export const mailsOf = ({ users }: Collections, notifications: readonly Notification[]): Mail[] =>
  notifications.map(({ user_id, ...mail }) => ({
    ...mail,
    user: { id: user_id, username: users.find('id', user_id)?.username ?? '' },
  }))

/** Something in a request that the document does not allow. Values are not part of it. */
export interface Violation {
  /** Sequence number of the call in the journal. */
  readonly sequence: number
  readonly operation: OperationId | null
  readonly kind: 'path' | 'parameter' | 'credentials' | 'content-type' | 'body' | 'type' | 'unknown-member'
  /** The member or parameter that it is about. */
  readonly field: string | null
  readonly message: string
  /** Section of the interface document. */
  readonly section: string
}

/** A violation in itself, whichever call it is of. */
export type Finding = Omit<Violation, 'sequence' | 'operation'>
