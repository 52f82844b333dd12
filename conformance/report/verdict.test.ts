import { expect, test } from 'vitest'
import { failureOf } from '../../fixtures/report.js'
import { requirements as catalogue } from '../requirements/index.js'
import type { ReportRequirement } from './report.js'
import { type Found, levelLeftOut, sumsOf, verdictOf } from './verdict.js'

type Outcome = 'passed' | 'failed' | 'skipped'
type Check = Partial<ReportRequirement['checks'][number]>

const idsAt = (safety: string) =>
  catalogue.filter((one) => one.safety === safety && one.phase === undefined).map(({ id }) => id)

const requirement = (id: string, outcome: Outcome, check: Check = {}): ReportRequirement => {
  const { level, section, statement, operations } = catalogue.find((one) => one.id === id) ?? {
    ...{ level: 'must' as const, section: '4.1', statement: 'It is.', operations: ['createUser' as const] },
  }
  const { reason } = check
  return {
    ...{ id, level, section, statement, operations: [...operations], outcome },
    ...(reason === undefined ? {} : { reason }),
    checks: [{ operation: 'createUser', outcome, ...check }],
  }
}

const refused = { reason: 'inconclusive: createUser answered 400', inconclusive: 'prerequisite' } as const
const found = (requirements: ReportRequirement[], rest: Partial<Found> = {}): Found => ({
  ...{ requirements, failures: [], stale: [], trouble: null, isShard: false },
  ...rest,
})
const must = { failOn: 'must', strict: false } as const
const read = idsAt('read').map((id) => requirement(id, 'passed'))
const write = idsAt('write')
const some = (outcome: Outcome, from: number, to: number, check: Check = {}) =>
  write.slice(from, to).map((id) => requirement(id, outcome, check))

test('where the target refused what most of a level needs, nothing was proven', () => {
  const requirements = [...read, ...some('passed', 0, 7), ...some('skipped', 7, 28, refused)]
  expect(verdictOf(found(requirements), must)).toEqual({
    verdict: 'inconclusive',
    because:
      'less than half could be judged: the target refused what 21 of 28 requirements of the level write need first, as in "createUser answered 400"',
  })
})

test('where it refused what half of them need, the other half counts', () => {
  const requirements = [...read, ...some('passed', 0, 10), ...some('skipped', 10, 20, refused)]
  expect(verdictOf(found(requirements), must).verdict).toBe('conforms')
})

test('what the flags or the profile left out does not count against the target', () => {
  const unsafe = { reason: 'needs --safety write, the run allows read' }
  const absent = { reason: 'the profile has no user' }
  const requirements = [...read, ...some('skipped', 0, 20, unsafe), ...some('skipped', 20, 40, absent)]
  expect(verdictOf(found(requirements), must).verdict).toBe('conforms')
  expect(verdictOf(found([...read.slice(0, 1), ...some('skipped', 0, 20, unsafe)]), must).verdict).toBe(
    'conforms',
  )
})

test('a shard, which has few of a level, is taken as a whole', () => {
  const requirements = [...read.slice(0, 5), ...some('skipped', 0, 2, refused)]
  expect(verdictOf(found(requirements, { isShard: true }), must).verdict).toBe('conforms')
  const most = [...read.slice(0, 5), ...some('skipped', 0, 6, refused)]
  expect(verdictOf(found(most, { isShard: true }), must).verdict).toBe('inconclusive')
})

test('nothing executed is never a pass', () => {
  const requirements = some('skipped', 0, 5, { reason: 'the profile has no user' })
  const nothing = { verdict: 'inconclusive', because: 'nothing could be judged' }
  expect(verdictOf(found(requirements), must)).toEqual(nothing)
  expect(verdictOf(found([]), must)).toEqual(nothing)
})

test('where a should alone was judged, the flag says whether it deviates', () => {
  const should = catalogue.filter(({ level }) => level === 'should').map(({ id }) => id)
  const failed = [requirement(should[0] ?? '', 'failed')]
  expect(verdictOf(found(failed), must).verdict).toBe('conforms')
  expect(verdictOf(found(failed), { ...must, failOn: 'should' }).verdict).toBe('deviates')
})

test('a deviation counts, and all else that went wrong is told beside it', () => {
  const failed = write.slice(0, 1).map((id) => requirement(id, 'failed'))
  const rest = { stale: ['a is old', 'b is old'], trouble: 'the target stopped answering' }
  expect(verdictOf(found([...read, ...failed], rest), must)).toEqual({
    verdict: 'deviates',
    because:
      '1 requirement failed; the baseline is out of date: a is old, and 1 more; the target stopped answering',
  })
})

test.each(['the run was cancelled', 'the suite itself failed: it broke'])(
  'after "%s" nothing conforms',
  (trouble) => {
    expect(verdictOf(found(read, { trouble }), must)).toEqual({ verdict: 'inconclusive', because: trouble })
  },
)

test('under --strict a shard is not blamed for answers that other shards have seen', () => {
  const [id = ''] = catalogue.filter(({ phase }) => phase === 'end').map((one) => one.id)
  const requirements = [...read, requirement(id, 'skipped', { reason: 'no success answer was seen' })]
  const strict = { failOn: 'must', strict: true } as const
  expect(verdictOf(found(requirements, { isShard: true }), strict).verdict).toBe('conforms')
  expect(verdictOf(found(requirements), { ...strict, failOn: 'should' }).verdict).toBe('deviates')
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
  const requirements = [requirement(first, 'failed'), requirement(second, 'failed'), ...some('skipped', 2, 9)]
  expect(sumsOf(requirements, failures)).toMatchObject({ judged: 2, of: catalogue.length, known: 2 })
})

test('the rest is judged at the level that it needs, and never above that of the profile', () => {
  const needs = (safety: string) =>
    requirement('a', 'skipped', { reason: `needs --safety ${safety}, the run allows read` })
  expect(levelLeftOut([needs('write')], 'read')).toBe('write')
  expect(levelLeftOut([needs('write'), needs('destructive')], 'read')).toBe('destructive')
  expect(levelLeftOut([needs('destructive')], 'read', 'write')).toBe('write')
  expect(levelLeftOut([needs('destructive')], 'write', 'write')).toBeNull()
  expect(levelLeftOut([requirement('a', 'skipped', { reason: 'no user' })], 'read')).toBeNull()
})
