/** Why a call got its answer: the learnt decisions behind it and, for a refusal, what would have passed. */
import { memoised } from '../../conformance/contract/memoised.js'
import { type DecisionId, type Decisions, decidedAs, entry } from '../decisions/index.js'
import { operations } from '../operations/index.js'
import { levelNumbers } from '../state/levels.js'
import { authenticate } from './auth.js'
import { type Call, isAdmitted } from './call.js'
import { Refused } from './errors.js'
import type { LearntDecision, Refusal } from './reports.js'
import { understood } from './serve.js'

/** Why it was refused, or null. The checks run again in the state of the call: at the latest just before it changes. */
export const explanationOf = memoised((call: Call): Refusal | null => {
  const { decisions, operation, refused } = call
  if (!refused) return null
  const { decision = null, detail = refused.message } = refused.options
  const asksAgain = operation !== null && refused.condition !== 'internal'
  const held = asksAgain ? (call.caller?.access_level ?? null) : null
  const again = call.again()
  // A caller with the level may still be refused for another reason, such as a taken name.
  const needed = (above: number) =>
    levelNumbers.find((level) => level > above && refusalOf(again, decisions, level)?.status !== 403) ?? null
  return {
    condition: refused.condition,
    detail,
    step: refused.step ?? 'path',
    level: held === null || refused.status !== 403 ? null : { held, needed: needed(held) },
    decision,
    ruling: decision && {
      value: decisions[decision],
      passesWith: othersOf(decision, decisions).filter(
        (value) => asksAgain && !refusalOf(again, decidedAs(decisions, decision, value), held),
      ),
    },
  }
})

function othersOf(id: DecisionId, decisions: Decisions): unknown[] {
  const { default: fallback, alternatives } = entry(id)
  return [fallback, ...alternatives].filter((value) => !isSame(value, decisions[id]))
}

/** Why the call would be refused under other decisions, by a caller of another level; null where it would pass. */
function refusalOf(again: Call, decisions: Decisions, level: number | null): Pick<Refused, 'status'> | null {
  if (again.tooLarge) return { status: 413 }
  try {
    const other = again.with({ decisions })
    authenticate(other)
    if (!isAdmitted(other)) return { status: 404 }
    if (level !== null) Object.assign(other, { caller: { ...other.caller, access_level: level } })
    Object.assign(other, { body: understood(other) })
    operations[other.operation].check(other)
    return null
  } catch (error) {
    return error instanceof Refused ? error : { status: 500 }
  }
}

/** The learnt decisions that the answer depends on and that still have their learnt value. */
export function learntFor({ setup, reads, refused, status, operation }: Call): LearntDecision[] {
  const { learnt, decisions } = setup
  if (!learnt || !reads) return []
  const copied: Readonly<Record<string, boolean>> = {
    'learned-answers': refused?.options.literal !== undefined,
    'answer-shapes': operation !== null && status < 400 && operation in decisions['answer-shapes'],
  }
  return [...learnt].flatMap(([id, { value, exchanges, isDefault }]) => {
    const decision = id as DecisionId
    const isGone = copied[id] === false || !isSame(decisions[decision], value)
    if (!reads.has(id) || isGone || isDefault) return []
    return [{ decision, value: id in copied ? null : value, exchanges }]
  })
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
