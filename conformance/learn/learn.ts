/** From a live target to the decisions under which the emulator answers like it, with evidence. */
import { safetyLevels } from '../contract/index.js'
import { deviationsOf, givenBy, numbersOf } from './direct.js'
import { type Evidence, evidenceOf, idsSeen } from './evidence.js'
import { fitDecisions } from './fit.js'
import { costOf, pairsUnder, withLiterals } from './literals.js'
import { type Found, probe } from './probes.js'
import { type LiveOptions, runLive } from './run.js'
import { scenarios } from './scenarios/index.js'
import type { LedgerView, Simulate, Values } from './simulate.js'
import { alsoTaken, answersAll, hiddenWords, neededWords } from './vocabulary.js'

export type { Evidence } from './evidence.js'

export interface Learned {
  readonly schema: 'tracker-kit/decisions@1'
  readonly target: { readonly baseUrl: string; readonly ext: string }
  readonly learnedAt: string
  readonly requests: number
  readonly decisions: Values
  readonly evidence: Readonly<Record<string, Evidence>>
  /** What the target does that the document does not allow. */
  readonly deviations: readonly string[]
  /** Scenarios that were not run, with the reason. */
  readonly skipped: Readonly<Record<string, string>>
  /** Why it is not all that there is to learn. */
  readonly incomplete?: string
  /** What the run made and could not remove. */
  readonly left?: readonly string[]
}

export interface LearnOptions extends Omit<LiveOptions, 'onProgress'> {
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** Learns also what the document does not allow. */
  readonly asIs: boolean
  readonly onProgress?: (phase: string, done: number, total: number) => void
}

/** Taken from the answers themselves, not by trying: literal ones, and ids, of which any may happen to be alike. */
const direct = ['learned-answers', 'answer-shapes', 'accepted-values', 'create-id-assignment'] as const

export async function learn(options: LearnOptions): Promise<Learned> {
  const { ledger, simulate, asIs, onProgress } = options
  const accepted: Found = {}
  const live = await runLive(
    scenarios,
    { ...options, onProgress: (done, total, id) => onProgress?.(id, done, total) },
    async (sender, setting, record) => {
      onProgress?.('values', 1, scenarios.length)
      const level = safetyLevels.indexOf(options.safety)
      await probe(sender, setting, (safety) => safetyLevels.indexOf(safety) <= level, record, accepted)
    },
  )
  const { mirror, transcript } = live
  const tried = without(ledger, direct)
  const fitOptions = { mirror, transcript, ledger: tried, simulate, more: numbersOf(transcript) }
  const onStep = (done: number, total: number) => onProgress?.('fitting', done, total)
  const given = givenBy(transcript)
  Object.assign(accepted, alsoTaken(accepted, transcript))
  const ask = { mirror, transcript, simulate }
  let fitted = await fitDecisions({ ...fitOptions, start: given, onStep })
  // Under the decisions that were fitted without them, and under none: either may hide what they would mend.
  const needed = (await answersAll(fitted.values, ask))
    ? {}
    : {
        ...(await neededWords(accepted, given, ask)),
        ...(await hiddenWords(accepted, fitted.values, ledger, ask)),
      }
  if (Object.keys(needed).length > 0) {
    // From the start again: what was fitted to the wrong words need not hold.
    const start = { ...given, 'accepted-values': needed }
    const again = await fitDecisions({ ...fitOptions, start, onStep })
    const { 'accepted-values': _, ...others } = again.values
    const kept = await neededWords(needed, others, ask)
    if (again.cost < fitted.cost && Object.keys(kept).length > 0)
      fitted = { ...again, values: { ...others, 'accepted-values': kept } }
  }
  let values = await withLiterals(fitted.values, mirror, transcript, simulate, asIs)
  if ('learned-answers' in values || 'answer-shapes' in values) {
    // In the target's own forms, answers show more of the decisions behind them.
    const before = costOf(await pairsUnder(values, mirror, transcript, simulate))
    const finer = await fitDecisions({ ...fitOptions, start: values, onStep })
    if (finer.cost < before - 1) {
      fitted = finer
      values = await withLiterals(finer.values, mirror, transcript, simulate, asIs)
    }
  }
  return {
    schema: 'tracker-kit/decisions@1',
    target: { baseUrl: options.profile.baseUrl, ext: options.profile.ext ?? 'Ext' },
    learnedAt: new Date().toISOString(),
    requests: live.requests,
    decisions: values,
    evidence: {
      ...evidenceOf(values, fitted, live, tried, options.profile),
      'create-id-assignment': idsSeen(values, transcript),
    },
    deviations: deviationsOf(transcript, options.profile),
    skipped: live.skipped,
    ...(live.incomplete === null ? {} : { incomplete: live.incomplete }),
    ...(live.left.length === 0 ? {} : { left: live.left }),
  }
}

const without = (ledger: LedgerView, ids: readonly string[]): LedgerView =>
  Object.fromEntries(Object.entries(ledger).filter(([id]) => !ids.includes(id)))
