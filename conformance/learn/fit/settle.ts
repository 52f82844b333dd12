/** From answers to decisions: those that can be tried, the words that none of them explains, and the rest literally. */

import type { Mirror } from '../ask/mirror.js'
import type { Accepted } from '../ask/probes.js'
import type { Transcript } from '../ask/script.js'
import type { LedgerView, Simulate, Values } from '../copy/copy.js'
import { type Fitted, fitDecisions } from './decisions.js'
import { givenBy, numbersOf } from './direct.js'
import { costOf, pairsUnder, withLiterals } from './literals.js'
import { alsoTaken, fitWithWords } from './vocabulary.js'

export interface SettleOptions {
  /** The decisions that are tried. */
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** Takes over also what the document does not allow. */
  readonly asIs: boolean
  /** For what is asked next, which takes a third of the time: every decision is tried twice at most. */
  readonly roughly?: boolean
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
  { ledger, simulate, asIs, before, roughly = false, ...rest }: SettleOptions,
): Promise<Settled> {
  const more = numbersOf(transcript)
  const fitOptions = { mirror, transcript, ledger, simulate, more, ...rest, ...(roughly && { passes: 2 }) }
  const {
    'learned-answers': _,
    'answer-shapes': __,
    'accepted-values': words = {},
    ...earlier
  } = before ?? {}
  const given = givenBy(transcript)
  const accepted: Accepted = { ...found, ...alsoTaken(found, transcript) }
  const known = Object.fromEntries(Object.entries(accepted).filter(([key]) => key in (words as object)))
  // What was given since may contradict what a part of the answers said.
  const both = {
    ...earlier,
    ...(Object.keys(known).length > 0 && { 'accepted-values': known }),
    ...given,
  }
  const isGoingOn = before !== undefined && (await simulate(mirror, both)) !== null
  const fitted = isGoingOn
    ? await fitDecisions({ ...fitOptions, start: both })
    : await fitWithWords(accepted, given, fitOptions)
  const literals = (of: Values) => withLiterals(of, mirror, transcript, simulate, asIs, roughly ? 1 : 4)
  const values = await literals(fitted.values)
  if (roughly || !('learned-answers' in values || 'answer-shapes' in values)) return { fitted, values }
  // In the target's own forms, answers show more of the decisions behind them, but for those that statuses tell.
  const cost = costOf(await pairsUnder(values, mirror, transcript, simulate))
  const isOpen = (id: string) => (fitted.tried.get(id) ?? []).some(({ worse }) => worse < A_STATUS)
  const open = Object.fromEntries(Object.entries(ledger).filter(([id]) => isOpen(id)))
  const finer = await fitDecisions({ ...fitOptions, ledger: open, start: values })
  if (finer.cost >= cost - LEAST_GAIN) return { fitted, values }
  const tried = new Map([...fitted.tried, ...finer.tried])
  return { fitted: { ...finer, tried }, values: await literals(finer.values) }
}

/** Below that, no call comes out with another status. */
const A_STATUS = 100
/** A single value that shows in a record of some twenty. */
const LEAST_GAIN = 0.05
