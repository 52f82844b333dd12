import { expect, test } from 'vitest'
import { failureOf, reportOf, requirementOf } from '../../fixtures/report.js'
import type { OperationId } from '../contract/index.js'
import { rules } from '../oracle/judge.js'
import { mergeReports, type Part as PartOf } from './merge.js'
import type { BaselineEntry, Report } from './report.js'

type Part = PartOf<Report>
type Outcome = 'passed' | 'failed' | 'skipped'

const requirement = (id: string, outcome: Outcome, reason?: string) =>
  requirementOf(id, { outcome, ...(reason ? { reason } : {}) })

const conforms = { verdict: 'conforms', because: null } as const

/** A shard of two that judged one requirement of its own. */
function shard(index: number, rest: Partial<Report> = {}, summary: Partial<Report['summary']> = conforms) {
  const requirements = [requirement(`users.${index}`, 'passed')]
  const part = { shard: { index, count: 2 }, runId: 'github-1-1', requirements, ...rest }
  return { source: `shard-${index}`, report: reportOf(part, summary) }
}
const verdictOfMerged = (...parts: Part[]) => {
  const { verdict, because } = mergeReports(parts).summary
  return { verdict, because }
}

test('what failed in one shard has failed, and what passed in one is not skipped', () => {
  const operations: OperationId[] = ['createUser', 'getUser', 'updateUser']
  const judged = (reason: string, ...outcomes: Outcome[]) => {
    const checks = operations.map((operation, index) => {
      const outcome = outcomes[index] ?? 'skipped'
      return { operation, outcome, ...(outcome === 'skipped' ? { reason } : {}) }
    })
    return { requirements: [{ ...requirement('status', 'passed'), operations, checks }] }
  }
  const merged = mergeReports([
    shard(1, judged('no answer that shows it in shard 1/2', 'passed', 'skipped', 'passed')),
    shard(2, judged('no answer that shows it in shard 2/2', 'skipped', 'skipped', 'failed')),
  ])
  expect(merged.requirements).toMatchObject([
    {
      ...{ outcome: 'failed', reason: 'getUser skipped: never exercised' },
      checks: [{ outcome: 'passed' }, { outcome: 'skipped' }, { outcome: 'failed' }],
    },
  ])
})

const withEntry = (index: number, state: BaselineEntry['state']) => {
  const of = { requirement: 'users.create', operation: 'createUser', fingerprint: 'abc' } as const
  const entry = { ...of, state, text: `users.create (createUser) ${state}` }
  return shard(index, { baseline: { digest: 'd1', entries: [entry] } })
}

test.each<[first: BaselineEntry['state'], second: BaselineEntry['state'], verdict: string]>([
  ['gone', 'unjudged', 'deviates'],
  ['void', 'void', 'deviates'],
  ['gone', 'struck', 'conforms'],
  ['unjudged', 'unjudged', 'conforms'],
  ['unstruck', 'unjudged', 'conforms'],
])('a baseline entry that is %s in one shard and %s in the other: %s', (one, other, verdict) => {
  const because = `the baseline is out of date: users.create (createUser) ${one}; `
  expect(verdictOfMerged(withEntry(1, one), withEntry(2, other))).toEqual({
    verdict,
    because: verdict === 'deviates' ? expect.stringContaining(because) : null,
  })
})

test('the trouble of a shard that found a deviation is told too', () => {
  const trouble = 'the target stopped answering'
  const failures = [failureOf('users.2')]
  const because = `1 requirement failed; ${trouble}`
  const deviating = { trouble, failures, requirements: [requirement('users.2', 'failed')] }
  expect(verdictOfMerged(shard(1), shard(2, deviating, { verdict: 'deviates', because }))).toEqual({
    verdict: 'deviates',
    because: `1 requirement failed; shard 2/2: ${trouble}`,
  })
})

const verdicts = ['conforms', 'inconclusive', 'deviates'] as const
const pairs = verdicts.flatMap((one) => verdicts.map((other) => [one, other] as const))
test.each(pairs)('the whole is never better than its parts: %s and %s', (one, other) => {
  const part = (index: number, verdict: (typeof verdicts)[number]) => {
    const id = `users.${index}`
    const failed = { requirements: [requirement(id, 'failed')], failures: [failureOf(id)] }
    return shard(index, verdict === 'deviates' ? failed : {}, { verdict, because: 'for a reason' })
  }
  const { verdict, because } = verdictOfMerged(part(1, one), part(2, other))
  const worst = verdicts[Math.max(verdicts.indexOf(one), verdicts.indexOf(other))]
  expect(verdict).toBe(worst)
  if ([one, other].includes('inconclusive')) expect(because).toContain('for a reason')
})

const { settings, target } = reportOf()

test.each([
  ['runId', { runId: null }, 'null instead of "github-1-1"'],
  ['version', { version: '9.9.9' }, '"9.9.9" instead of "0.1.0"'],
  ['target', { target: { ...target, ext: 'Other' } }, '{"baseUrl":"http://tracker.test/api/rest","ext":"Ot'],
  ['safety', { safety: 'write' }, '"write" instead of "read"'],
  ['runs', { runs: 7 }, '7 instead of 100'],
  ['only', { settings: { ...settings, only: ['getUser'] } }, '["getUser"] instead of []'],
  ['profile', { settings: { ...settings, profile: 'other' } }, '"other" instead of "0123456789ab"'],
  ['baseline', { baseline: { digest: 'd1', entries: [] } }, '"d1" instead of null'],
  ['shards', { shard: { index: 2, count: 3 } }, '3 instead of 2'],
] as const)('shards with another %s are refused: %j', (name, rest, values) => {
  expect(() => mergeReports([shard(1), shard(2, rest as Partial<Report>)])).toThrow(
    `shard-2 has another ${name} than shard-1: ${values}`,
  )
})

test.each<[string, RegExp, ...Part[]]>([
  ['a missing shard', /^shard 2\/2 is missing/, shard(1)],
  ['a shard twice', /^shard-1 and shard-1 are both shard 1\/2/, shard(1), shard(1)],
  ['the report of a whole run', /^shard-1 is the report of a whole run/, shard(1, { shard: null })],
])('%s is refused', (_, message, ...parts) => {
  expect(() => mergeReports(parts)).toThrow(message)
})

test('without a run id other seeds are of another run where somebody chose them', () => {
  const seeded = (index: number, seed: number, seedGiven: boolean, runId: string | null) =>
    shard(index, { seed, runId, settings: { ...settings, seedGiven } })
  expect(() => mergeReports([seeded(1, 1, true, null), seeded(2, 2, true, null)])).toThrow(
    'shard-2 has another seed than shard-1: 2 instead of 1',
  )
  expect(mergeReports([seeded(1, 1, false, null), seeded(2, 2, false, null)]).seeds).toEqual([1, 2])
  expect(mergeReports([seeded(1, 1, true, 'a'), seeded(2, 2, true, 'a')])).toMatchObject({
    ...{ runId: 'a', shard: null },
    summary: { ...conforms, judged: 2, of: rules.size, known: 0, requests: 4 },
  })
  expect(mergeReports([seeded(1, 1, true, null), seeded(2, 1, true, null)]).seeds).toBeUndefined()
})
