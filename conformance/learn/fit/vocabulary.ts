/** Which of the words that a target accepts an emulator must be given, because no decision of its own explains them. */

import type { OperationId } from '../../contract/index.js'
import type { Mirror } from '../ask/mirror.js'
import { type Accepted, NO_TYPE, probeOf } from '../ask/probes.js'
import type { Transcript } from '../ask/script.js'
import type { LedgerView, Simulate, Values } from '../copy/copy.js'
import { type FitOptions, type Fitted, fitDecisions } from './decisions.js'
import { pairsUnder } from './literals.js'

interface Ask {
  readonly mirror: Mirror
  readonly transcript: Transcript
  readonly simulate: Simulate
}

/** The vocabularies without which the calls that asked for them come out otherwise. */
async function neededWords(found: Accepted, under: Values, ask: Ask): Promise<Accepted> {
  const kept: [string, unknown][] = []
  for (const [key, words] of Object.entries(found))
    if (await isNeeded(key, found, under, ask)) kept.push([key, words])
  return Object.fromEntries(kept)
}

async function isNeeded(key: string, found: Accepted, under: Values, ask: Ask): Promise<boolean> {
  // Nobody asks for these: what the profile has of them has no counterpart at all.
  if (key === 'project' || key === 'columnType') return true
  const rest = Object.fromEntries(Object.entries(found).filter(([other]) => other !== key))
  const calls = ask.transcript.filter(({ scenario }) => scenario === probeOf(key))
  const odd = (accepted: object) =>
    oddStatuses({ ...under, 'accepted-values': accepted }, { ...ask, transcript: calls })
  return (await odd(rest)) > (await odd(found))
}

/**
 * The same under decisions that were fitted without the words: each that may have been taken in their place, because it
 * is about the same operation and few others, is left out in its turn.
 */
async function hiddenWords(found: Accepted, under: Values, ledger: LedgerView, ask: Ask): Promise<Accepted> {
  let needed = await neededWords(found, under, ask)
  for (const key of Object.keys(found) as (keyof Accepted)[]) {
    const asked = ask.transcript.filter(({ scenario }) => scenario === probeOf(key)).at(-1)
    const instead = Object.keys(under).filter((id) => {
      const operations = ledger[id]?.operations ?? []
      return operations.length <= FEW && operations.some((id) => id === asked?.step.operation)
    })
    for (const id of key in needed ? [] : instead) {
      const { [id]: _, ...others } = under
      const more = { ...needed, [key]: found[key] }
      if (!(await isNeeded(key, more, others, ask))) continue
      needed = more
      break
    }
  }
  return needed
}

const FEW = 3

/** Types that other calls show to be taken, beside those that were asked for. */
export function alsoTaken({ customFieldType, columnType }: Accepted, transcript: Transcript): Accepted {
  const taken = (operation: OperationId, typeIn: (body: Body) => unknown) =>
    transcript
      .filter(({ step, seen }) => step.operation === operation && seen.status === 200)
      .map(({ step }) => typeIn((step.body ?? {}) as Body))
      .filter((type): type is string => typeof type === 'string' && type !== '')
  const fields = taken('createCustomField', ({ custom_field }) => custom_field?.type)
  const lists = taken('manageColumns', ({ type }) => type)
  return {
    ...(customFieldType && { customFieldType: [...new Set([...customFieldType, ...fields])] }),
    // Who takes whatever is sent has no list of them.
    ...(columnType && !lists.includes(NO_TYPE) && { columnType: [...new Set([...columnType, ...lists])] }),
  }
}

type Body = { readonly type?: unknown; readonly custom_field?: { readonly type?: unknown } | null }

/** The decisions, fitted beside the words that none of them explains. */
export async function fitWithWords(found: Accepted, given: Values, options: FitOptions): Promise<Fitted> {
  const fitBeside = async (words: Accepted) => {
    const start = Object.keys(words).length === 0 ? given : { ...given, 'accepted-values': words }
    const fitted = await fitDecisions({ ...options, start })
    const { 'accepted-values': _, ...others } = fitted.values
    return { fitted, others }
  }
  let words = await unexplainedWords(found, given, options)
  let best = await fitBeside(words)
  if (!(await answersAll(best.fitted.values, options))) {
    const more = { ...words, ...(await hiddenWords(found, best.others, options.ledger, options)) }
    const again = Object.keys(more).length > Object.keys(words).length ? await fitBeside(more) : best
    if (again.fitted.cost < best.fitted.cost) [best, words] = [again, more]
  }
  const kept = await neededWords(words, best.others, options)
  const isAny = Object.keys(kept).length > 0
  return { ...best.fitted, values: { ...best.others, ...(isAny && { 'accepted-values': kept }) } }
}

/**
 * Those that no decisions explain, as the calls show that asked for them. Under the decisions that explain these best, and
 * under none: either may hide what they would mend.
 */
async function unexplainedWords(found: Accepted, given: Values, options: FitOptions): Promise<Accepted> {
  const transcript = options.transcript.filter(({ scenario }) =>
    Object.keys(found).some((key) => scenario === probeOf(key)),
  )
  const ask = { ...options, transcript }
  const { values } = await fitDecisions({ ...ask, start: given })
  if ((await oddStatuses(values, ask)) === 0) return {}
  return {
    ...(await neededWords(found, given, ask)),
    ...(await hiddenWords(found, values, options.ledger, ask)),
  }
}

/** Whether statuses come out alike but for one call in a hundred. */
const answersAll = async (under: Values, ask: Ask): Promise<boolean> =>
  (await oddStatuses(under, ask)) <= 0.01 * ask.transcript.length

async function oddStatuses(under: Values, { mirror, transcript, simulate }: Ask): Promise<number> {
  const pairs = await pairsUnder(under, mirror, transcript, simulate, false)
  return pairs.filter(({ recorded, replayed }) => recorded.seen.status !== replayed.seen.status).length
}
