/** From answers to decisions: those that can be tried, the words that none of them explains, and the rest literally. */

import { type LedgerView, type Pair, replay, type Simulate, type Values } from '../copy/copy.js'
import type { Recording } from '../trace/trace.js'
import { type Fitted, fitDecisions } from './decisions.js'
import { givenBy, numbersOf, offeredIn, otherWords, wordsOf } from './direct.js'
import type { IsLearnt } from './examples.js'
import { costOf, withLiterals } from './literals.js'

export interface SettleOptions {
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** Takes over also what the document does not allow. */
  readonly asIs: boolean
  /** For what is asked next, which takes a third of the time: every decision is tried twice at most. */
  readonly isRough?: boolean
  /** What a part of the calls said. */
  readonly before?: Values
  readonly onStep?: (done: number, total: number) => void
}

export interface Settled {
  readonly fitted: Fitted
  /** Those of `fitted`, and what was taken over literally. */
  readonly values: Values
  /** Each call with what the emulator answers under these values. */
  readonly pairs: readonly Pair[]
}

/** Taken from the answers themselves, not by trying: literal ones, and ids, of which any may happen to be alike. */
const direct = ['learned-answers', 'answer-shapes', 'create-id-assignment']

/** A pure function of the recording. */
export async function settle(
  recording: Recording,
  { ledger, simulate, asIs, before, isRough = false, onStep }: SettleOptions,
): Promise<Settled> {
  const { calls, mirrors } = recording
  const numbers = numbersOf(calls)
  const words = wordsOf(calls, mirrors[0]?.projects ?? [])
  const more = (id: string, present: unknown) =>
    id === 'accepted-values' ? otherWords(words, present) : (numbers[id] ?? [])
  const tried = Object.fromEntries(Object.entries(ledger).filter(([id]) => !direct.includes(id)))
  const options = {
    ...{ mirrors, calls, simulate, more, ledger: tried },
    ...(onStep && { onStep }),
    ...(isRough && { passes: 2 }),
  }
  const isLearnt: IsLearnt = ({ isWrong }) => asIs || !isWrong
  const { 'learned-answers': _, 'answer-shapes': __, ...earlier } = before ?? {}
  // Ids without a number have no counterpart in the emulator, whatever is fitted.
  const fixed = 'project' in words ? { project: words.project } : {}
  // What was given since may contradict what a part of the calls said.
  const given = givenBy(calls)
  const starting = (taken: object) => ({
    ...(Object.keys(taken).length > 0 && { 'accepted-values': taken }),
    ...earlier,
    ...given,
  })
  let best: { start: Values; cost: number } = { start: given, cost: Number.POSITIVE_INFINITY }
  // What a page offers is another tracker's vocabulary where the emulator's own does not do.
  for (const start of [starting(fixed), starting({ ...fixed, ...offeredIn(calls, words) })]) {
    const simulator = await simulate(mirrors, start)
    const cost = simulator ? costOf(replay(simulator, calls)) : Number.POSITIVE_INFINITY
    if (cost < best.cost) best = { start, cost }
  }
  const fitted = await fitDecisions({ ...options, start: best.start })
  const rounds = isRough ? 1 : 4
  return { fitted, ...(await withLiterals(fitted.values, recording, simulate, isLearnt, rounds)) }
}
