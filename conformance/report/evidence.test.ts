import { expect, test } from 'vitest'
import { failureOf } from '../../fixtures/report.js'
import { failureText } from './evidence.js'

test('the request can be sent again by whoever has the token, and the exchanges are named', () => {
  const curl = 'curl -i -X GET -H "Authorization: Bearer $TRACKER_TOKEN" x'
  const failure = failureOf('users.create', { curl, witnesses: [3, 7], follows: ['stored (updateUser)'] })
  const lines = failureText(failure).split('\n')
  expect(lines).toContain(`the request alone (what it names may be gone): ${curl}`)
  expect(lines).toContain('exchanges in trace.har: #3, #7')
  expect(lines).toContain('failed only because of this: stored (updateUser)')
  expect(failureText(failureOf('users.create'))).not.toContain('the request alone')
})
