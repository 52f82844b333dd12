import { expect, test } from 'vitest'
import { failureOf, reportOf, requirementOf } from '../../fixtures/report.js'
import type { Report } from './report.js'
import { sarif } from './sarif.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into any part of the log
const runOf = (report: Report): any => JSON.parse(sarif(report)).runs[0]

test('a requirement is a rule with its section, a failure a result of that rule at its operation', () => {
  const one = { level: 'should', operation: 'getUser', message: 'expected 200, saw 500' } as const
  const rules = [requirementOf('a.one'), requirementOf('a.two', { level: 'should', operations: ['getUser'] })]
  const run = runOf(reportOf({ requirements: rules, failures: [failureOf('a.two', one)] }))
  const [, rule] = run?.tool.driver.rules ?? []
  expect(rule).toMatchObject({ id: 'a.two', shortDescription: { text: 'It is.' } })
  expect(rule?.defaultConfiguration?.level).toBe('warning')
  const help = /^Section 4\.1 .*: It is\.\n.*getUser.*\n.*npx tracker-kit check --only a\.two$/
  expect(rule?.help?.text).toMatch(help)
  expect(run?.results).toMatchObject([{ ruleId: 'a.two', ruleIndex: 1, level: 'warning' }])
  const [result] = run?.results ?? []
  expect(result?.message.text).toContain('getUser: expected 200, saw 500')
  const address = result?.locations?.[0]?.physicalLocation?.artifactLocation
  const root = run?.originalUriBaseIds?.[address?.uriBaseId ?? '']?.uri
  const { pathname } = new URL(address?.uri ?? '', root)
  expect(pathname).toBe('/api/rest/plugins/Ext/users/user_id')
})

test('the same deviation is the same finding in another run, and one of the baseline is suppressed', () => {
  const results = (name: string, known: boolean) => {
    const failure = failureOf('a.one', { message: `saw tkabcde${name}`, known, reason: 'agreed' })
    return runOf(reportOf({ failures: [failure] }))?.results?.[0]
  }
  const [first, second] = [results('first', false), results('second', true)]
  expect(first?.partialFingerprints).toEqual(second?.partialFingerprints)
  expect(first?.suppressions).toBeUndefined()
  expect(second?.suppressions).toEqual([{ kind: 'external', justification: 'agreed' }])
})

test('a run that could not judge is no good run', () => {
  const invocation = (report: Report) => runOf(report)?.invocations?.[0]
  expect(invocation(reportOf())).toMatchObject({
    executionSuccessful: true,
    startTimeUtc: '2026-01-01T00:00:00.000Z',
    endTimeUtc: '2026-01-01T00:00:01.234Z',
  })
  const gone = invocation(reportOf({}, { verdict: 'inconclusive', because: 'the target went away' }))
  expect(gone?.executionSuccessful).toBe(false)
  expect(gone?.toolExecutionNotifications?.[0]?.message.text).toContain('the target went away')
})
