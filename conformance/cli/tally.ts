/** How many requirements of a running suite are done, from its checks: one requirement may have several. */

import type { TestRecord } from '../suite/loop.js'
import type { Plan } from '../suite/plan.js'

export interface Tally {
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Of those that are done. */
  readonly skipped: number
}

/** The requirement of each check of a run. */
export const checkedIn = (plan: Plan): string[] =>
  [...plan.main, ...plan.last, ...plan.end]
    .filter(({ silent }) => !silent)
    .map(({ requirement }) => requirement.id)

/** By the rule of the report: one failed check fails a requirement, and one that passed keeps it from being skipped. */
export function createTally(checked: readonly string[]) {
  const left = new Map<string, number>()
  for (const id of checked) left.set(id, (left.get(id) ?? 0) + 1)
  const total = left.size
  const outcomes = new Map<string, TestRecord['outcome']>()
  const counts = { done: 0, failed: 0, skipped: 0 }
  return ({ requirement, outcome }: Pick<TestRecord, 'requirement' | 'outcome'>): Tally => {
    const before = outcomes.get(requirement)
    if (outcome === 'failed' && before !== 'failed') counts.failed += 1
    if (before === undefined || outcome === 'failed' || before === 'skipped')
      outcomes.set(requirement, outcome)
    const rest = (left.get(requirement) ?? 0) - 1
    left.set(requirement, rest)
    if (rest === 0) counts.done += 1
    if (rest === 0 && outcomes.get(requirement) === 'skipped') counts.skipped += 1
    return { total, ...counts }
  }
}
