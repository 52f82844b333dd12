/** From answers to decisions: those that can be tried, the words that none of them explains, and the rest literally. */

import type { Mirror } from '../ask/mirror.js'
import type { Accepted } from '../ask/probes.js'
import type { Transcript } from '../ask/script.js'
import type { LedgerView, Simulate, Values } from '../copy/copy.js'
import { type Fitted, fitDecisions } from './decisions.js'
import { givenBy, numbersOf } from './direct.js'
import { costOf, pairsUnder, withLiterals } from './literals.js'
import { alsoTaken, answersAll, hiddenWords, neededWords } from './vocabulary.js'

export interface SettleOptions {
  /** The decisions that are tried. */
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** Takes over also what the document does not allow. */
  readonly asIs: boolean
  /** So often every decision is tried at most. */
  readonly passes?: number
  /** What a part of the answers said. */
  readonly before?: Values
  readonly onStep?: (done: number, total: number) => void
}

export interface Settled {
  readonly fitted: Fitted
  /** Those of `fitted`, and what was taken over literally. */
  readonly values: Values
}

export async function settle(
  transcript: Transcript,
  mirror: Mirror,
  found: Accepted,
  { ledger, simulate, asIs, before, ...rest }: SettleOptions,
): Promise<Settled> {
  const fitOptions = { mirror, transcript, ledger, simulate, more: numbersOf(transcript), ...rest }
  const { 'learned-answers': _, 'answer-shapes': __, ...earlier } = before ?? {}
  const given = givenBy(transcript)
  const accepted = { ...found, ...alsoTaken(found, transcript) }
  const ask = { mirror, transcript, simulate }
  // What was given since may contradict what a part of the answers said.
  const both = { ...earlier, ...given }
  const start = (await simulate(mirror, both)) ? both : given
  let fitted = await fitDecisions({ ...fitOptions, start })
  // Under the decisions that were fitted without them, and under none: either may hide what they would mend.
  const needed = (await answersAll(fitted.values, ask))
    ? {}
    : {
        ...(await neededWords(accepted, given, ask)),
        ...(await hiddenWords(accepted, fitted.values, ledger, ask)),
      }
  if (Object.keys(needed).length > 0) {
    // From the start again: what was fitted to the wrong words need not hold.
    const again = await fitDecisions({ ...fitOptions, start: { ...given, 'accepted-values': needed } })
    const { 'accepted-values': _, ...others } = again.values
    const kept = await neededWords(needed, others, ask)
    if (again.cost < fitted.cost && Object.keys(kept).length > 0)
      fitted = { ...again, values: { ...others, 'accepted-values': kept } }
  }
  const values = await withLiterals(fitted.values, mirror, transcript, simulate, asIs)
  if (!('learned-answers' in values || 'answer-shapes' in values)) return { fitted, values }
  // In the target's own forms, answers show more of the decisions behind them.
  const cost = costOf(await pairsUnder(values, mirror, transcript, simulate))
  const finer = await fitDecisions({ ...fitOptions, start: values })
  if (finer.cost >= cost - LEAST_GAIN) return { fitted, values }
  return {
    fitted: finer,
    values: await withLiterals(finer.values, mirror, transcript, simulate, asIs),
  }
}

/** A single value that shows in a record of some twenty. */
const LEAST_GAIN = 0.05
