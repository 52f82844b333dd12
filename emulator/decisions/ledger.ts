/**
 * The ledger: each thing that the interface document leaves open and a client can notice, with a default, the other
 * legal values, and one line on why the default. Handlers read it; none of them hides such a choice.
 */
import { accounts } from './accounts.js'
import { customFields } from './custom-fields.js'
import type { Choice, Decision, Open } from './define.js'
import { learned } from './learned.js'
import { management } from './management.js'
import { own } from './own.js'
import { reading } from './reading.js'
import { security } from './security.js'
import { transport } from './transport.js'

export const ledger = {
  ...transport,
  ...reading,
  ...accounts,
  ...security,
  ...own,
  ...customFields,
  ...management,
  ...learned,
}

export type Ledger = typeof ledger
export type DecisionId = keyof Ledger

type ValueOf<D> = D extends Choice<infer V> ? V : D extends Open<infer V> ? V : never

/** One value for each entry. */
export type Decisions = { readonly [Id in DecisionId]: ValueOf<Ledger[Id]> }

/** What somebody wants to have otherwise. */
export type DecisionInput = { readonly [Id in DecisionId]?: Decisions[Id] | undefined }

export const decisionIds = Object.keys(ledger) as readonly DecisionId[]

/** An entry without the types of its values. */
export const entry = (id: DecisionId): Decision => ledger[id] as Decision
