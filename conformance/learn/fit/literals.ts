/** What is taken over literally, kept only as far as it brings the simulator nearer. */
import { isDeepStrictEqual } from 'node:util'
import { distance } from '../ask/compare.js'
import type { Mirror } from '../ask/mirror.js'
import type { Transcript } from '../ask/script.js'
import type { Pair } from '../copy/copy.js'
import { byScenario, replay, type Simulate, type Values } from '../copy/copy.js'
import { inducedForms } from './forms.js'
import { inducedRules } from './rules.js'

/** Each call with what the simulator answers to it. Without causes it takes half the time. */
export async function pairsUnder(
  values: Values,
  mirror: Mirror,
  transcript: Transcript,
  simulate: Simulate,
  causes = true,
): Promise<Pair[]> {
  const simulator = await simulate(mirror, values, { causes })
  if (!simulator) return []
  const pairs: Pair[] = []
  for (const calls of byScenario(transcript).values()) {
    const answers = await replay(simulator, calls, mirror)
    for (const [index, recorded] of calls.entries()) {
      const replayed = answers[index]
      if (replayed) pairs.push({ recorded, replayed })
    }
  }
  return pairs
}

export const costOf = (pairs: readonly Pair[]) =>
  pairs.reduce((sum, { recorded, replayed }) => sum + distance(recorded, replayed), 0)

/** Rules and forms for what is left, kept only as far as they bring the simulator nearer. */
export async function withLiterals(
  fitted: Values,
  mirror: Mirror,
  transcript: Transcript,
  simulate: Simulate,
  asIs: boolean,
  rounds = 4,
): Promise<Values> {
  let values = fitted
  let pairs = await pairsUnder(values, mirror, transcript, simulate)
  let cost = costOf(pairs)
  for (let round = 0; round < rounds; round++) {
    const rules = inducedRules(pairs, asIs)
    const tried = rules.length === 0 ? values : { ...values, 'learned-answers': rules }
    // What is learnt again says nothing new.
    const isKnown = isDeepStrictEqual(rules, values['learned-answers'] ?? [])
    const after = isKnown ? pairs : await pairsUnder(tried, mirror, transcript, simulate)
    const before = (values['answer-shapes'] ?? {}) as Record<string, unknown>
    const forms = { ...before, ...inducedForms(after, Object.keys(before)) }
    if (isKnown && isDeepStrictEqual(forms, before)) break
    const formed = withForms(tried, forms)
    const last = isDeepStrictEqual(forms, before)
      ? after
      : await pairsUnder(formed, mirror, transcript, simulate)
    const isWorse = (operation: string) => costFor(last, operation) >= costFor(after, operation)
    const kept = Object.fromEntries(
      Object.entries(forms).flatMap(([operation, form]) => {
        const old = before[operation]
        if (isDeepStrictEqual(form, old) || !isWorse(operation)) return [[operation, form]]
        return old === undefined ? [] : [[operation, old]]
      }),
    )
    const next = withForms(tried, kept)
    const nextPairs = isDeepStrictEqual(kept, forms)
      ? last
      : await pairsUnder(next, mirror, transcript, simulate)
    const nextCost = costOf(nextPairs)
    // What no longer brings anything nearer is left out again.
    const isShorter = JSON.stringify(next).length < JSON.stringify(values).length
    if (nextCost > cost || (nextCost >= cost - 0.01 && !isShorter)) break
    values = next
    pairs = nextPairs
    cost = nextCost
  }
  return values
}

function withForms({ 'answer-shapes': _, ...values }: Values, forms: Record<string, unknown>): Values {
  return Object.keys(forms).length === 0 ? values : { ...values, 'answer-shapes': forms }
}

const costFor = (pairs: readonly Pair[], operation: string) =>
  costOf(pairs.filter(({ recorded }) => recorded.step.operation === operation))
