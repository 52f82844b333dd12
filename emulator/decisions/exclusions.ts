/** Pairs of values that contradict each other, so that neither users nor `vary` run into them. */
import type { Decisions } from './ledger.js'

type Side = { readonly [Id in keyof Decisions]?: readonly Decisions[Id][] }

export interface Exclusion {
  readonly when: Side
  readonly not: Side
  readonly why: string
}

const unshown = 'A session token that the answer does not show is of no use to anybody.'

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
