/**
 * The ledger: each thing that the interface document leaves open and a client can notice, with a default, the other
 * legal values, and the words that explain them. Handlers read it; none of them hides such a choice.
 */
import { type DecisionWords, decisionWords } from '../../conformance/contract/decisions/index.js'
import { accounts } from './accounts.js'
import { customFields } from './custom-fields.js'
import type { Choice, Decision, Open } from './define.js'
import { learned } from './learned.js'
import { management } from './management.js'
import { own } from './own.js'
import { reading } from './reading.js'
import { security } from './security.js'
import { transport } from './transport.js'

const entries = {
  ...transport,
  ...reading,
  ...accounts,
  ...security,
  ...own,
  ...customFields,
  ...management,
  ...learned,
}

type Entries = typeof entries
export type DecisionId = keyof Entries

export type Ledger = { readonly [Id in DecisionId]: Entries[Id] & DecisionWords }

type WordsFor<E> =
  E extends Choice<infer V> ? DecisionWords & { readonly values: Readonly<Record<V, string>> } : DecisionWords

/** Each entry, and each value of a choice, has its words: else this does not compile. */
const words: { readonly [Id in DecisionId]: WordsFor<Entries[Id]> } = decisionWords

export const ledger = Object.fromEntries(
  Object.entries(entries).map(([id, one]) => [id, { ...one, ...words[id as DecisionId] }]),
) as unknown as Ledger

type ValueOf<D> = D extends Choice<infer V> ? V : D extends Open<infer V> ? V : never

/** One value for each entry. */
export type Decisions = { readonly [Id in DecisionId]: ValueOf<Ledger[Id]> }

/** What somebody wants to have otherwise. */
export type DecisionInput = { readonly [Id in DecisionId]?: Decisions[Id] | undefined }

export const decisionIds = Object.keys(ledger) as readonly DecisionId[]

/** An entry without the types of its values. */
export const entry = (id: DecisionId): Decision => ledger[id] as Decision
