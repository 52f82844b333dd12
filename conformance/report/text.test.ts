import { expect, test } from 'vitest'
import { failureOf, reportOf, requirementOf } from '../../fixtures/report.js'
import { junit } from './junit.js'
import type { Report, ReportRequirement } from './report.js'
import { verdictText } from './text.js'
import { verdictColour, verdictSentence } from './view.js'

const requirement = (reasons: readonly (string | null)[]) =>
  requirementOf('users.create', {
    outcome: reasons.includes(null) ? 'passed' : 'skipped',
    checks: reasons.map((reason) => ({
      operation: 'createUser',
      ...(reason === null ? { outcome: 'passed' } : { outcome: 'skipped', reason }),
    })),
  })
const reported = (requirements: ReportRequirement[], summary: Partial<Report['summary']> = {}) =>
  reportOf({ requirements }, { verdict: 'conforms', because: null, ...summary })
const passed = requirement([null])
const unsafe = requirement(['needs --safety write, the run allows read'])

const partly = requirement([null, 'it cannot be'])
const should = { ...passed, level: 'should' as const, outcome: 'failed' as const }
const failing = (known: boolean) => ({
  ...reported([should]),
  failures: [failureOf(should.id, { level: 'should', known })],
})

test.each<[sentence: string, colour: string, Report]>([
  ['conforms', 'green', reported([passed, passed])],
  ['conforms, but only 1 of 2 requirements was judged', 'yellow', reported([passed, unsafe])],
  [
    'conforms, but 1 of 2 requirements was judged at some operations only',
    'yellow',
    reported([passed, partly]),
  ],
  ['conforms, but only 1 of 150 requirements was judged', 'yellow', reported([passed], { of: 150 })],
  ['conforms apart from 1 known deviation', 'green', reported([passed], { known: 1 })],
  ['conforms; 1 should requirement failed (--fail-on should counts it)', 'yellow', failing(false)],
  ['conforms', 'green', failing(true)],
])('of a verdict: %s, in %s', (sentence, colour, report) => {
  expect([verdictSentence(report), verdictColour(report)]).toEqual([sentence, colour])
})

test('a run that fails though nothing new deviates says so, in JUnit too', () => {
  const because = 'the baseline is out of date: users.create has expired'
  const report = reported([passed], { verdict: 'deviates', because })
  expect(verdictSentence(report)).toBe(`has no deviation, but ${because}`)
  const baseline = { digest: '', entries: [] }
  expect(verdictSentence({ ...report, baseline })).toBe(`has no new deviation, but ${because}`)
  expect(junit(report)).toMatch(/ failures="1" .*<failure message="the baseline is out of date: [^>]*>/s)
  const failed = { ...report, requirements: [requirementOf('status')], failures: [failureOf('status')] }
  expect(junit(failed)).toContain(' failures="1" ')
})

test('a mistaken profile is told in the verdict and as a reason', () => {
  const skipped = requirement(["the profile's customField.type is refused by the target: 400"])
  const mistake = { field: 'customField.type', words: '400' }
  const report = { ...reported([passed, skipped, unsafe]), profile: [mistake] }
  const told = / 1 of 3 requirements was judged; the profile is mistaken in customField\.type$/
  expect(verdictSentence(report)).toMatch(told)
  expect(verdictText(report, null)).toMatch(
    /2 of 3 requirements were not judged:\n.* {2}1 {2}the profile's customField.type is refused/s,
  )
})

/** What stands after the verdict. */
const below = (report: Report, out: string | null = null) => {
  const lines = verdictText(report, out).trimEnd().split('\n')
  return lines.slice(lines.findIndex((line) => line.startsWith(report.target.baseUrl)) + 1)
}

test('below the verdict stand the reasons with their counts, the most common first, and the command for the rest', () => {
  const skipped = (id: string, reason: string) => ({ ...requirement([reason]), id })
  const report = reported([
    passed,
    skipped('a.user', 'the profile has no user'),
    ...['a', 'b', 'c'].map((id) => skipped(`${id}.write`, 'needs --safety write, the run allows read')),
  ])
  const rest = 'tracker-kit check --profile p.json --safety write'
  expect(below({ ...report, rest })).toEqual([
    '4 of 5 requirements were not judged:',
    '  3  needs --safety write: a.write, b.write and 1 more',
    '  1  the profile has no user: a.user',
    `More can be checked with this command, which changes the tracker (--plan shows how): npx ${rest}`,
  ])
  expect(below(reported([passed]))).toEqual([])
  // The report leaves out requirements of missing operations alone, and the reasons add up all the same.
  expect(below(reported([passed, unsafe], { of: 5 }))).toContain(
    '  3  the profile says that the tracker lacks the operations',
  )
})
