/** What the inspector's page shows in addition to the state: the tracker, and the ledger of decisions. */
import { z } from 'zod'
import type { DecisionWords } from '../../conformance/contract/decisions/index.js'
import { version } from '../../conformance/contract/version.js'
import { faultSchema } from '../arrange/faults.js'
import type { Open } from '../decisions/define.js'
import { decisionIds, entry } from '../decisions/index.js'
import { type Reference, references, rowOf, shownCollections } from '../state/collections.js'
import { levelName, levelNumbers } from '../state/levels.js'
import type { Tracker } from '../types.js'

export type Overview = ReturnType<typeof overviewOf>
export type FaultField = Overview['faultFields'][number]
export type LedgerEntry = ReturnType<typeof ledgerOf>[number]

export function overviewOf(tracker: Tracker, baseUrl: string, suite: boolean) {
  const { ext, vary, learnt } = tracker
  return {
    ...{ version, baseUrl, ext, vary, suite, isTwin: learnt !== null },
    /** The path of the REST root as the journal shows it. */
    root: new URL(tracker.baseUrl).pathname,
    levels: Object.fromEntries(levelNumbers.map((level) => [level, levelName(level)])),
    tables: shownCollections.flatMap((collection) => {
      const { shown } = rowOf(collection)
      return shown ? [{ collection, ...shown }] : []
    }),
    references: references as Readonly<Partial<Record<string, (typeof references)[Reference]>>>,
    faultFields: faultFields(),
  }
}

interface FieldSchema {
  readonly description?: string
  readonly enum?: readonly string[]
}

/** The fields of the form for faults, from the schema. A field without options takes any JSON value, or a text. */
function faultFields() {
  const { properties = {} } = z.toJSONSchema(faultSchema)
  return Object.entries(properties as Readonly<Record<string, FieldSchema>>).map(
    ([name, { description: about = '', enum: options = [] }]) => ({ name, about, options }),
  )
}

/** `open`: values that are not listed are legal, too. */
export const ledgerOf = ({ decisions, learnt }: Tracker) =>
  decisionIds.map((id) => {
    const { schema, ...decision } = entry(id) as Open & DecisionWords
    const value: unknown = decisions[id]
    const origin = learnt ? originOf(learnt.get(id)?.exchanges) : ''
    return { ...decision, id, value, open: schema !== undefined, origin }
  })

function originOf(exchanges: readonly unknown[] | undefined): string {
  if (!exchanges) return ', never shown by the original'
  return `, learnt from the original${exchanges.length > 0 ? ` (exchanges ${exchanges.join(', ')} of its trace)` : ''}`
}
