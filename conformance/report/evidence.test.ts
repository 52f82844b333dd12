import { expect, test } from 'vitest'
import { failureOf } from '../../fixtures/report.js'
import { againOf, failureText } from './evidence.js'

const curl = 'curl -i -X GET -H "Authorization: Bearer $TRACKER_TOKEN" x'

test('the request can be sent again by whoever has the token, and the exchanges are named', () => {
  const failure = failureOf('users.create', { curl, witnesses: [3, 7], follows: ['stored (updateUser)'] })
  expect(againOf(failure)).toEqual({
    title: 'the request alone, with the token in TRACKER_TOKEN',
    line: curl,
  })
  expect(againOf(failureOf('users.create'))).toBeNull()
  const lines = failureText(failure).split('\n')
  expect(lines).toContain('exchanges in trace.har: #3, #7')
  expect(lines).toContain('failed only because of this: stored (updateUser)')
})
