/** The ledger: what the interface document leaves open and a client can notice. Handlers contain no such choice. */
import { type DecisionWords, decisionWords } from '../../conformance/contract/decisions/index.js'
import type { Choice, Decision, Entry, Open } from './define.js'
import { entries } from './entries.js'
import { learned } from './learned.js'

const all = { ...entries, ...learned }

type Entries = typeof all
export type DecisionId = keyof Entries

/** Compiles only if each entry has its words. */
const words: { readonly [Id in DecisionId]: DecisionWords } = decisionWords

type Values<Id extends DecisionId> = keyof (typeof decisionWords)[Id]['values'] & string

export type Ledger = {
  readonly [Id in DecisionId]: DecisionWords &
    (Entries[Id] extends Open<infer V> ? Open<V> : Choice<Values<Id>>)
}

export const ledger = Object.fromEntries(
  Object.entries<Entry>(all).map(([id, one]) => {
    const [fallback, ...alternatives] = Object.keys(words[id as DecisionId].values)
    return [id, { default: fallback, alternatives, ...one, ...words[id as DecisionId] }]
  }),
) as unknown as Ledger

export type Decisions = { readonly [Id in DecisionId]: Ledger[Id]['default'] }

export type DecisionInput = { readonly [Id in DecisionId]?: Decisions[Id] | undefined }

export const decisionIds = Object.keys(ledger) as readonly DecisionId[]

export const entry = (id: DecisionId): Decision => ledger[id] as Decision

type Side = { readonly [Id in keyof Decisions]?: readonly Decisions[Id][] }

export type Exclusion = Readonly<{ when: Side; not: Side; why: string }>

const unshown = 'A session token that the answer does not show is of no use to anybody.'

/** Pairs of values that contradict each other, so that neither users nor `vary` run into them. */
export const exclusions: readonly Exclusion[] = [
  {
    when: { 'impersonate-effect': ['token'] },
    not: { 'write-success-body': ['empty-list', 'empty-object', 'message'] },
    why: unshown,
  },
  { when: { 'impersonate-effect': ['token'] }, not: { 'success-envelope': ['empty-list'] }, why: unshown },
  {
    when: { 'create-username-required': ['generated'] },
    not: { 'success-envelope': ['empty-list'] },
    why: 'A username that the tracker makes up must be told.',
  },
]
