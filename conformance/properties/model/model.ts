/**
 * What a conforming tracker must remember, and commands that change it. Commands name resources by their place in
 * the model, so that they still mean something after shrinking.
 */

import type fc from 'fast-check'
import type { Answer } from '../../client/call.js'
import type { OperationId } from '../../contract/index.js'
import type { Check, OwnUser } from '../../suite/types.js'
import { Violation } from '../property.js'

export interface Model {
  readonly fields: { id: number; name: string }[]
  readonly deletedFields: number[]
  /** Of fields that were deleted or renamed: no list may show them. */
  readonly formerFieldNames: string[]
  /** Shared by all sequences, since users cannot be deleted. */
  readonly users: OwnUser[]
  readonly formerUsernames: string[]
  /** How often one may be renamed is not shown. */
  readonly renamed: Set<OwnUser>
  readonly disabled: Set<OwnUser>
  /** Those that were added to projects. */
  readonly members: Set<OwnUser>
  /** Those that were reset: a second time may come too soon. */
  readonly reset: Set<OwnUser>
  plugin: 'installed' | 'absent'
  /** What was saved last, in this sequence. */
  columns: readonly string[] | null
}

export interface Real {
  readonly t: Check
  /** Commands carried out, by kind. */
  readonly executed: Map<string, number>
}

export type Command = fc.AsyncCommand<Model, Real>

export function command(
  kind: string,
  applies: (model: Model) => boolean,
  act: (model: Model, t: Check) => Promise<void>,
): Command {
  return {
    check: applies,
    async run(model, { t, executed }) {
      executed.set(kind, (executed.get(kind) ?? 0) + 1)
      await act(model, t)
    },
    toString: () => kind,
  }
}

/** Throws a violation unless the answer has one of the statuses. */
export function require(
  answer: Answer,
  allowed: number | readonly number[],
  what: string,
  operation?: OperationId,
): void {
  const statuses = typeof allowed === 'number' ? [allowed] : allowed
  if (!statuses.includes(answer.status))
    throw new Violation(`${what}: expected ${statuses.join(' or ')}, saw ${answer.status}`, answer, operation)
}

export const at = <T>(items: readonly T[], place: number): T => items[place % items.length] as T
