/** Learns the answers that no decision explains literally, and keeps them only if they bring the simulator nearer. */
import { type Pair, replay } from '../copy/copy.js'
import { simulate, type Values } from '../copy/emulator.js'
import { distance } from '../trace/compare.js'
import type { Recording } from '../trace/trace.js'
import type { IsLearnt } from './examples.js'
import { inducedForms } from './forms.js'
import { inducedRules } from './rules.js'

export const costOf = (pairs: readonly Pair[]) =>
  pairs.reduce((sum, { recorded, replayed }) => sum + distance(recorded, replayed.seen), 0)

/** The greatest number of times that rules and forms are made anew. */
const ROUNDS = 4

/** Adds rules and forms for what no decision explains if they bring the simulator nearer; returns each call under them. */
export async function withLiterals(
  fitted: Values,
  { mirrors, calls }: Pick<Recording, 'mirrors' | 'calls'>,
  isLearnt: IsLearnt,
): Promise<{ readonly values: Values; readonly pairs: readonly Pair[] }> {
  const known = new Map<string, readonly Pair[]>()
  const pairsUnder = async (some: Values): Promise<readonly Pair[]> => {
    const key = JSON.stringify(some)
    const found = known.get(key)
    if (found) return found
    const simulator = await simulate(mirrors, some, { causes: true })
    const pairs = simulator ? replay(simulator, calls) : []
    known.set(key, pairs)
    return pairs
  }
  let values = fitted
  let pairs = await pairsUnder(values)
  for (let round = 0; round < ROUNDS; round++) {
    const rules = inducedRules(pairs, isLearnt)
    const tried = rules.length === 0 ? values : { ...values, 'learned-answers': rules }
    const after = await pairsUnder(tried)
    const before = (values['answer-shapes'] ?? {}) as Record<string, unknown>
    const forms = { ...before, ...inducedForms(after, Object.keys(before)) }
    const formed = await pairsUnder(withForms(tried, forms))
    const isBetter = (operation: string) => costFor(formed, operation) < costFor(after, operation)
    const better = Object.entries(forms).filter(([operation]) => isBetter(operation))
    const next = withForms(tried, { ...before, ...Object.fromEntries(better) })
    const nextPairs = await pairsUnder(next)
    const gain = costOf(pairs) - costOf(nextPairs)
    // A round without improvement counts only if it makes the values shorter.
    const isShorter = JSON.stringify(next).length < JSON.stringify(values).length
    if (gain < 0 || (gain <= 0.01 && !isShorter)) break
    values = next
    pairs = nextPairs
  }
  return { values, pairs }
}

function withForms({ 'answer-shapes': _, ...values }: Values, forms: Record<string, unknown>): Values {
  return Object.keys(forms).length === 0 ? values : { ...values, 'answer-shapes': forms }
}

const costFor = (pairs: readonly Pair[], operation: string) =>
  costOf(pairs.filter(({ recorded }) => recorded.operation === operation))
