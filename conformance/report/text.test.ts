import { expect, test } from 'vitest'
import { failureOf, reportOf } from '../../fixtures/report.js'
import type { ReportRequirement } from './report.js'
import { verdictSentence, verdictText } from './text.js'

const curl = `curl -i -X GET -H "Authorization: Bearer $TRACKER_RESTRICTED_TOKEN" 'http://tracker.test'`

test('a failure is told with the commands as a person runs them', () => {
  const failures = [failureOf('users.create', { curl }), failureOf('users.get', { curl: 'curl -i -X GET x' })]
  const lines = verdictText(reportOf({ failures }), null).split('\n')
  expect(lines).toContain(`  with the token in TRACKER_RESTRICTED_TOKEN: ${curl}`)
  expect(lines).toContain('  replay: npx tracker-kit check --only users.create')
})

const requirement = (reasons: readonly (string | null)[]): ReportRequirement => ({
  id: 'users.create',
  level: 'must',
  section: '4.1',
  statement: 'It is.',
  operations: ['createUser'],
  outcome: reasons.includes(null) ? 'passed' : 'skipped',
  checks: reasons.map((reason) =>
    reason === null
      ? { operation: 'createUser', outcome: 'passed' }
      : { operation: 'createUser', outcome: 'skipped', reason },
  ),
})
const sentence = (...requirements: ReportRequirement[]) =>
  verdictSentence(reportOf({ requirements }, { verdict: 'conforms', because: null }))
const passed = requirement([null])
const unsafe = requirement(['needs --safety write'])

test('a tracker conforms without a reserve only where nothing was skipped', () => {
  expect(sentence(passed, passed)).toBe('conforms')
  expect(sentence(passed, unsafe)).toBe(
    'conforms in what was checked: 1 of 2 requirements; 1 skipped because: needs --safety write',
  )
  expect(sentence(passed, requirement([null, 'it cannot be']))).toBe(
    'conforms in what was checked: 2 of 2 requirements, 1 of them for some operations only',
  )
})

test('the most common reasons are told with their numbers, and the others counted', () => {
  const others = ['no user', 'no user', 'no plugin', 'no password'].map((reason) => requirement([reason]))
  expect(sentence(passed, unsafe, ...others, unsafe, unsafe)).toBe(
    'conforms in what was checked: 1 of 8 requirements; 7 skipped because: needs --safety write (3), no user (2) and 2 more reasons',
  )
})
