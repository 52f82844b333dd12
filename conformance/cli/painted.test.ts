/** What a terminal shows of a verdict, in colour. */
import { expect, test } from 'vitest'
import { writtenIo } from '../../fixtures/io.js'
import { failureOf, reportOf } from '../../fixtures/report.js'
import type { Report, ReportRequirement } from '../report/report.js'
import { announce } from './announce.js'
import type { Io } from './usage.js'

const paint: Io['paint'] = (colour, text) => `<${colour}>${text}</${colour}>`

async function shown(report: Report, advice: readonly string[] = []): Promise<string[]> {
  const { io, text } = writtenIo({ paint })
  await announce(report, null, { failOn: 'must', advice }, io)
  return text.out.split('\n')
}

const skipped: ReportRequirement = {
  ...{ id: 'users.create', level: 'must', section: '4.1', statement: 'It is.', operations: ['createUser'] },
  ...{
    outcome: 'skipped',
    checks: [{ operation: 'createUser', outcome: 'skipped', reason: 'needs --safety write' }],
  },
}

test('what failed is red, what was skipped is yellow, and nought has no colour', async () => {
  const must = { passed: 3, failed: 1, skipped: 2 }
  const lines = await shown(reportOf({ failures: [failureOf('users.create')] }, { must }))
  expect(lines).toContain('<red>FAILED</red> must users.create (createUser)')
  expect(lines).toContain(
    'must requirements    <green>3 passed</green>, <red>1 failed</red>, <yellow>2 skipped</yellow>',
  )
  expect(lines).toContain('should requirements  0 passed, 0 failed, 0 skipped')
})

test('a verdict on a part is yellow, and so is the command that judges the rest', async () => {
  const report = reportOf(
    { requirements: [skipped], rest: 'tracker-kit check --safety write' },
    { verdict: 'conforms', because: null, judged: 1, of: 2 },
  )
  const lines = await shown(report, ['Without a profile'])
  expect(lines).toContain(
    'http://tracker.test/api/rest <yellow>conforms as far as judged: 1 of 2 requirements</yellow>',
  )
  expect(lines).toContain('<yellow>1 of 2 requirements was not judged</yellow>:')
  expect(lines).toContain(
    '<yellow>More can be checked with this command, which changes the tracker (--plan shows how)</yellow>: npx tracker-kit check --safety write',
  )
  expect(lines).toContain('<yellow>Without a profile</yellow>')
})
