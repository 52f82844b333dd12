import type { OperationId, Safety } from '../contract/index.js'
import type { Check } from './check.js'

/**
 * One statement of the interface document and the check under it.
 *
 * `must`: the document says it plainly. `should`: the document says it of a thing whose shape it does not show.
 */
export interface Requirement {
  /** Stable and readable: `area.statement`. */
  readonly id: string
  readonly level: 'must' | 'should'
  /** Section of the interface document. */
  readonly section: string
  /** What a conforming tracker does, in our own words. */
  readonly statement: string
  readonly operations: readonly OperationId[]
  /** The level that the check needs; below it, the requirement is skipped. */
  readonly safety: Safety
  /** Runs the check once for each operation, rather than once for all of them. */
  readonly each?: true
  /** `end`: judged from all that was seen. `last`: may change who the administrator's token speaks for. */
  readonly phase?: 'end' | 'last'
  check(t: Check, operation: OperationId): Promise<void> | void
}

export function requirement(definition: Requirement): Requirement {
  return definition
}
