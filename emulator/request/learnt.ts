/** Which learnt decisions gave an answer. */
import type { DecisionId } from '../decisions/index.js'
import type { Call } from './call.js'
import type { LearntDecision } from './reports.js'

/** Those that the answer was made by, and whose value is still the learnt one. */
export function learntFor({ setup, reads, refused, status, operation }: Call): LearntDecision[] {
  const { learnt, decisions } = setup
  if (!learnt || !reads) return []
  const copied: Readonly<Record<string, boolean>> = {
    'learned-answers': refused?.options.literal !== undefined,
    'answer-shapes': operation !== null && status < 400 && operation in decisions['answer-shapes'],
  }
  return [...learnt].flatMap(([id, { value, exchanges }]) => {
    const decision = id as DecisionId
    if (!reads.has(id) || copied[id] === false || !isSame(decisions[decision], value)) return []
    return [{ decision, value: id in copied ? null : value, exchanges }]
  })
}

const isSame = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
