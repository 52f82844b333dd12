/** What the inspector's page shows in addition to the state: the tracker, and the ledger of decisions. */
import { z } from 'zod'
import { probedBy } from '../../conformance/contract/decisions/index.js'
import { operationIds } from '../../conformance/contract/operations.js'
import { version } from '../../conformance/contract/version.js'
import { faultSchema } from '../arrange/faults.js'
import { decisionIds, entry } from '../decisions/index.js'
import { type Reference, references, rowOf, shownCollections } from '../state/collections.js'
import { levelName, levelNumbers } from '../state/levels.js'
import type { Tracker } from '../types.js'

export type Overview = ReturnType<typeof overviewOf>
export type FaultField = Overview['faultFields'][number]
export type LedgerEntry = ReturnType<typeof ledgerOf>[number]

/** `suite`: whether there is a suite to run. */
export function overviewOf(tracker: Tracker, baseUrl: string, suite: boolean) {
  const { ext, vary } = tracker
  return {
    ...{ version, baseUrl, ext, vary, suite, operations: operationIds },
    /** The path of the REST root as the journal shows it. */
    root: new URL(tracker.baseUrl).pathname,
    levels: Object.fromEntries(levelNumbers.map((level) => [level, levelName(level)])),
    tables: shownCollections.flatMap((collection) => {
      const { shown } = rowOf(collection)
      return shown ? [{ collection, title: shown.group, ...shown }] : []
    }),
    /** The collection that a member refers to, by member. */
    references: references as Readonly<Partial<Record<string, (typeof references)[Reference]>>>,
    faultFields: faultFields(),
  }
}

interface FieldSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly anyOf?: unknown
}

/** The fields of the form for faults, from the schema. `choice`: one of the options; `json`: any JSON value. */
function faultFields() {
  const { properties = {} } = z.toJSONSchema(faultSchema)
  return Object.entries(properties as Readonly<Record<string, FieldSchema>>).map(([name, field]) => ({
    name,
    about: field.description ?? '',
    kind: field.enum
      ? 'choice'
      : /number|integer/.test(field.type ?? '')
        ? 'number'
        : field.anyOf
          ? 'text'
          : 'json',
    options: field.enum ?? [],
  }))
}

/** `open`: values that are not listed are legal, too. `probe`: requests that show which value the decision has. */
export const ledgerOf = ({ decisions, ext }: Tracker) =>
  decisionIds.map((id) => {
    const { operations: on, section, question, values, why, alternatives, ...decision } = entry(id)
    return {
      ...{ id, section, question, values, why, operations: on },
      value: decisions[id] as unknown,
      default: decision.default as unknown,
      alternatives: alternatives as readonly unknown[],
      open: 'schema' in decision,
      probe: probedBy(id, ext),
    }
  })
