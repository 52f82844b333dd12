import { expect, test } from 'vitest'
import { failureOf, reportOf } from '../../fixtures/report.js'
import { verdictText } from './text.js'

const curl = `curl -i -X GET -H "Authorization: Bearer $TRACKER_RESTRICTED_TOKEN" 'http://tracker.test'`

test('a failure is told with the commands as a person runs them', () => {
  const failures = [failureOf('users.create', { curl }), failureOf('users.get', { curl: 'curl -i -X GET x' })]
  const lines = verdictText(reportOf({ failures }), null).split('\n')
  expect(lines).toContain(`  with the token in TRACKER_RESTRICTED_TOKEN: ${curl}`)
  expect(lines).toContain('  replay: npx tracker-kit check --only users.create')
})
