/** Why a call was refused, and what would have passed: found out by asking again, with other rights and decisions. */
import { type DecisionId, type Decisions, entry } from '../decisions/index.js'
import { operations } from '../operations/index.js'
import { levelNumbers } from '../state/levels.js'
import { authenticate } from './auth.js'
import { type Call, isAdmitted } from './call.js'
import type { Refused } from './errors.js'
import type { Refusal } from './reports.js'
import { understood } from './serve.js'

/**
 * Null where the call was not refused. What was refused is asked again, so the answer holds for the state of the first time
 * that it is asked for: at the latest, before the state changes.
 */
export function explanationOf(call: Call): Refusal | null {
  call.explanation ??= call.refused && explain(call, call.refused)
  return call.explanation
}

function explain(call: Call, refused: Refused): Refusal {
  const { decisions, operation } = call
  const { decision = null, detail = refused.message } = refused.options
  const asksAgain = operation !== null && refused.condition !== 'internal'
  const held = asksAgain ? (call.caller?.access_level ?? null) : null
  const again = call.again()
  const passes = (by: Decisions, level: number | null) => asksAgain && wouldPass(again, by, level)
  const higher = held === null ? [] : levelNumbers.filter((level) => level > held)
  return {
    condition: refused.condition,
    detail,
    step: refused.step ?? 'path',
    level:
      held === null || refused.status !== 403
        ? null
        : { held, needed: higher.find((level) => passes(decisions, level)) ?? null },
    decision,
    ruling: decision && {
      value: decisions[decision],
      passesWith: othersOf(decision, decisions).filter((value) =>
        // Over them rather than a copy: there are nearly two hundred.
        passes(Object.create(decisions, { [decision]: { value } }), held),
      ),
    },
  }
}

function othersOf(id: DecisionId, decisions: Decisions): unknown[] {
  const present = JSON.stringify(decisions[id])
  const { default: fallback, alternatives } = entry(id)
  return [fallback, ...alternatives].filter((value) => JSON.stringify(value) !== present)
}

/** Whether the same request would pass all checks under these decisions, by a caller of this level. */
function wouldPass(again: Call, decisions: Decisions, level: number | null): boolean {
  if (again.tooLarge) return false
  try {
    const other = again.with({ decisions })
    authenticate(other)
    if (!isAdmitted(other)) return false
    if (level !== null) Object.assign(other, { caller: { ...other.caller, access_level: level } })
    Object.assign(other, { body: understood(other) })
    operations[other.operation].check(other)
    return true
  } catch {
    return false
  }
}
