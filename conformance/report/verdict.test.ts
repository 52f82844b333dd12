import { expect, test } from 'vitest'
import { failureOf, reportOf, requirementOf } from '../../fixtures/report.js'
import { rules } from '../oracle/judge.js'
import type { Report, ReportRequirement } from './report.js'
import { summedUp } from './verdict.js'

type Outcome = ReportRequirement['outcome']

const ids = [...rules.keys()]

const requirement = (id: string, outcome: Outcome, rest: Partial<ReportRequirement> = {}) =>
  requirementOf(id, { outcome, ...rest })

const summaryOf = (requirements: ReportRequirement[], rest: Partial<Report> = {}) =>
  summedUp(reportOf({ requirements, ...rest }), 0).summary
const read = ids.slice(0, 5).map((id) => requirement(id, 'passed'))
const write = ids.slice(5)

test('a deviation counts, and all else that went wrong is told beside it', () => {
  const failed = write.slice(0, 1).map((id) => requirement(id, 'failed'))
  const voided = { requirement: 'a', operation: 'getUser', fingerprint: '', state: 'void' } as const
  const entries = ['a is old', 'b is old'].map((text) => ({ ...voided, text }))
  const rest = { baseline: { digest: '', entries }, trouble: 'the target stopped answering' }
  expect(summaryOf([...read, ...failed], rest)).toMatchObject({
    verdict: 'deviates',
    because:
      '1 requirement failed; the baseline is out of date: a is old and 1 more; delete such an entry, or write the file again with --write-baseline; the target stopped answering',
  })
})

test('under --strict a shard is not blamed for answers that other shards have seen', () => {
  const unseen = requirement(write[0] ?? '', 'skipped', { reason: 'no success answer was seen' })
  const requirements = [...read, unseen]
  const settings = { ...reportOf().settings, failOn: 'should', strict: true } as const
  expect(summaryOf(requirements, { settings, shard: { index: 1, count: 2 } }).verdict).toBe('conforms')
  expect(summaryOf(requirements, { settings }).verdict).toBe('deviates')
})

test('the sums say how much of the document was judged, and how many deviations are known', () => {
  const [first = '', second = ''] = write
  const known = { known: true, reason: 'known' }
  const failures = [
    failureOf(first, known),
    // The same one, seen with another made-up name.
    failureOf(first, { ...known, replay: 'another' }),
    failureOf(first, { ...known, operation: 'updateUser' }),
    failureOf(second),
  ]
  const outcomes = ['failed', 'failed', 'skipped', 'skipped'] as const
  const requirements = outcomes.map((outcome, index) => requirement(write[index] ?? '', outcome))
  expect(summaryOf(requirements, { failures })).toMatchObject({ judged: 2, of: rules.size, known: 2 })
})
