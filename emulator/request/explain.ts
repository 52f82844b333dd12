/** Why a request was refused, and what would have passed: found out by asking again, with other rights and decisions. */

import { type DecisionId, type Decisions, entry } from '../decisions/index.js'
import { levelNumbers } from '../state/levels.js'
import type { Refusal } from '../types.js'
import type { Refused } from './errors.js'

export interface Asked {
  readonly decisions: Decisions
  /** The caller's level; null where the caller is not known. */
  readonly level: number | null
  /** Whether the same request would pass all checks under these decisions, by a caller of this level. */
  passes(decisions: Decisions, level: number | null): boolean
}

export function explain(refused: Refused, { decisions, level, passes }: Asked): Refusal {
  const { decision = null, detail = refused.message } = refused.options
  const higher = level === null ? [] : levelNumbers.filter((candidate) => candidate > level)
  return {
    condition: refused.condition,
    detail,
    step: refused.step ?? 'path',
    level:
      level === null || refused.status !== 403
        ? null
        : { held: level, needed: higher.find((candidate) => passes(decisions, candidate)) ?? null },
    decision,
    ruling: decision && {
      value: decisions[decision],
      passesWith: othersOf(decision, decisions).filter((value) =>
        // Over them rather than a copy: there are nearly two hundred.
        passes(Object.create(decisions, { [decision]: { value } }), level),
      ),
    },
  }
}

function othersOf(id: DecisionId, decisions: Decisions): unknown[] {
  const present = JSON.stringify(decisions[id])
  const { default: fallback, alternatives } = entry(id)
  return [fallback, ...alternatives].filter((value) => JSON.stringify(value) !== present)
}
