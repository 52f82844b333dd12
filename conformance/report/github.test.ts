import { expect, test } from 'vitest'
import { reportOf as emptyReport, failureOf as failure } from '../../fixtures/report.js'
import { workflowCommand, workflowCommands } from './github.js'
import type { Report, ReportFailure } from './report.js'

const reportOf = (failures: ReportFailure[], summary: Partial<Report['summary']> = {}) =>
  emptyReport({ failures }, summary)

const linesOf = (report: Report, failOn: 'must' | 'should' = 'must') =>
  workflowCommands({ ...report, settings: { ...report.settings, failOn } })
    .split('\n')
    .slice(0, -1)

test('texts stay in their place of the command, whatever they hold', () => {
  expect(workflowCommand('error', 'a,b: 5%\r\n::', '50%\r\n::add-mask::x, y: z')).toBe(
    '::error title=a%2Cb%3A 5%25%0D%0A%3A%3A::50%25%0D%0A::add-mask::x, y: z\n',
  )
})

test('what does not fail the run warns, and what is in the baseline is not told', () => {
  const report = reportOf([
    failure('users.create'),
    failure('users.get', { level: 'should', seen: 'other' }),
    failure('users.rename', { known: true }),
  ])
  const levels = (failOn: 'must' | 'should') => linesOf(report, failOn).map((line) => line.split(' ')[0])
  expect(levels('must')).toEqual(['::error', '::warning'])
  expect(levels('should')).toEqual(['::error', '::error'])
})

test.each([10, 11])('of %i faults none is lost and ten lines are shown', (count) => {
  const fault = (_: unknown, index: number) => failure(`users.number-${index}`, { seen: `answered ${index}` })
  const lines = linesOf(reportOf(Array.from({ length: count }, fault)))
  expect(lines).toHaveLength(10)
  expect(lines.at(-1)).toContain(count === 10 ? 'users.number-9' : `… and ${count - 9} more`)
})
