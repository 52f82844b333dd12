/** Learns the answers that no decision explains literally, and keeps them only if they bring the simulator nearer. */
import { isDeepStrictEqual } from 'node:util'
import { type Pair, replay, type Simulate, type Values } from '../copy/copy.js'
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
  simulate: Simulate,
  isLearnt: IsLearnt,
): Promise<{ readonly values: Values; readonly pairs: readonly Pair[] }> {
  const pairsUnder = async (some: Values): Promise<readonly Pair[]> => {
    const simulator = await simulate(mirrors, some, { causes: true })
    return simulator ? replay(simulator, calls) : []
  }
  let values = fitted
  let pairs = await pairsUnder(values)
  let cost = costOf(pairs)
  for (let round = 0; round < ROUNDS; round++) {
    const rules = inducedRules(pairs, isLearnt)
    const tried = rules.length === 0 ? values : { ...values, 'learned-answers': rules }
    // The same rules would give the same answers.
    const isKnown = isDeepStrictEqual(rules, values['learned-answers'] ?? [])
    const after = isKnown ? pairs : await pairsUnder(tried)
    const before = (values['answer-shapes'] ?? {}) as Record<string, unknown>
    const forms = { ...before, ...inducedForms(after, Object.keys(before)) }
    if (isKnown && isDeepStrictEqual(forms, before)) break
    const formed = withForms(tried, forms)
    const last = isDeepStrictEqual(forms, before) ? after : await pairsUnder(formed)
    const isWorse = (operation: string) => costFor(last, operation) >= costFor(after, operation)
    const kept = Object.fromEntries(
      Object.entries(forms).flatMap(([operation, form]) => {
        const old = before[operation]
        if (isDeepStrictEqual(form, old) || !isWorse(operation)) return [[operation, form]]
        return old === undefined ? [] : [[operation, old]]
      }),
    )
    const next = withForms(tried, kept)
    const nextPairs = isDeepStrictEqual(kept, forms) ? last : await pairsUnder(next)
    const nextCost = costOf(nextPairs)
    // A round without improvement counts only if it makes the values shorter.
    const isShorter = JSON.stringify(next).length < JSON.stringify(values).length
    if (nextCost > cost || (nextCost >= cost - 0.01 && !isShorter)) break
    values = next
    pairs = nextPairs
    cost = nextCost
  }
  return { values, pairs }
}

function withForms({ 'answer-shapes': _, ...values }: Values, forms: Record<string, unknown>): Values {
  return Object.keys(forms).length === 0 ? values : { ...values, 'answer-shapes': forms }
}

const costFor = (pairs: readonly Pair[], operation: string) =>
  costOf(pairs.filter(({ recorded }) => recorded.operation === operation))
