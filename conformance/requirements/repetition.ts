/** Section 4: what is answered rightly once is answered rightly every time. */

import { operation as contractOf, operations, SUCCESS } from '../contract/index.js'
import { type Row, requirementOf, type Variant } from '../suite/engine.js'
import { group } from '../suite/requirement.js'
import { needProven, type Subject } from '../suite/subjects.js'
import type { Check } from '../suite/types.js'

/**
 * Enough to meet a fault that comes with every twelfth request, at the default number of runs. Each change that was answered
 * rightly before is one; yet a fault may have been met where nobody could tell it, as most faults of reads are.
 */
function times({ run }: Check, { operation }: Subject): number {
  const all = Math.max(2, Math.ceil(run.options.runs / 4))
  if (contractOf(operation).method === 'GET') return all
  const before = run.isDoubted(operation) ? 0 : (run.statuses(operation).get(SUCCESS) ?? 0)
  return Math.max(Math.ceil(before > 2 * all ? all / 4 : (all * 2) / 3), all - before)
}

const everyTime = {
  level: 'must',
  section: '4',
  allowed: [SUCCESS],
  fresh: true,
  plain: true,
  inARow: true,
  async change(subject: Subject, t: Check) {
    const { call, again } = subject
    await needProven(t, subject)
    const all = times(t, subject)
    const variants: Variant[] = []
    for (let round = 1; round <= all; round++)
      variants.push({
        what: `a valid request, the ${round}. of ${all}`,
        call: call.body === undefined ? {} : { body: await again(round) },
      })
    return variants
  },
} as const

const rows: readonly Row[] = [
  {
    ...everyTime,
    id: 'repetition.reads',
    statement: 'A read that was answered 200 is answered 200 again, as long as nothing was changed.',
    operations: operations.filter(({ method }) => method === 'GET').map(({ id }) => id),
    safety: 'read',
  },
  {
    ...everyTime,
    id: 'repetition.updates',
    statement: 'Valid updates of one thing are answered 200, each of them.',
    operations: ['updateUser', 'updateCustomField'],
    safety: 'write',
  },
  {
    ...everyTime,
    id: 'repetition.shared',
    statement: 'A valid change of what is shared is answered 200 each time that it is asked for.',
    operations: ['updateUserSettings', 'manageColumns', 'updatePlugin', 'updateSettings'],
    safety: 'destructive',
  },
]

export const repetition = group({ rank: 390 }, rows.map(requirementOf))
