/** Derives decisions from answers: it tries values, takes over accepted words, and learns the other answers literally. */
import { documentedStatuses } from '../../contract/index.js'
import { getOrInsert } from '../../contract/memoised.js'
import { type LedgerView, type Pair, replayed, simulate, type Values } from '../copy/emulator.js'
import { distance } from '../trace/compare.js'
import type { Recording } from '../trace/trace.js'
import { fitDecisions } from './decisions.js'
import { givenBy, numbersOf, offeredIn, otherWords, wordsOf } from './direct.js'
import { inducedForms } from './forms.js'
import { inducedRules } from './rules.js'

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

/** Derives decisions from a recording, with answers and forms, and each call as the emulator then answers it. Pure. */
export async function settle(all: Recording, { ledger, asIs, onProgress }: FitSettings) {
  const { mirrors } = all
  // An error with an undocumented status, such as 500, shows no decision and has no effect.
  const isTelling = (status: number) => asIs || status < 300 || documentedStatuses.includes(status)
  const calls = all.calls.filter(({ seen }) => isTelling(seen.status))
  const numbers = numbersOf(calls)
  const words = wordsOf(calls, mirrors[0]?.projects ?? [])
  const more = (id: string, present: unknown) =>
    id === 'accepted-values' ? otherWords(words, present) : (numbers[id] ?? [])
  const tried = Object.fromEntries(Object.entries(ledger).filter(([id]) => !untried.includes(id)))
  // Ids that are not numbers have no counterpart in the emulator, whatever else is fitted.
  const fixed = 'project' in words ? { project: words.project } : {}
  const starting = (words: object) => ({ 'accepted-values': words, ...givenBy(calls) })
  // If the words on a page fit better than the emulator's own vocabulary, the fitting starts with them.
  const starts = [starting(fixed), starting({ ...fixed, ...offeredIn(calls, words) })]
  const fitted = await fitDecisions({
    ...{ mirrors, calls, more, ledger: tried, starts },
    onStep: (done, total) => onProgress?.('fitting the decisions', done, total),
  })
  return { fitted, ...(await withLiterals(fitted.values, { ...all, calls }, asIs)) }
}

const costOf = (pairs: readonly Pair[]) =>
  pairs.reduce((sum, { recorded, replayed }) => sum + distance(recorded, replayed.seen), 0)

/** The greatest number of times that rules and forms are made anew. */
const ROUNDS = 4

/** Adds rules and forms for what no decision explains if they bring the simulator nearer; returns each call under them. */
async function withLiterals(fitted: Values, { mirrors, calls }: Recording, asIs: boolean) {
  const known = new Map<string, Promise<readonly Pair[]>>()
  const pairsUnder = (some: Values) =>
    getOrInsert(known, JSON.stringify(some), async () => {
      const simulator = await simulate(mirrors, some, { causes: true })
      return simulator ? [...replayed(simulator, calls)] : []
    })
  let [values, pairs] = [fitted, await pairsUnder(fitted)]
  for (let round = 0; round < ROUNDS; round++) {
    const rules = inducedRules(pairs.filter(({ recorded }) => asIs || !recorded.isWrong))
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

const withForms = ({ 'answer-shapes': _, ...values }: Values, forms: Record<string, unknown>): Values =>
  Object.keys(forms).length === 0 ? values : { ...values, 'answer-shapes': forms }

const costFor = (pairs: readonly Pair[], operation: string) =>
  costOf(pairs.filter(({ recorded }) => recorded.operation === operation))
