/** Derives decisions from answers: it tries values, takes over accepted words, and learns the other answers literally. */

import { replay } from '../copy/copy.js'
import { type LedgerView, simulate, type Values } from '../copy/emulator.js'
import type { Recording } from '../trace/trace.js'
import { fitDecisions } from './decisions.js'
import { givenBy, numbersOf, offeredIn, otherWords, wordsOf } from './direct.js'
import type { IsLearnt } from './examples.js'
import { costOf, withLiterals } from './literals.js'

export interface FitSettings {
  readonly ledger: LedgerView
  /** Whether it also learns behaviour that the document does not allow. */
  readonly asIs: boolean
  readonly onProgress?: (phase: string, done: number, total: number) => void
}

/** Decisions whose values are learnt literally and repeat texts of the target. */
export const literal = ['learned-answers', 'answer-shapes']
/** Decisions that are not tried: any id would fit by chance. */
const untried = [...literal, 'create-id-assignment']

/**
 * Derives decisions from a recording: the fitted ones, all values with the learnt answers and forms, and each call with
 * the emulator's answer under these values. Pure: the same recording gives the same decisions.
 */
export async function settle(recording: Recording, { ledger, asIs, onProgress }: FitSettings) {
  const { calls, mirrors } = recording
  const numbers = numbersOf(calls)
  const words = wordsOf(calls, mirrors[0]?.projects ?? [])
  const more = (id: string, present: unknown) =>
    id === 'accepted-values' ? otherWords(words, present) : (numbers[id] ?? [])
  const tried = Object.fromEntries(Object.entries(ledger).filter(([id]) => !untried.includes(id)))
  const options = {
    ...{ mirrors, calls, more, ledger: tried },
    onStep: (done: number, total: number) => onProgress?.('fitting the decisions', done, total),
  }
  const isLearnt: IsLearnt = ({ isWrong }) => asIs || !isWrong
  // Ids that are not numbers have no counterpart in the emulator, whatever else is fitted.
  const fixed = 'project' in words ? { project: words.project } : {}
  const given = givenBy(calls)
  const starting = (taken: object) => ({
    ...(Object.keys(taken).length > 0 && { 'accepted-values': taken }),
    ...given,
  })
  let best: { start: Values; cost: number } = { start: given, cost: Number.POSITIVE_INFINITY }
  // If the words on a page fit better than the emulator's own vocabulary, the fitting starts with them.
  for (const start of [starting(fixed), starting({ ...fixed, ...offeredIn(calls, words) })]) {
    const simulator = await simulate(mirrors, start)
    const cost = simulator ? costOf(replay(simulator, calls)) : Number.POSITIVE_INFINITY
    if (cost < best.cost) best = { start, cost }
  }
  const fitted = await fitDecisions({ ...options, start: best.start })
  return { fitted, ...(await withLiterals(fitted.values, recording, isLearnt)) }
}
