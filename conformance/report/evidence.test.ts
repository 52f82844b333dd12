import { expect, test } from 'vitest'
import { failureOf } from '../../fixtures/report.js'
import { againOf, judgedRows, stepTexts, whyReplay } from './evidence.js'

const answered = (status: number) => ({ status, headers: {}, body: null })
const asked = (method: string, path: string) => ({
  ...{ method, headers: {}, body: null },
  url: `http://tracker.test/api/rest/plugins/Ext/${path}`,
})
const creation = { request: asked('POST', 'users'), response: answered(200) }
const read = { request: asked('GET', 'users/kit'), response: answered(404) }
const curl = 'curl -i -X GET -H "Authorization: Bearer $TRACKER_TOKEN" x'

test('the requests are told in their order, and how many came before them', () => {
  const failure = failureOf('users.create', { ...read, steps: [creation], earlier: 2 })
  expect(stepTexts(failure)).toEqual([
    '2 more requests before',
    '3. POST /plugins/Ext/users was answered 200',
    '4. GET /plugins/Ext/users/kit was answered 404',
  ])
  expect(stepTexts(failureOf('users.create', read))).toEqual([])
})

test('a request that a later one shows the effect of is told once', () => {
  const failure = failureOf('users.create', { ...creation, steps: [creation, read] })
  expect(stepTexts(failure)).toHaveLength(2)
})

test('what was judged is told where the message does not say it', () => {
  const judged = { expected: '200', seen: '404', place: 'getUser /user/name' }
  const silent = failureOf('users.create', { message: 'the name is lost', ...judged })
  expect(judgedRows(silent)).toEqual([
    ['place', 'getUser /user/name'],
    ['expected', '200'],
    ['seen', '404'],
  ])
  const saying = failureOf('users.create', { message: 'reading: expected 200, saw 404', ...judged })
  expect(judgedRows(saying)).toEqual([])
})

test('the script shows it again, else the request alone and the replay', () => {
  const script = `first\n${curl}`
  const whole = failureOf('users.create', { curl, script, steps: [creation] })
  expect(againOf(whole)).toEqual({ title: 'show it again, with the token in TRACKER_TOKEN', lines: script })
  expect(whyReplay(whole)).toBeNull()
  const part = failureOf('users.create', {
    ...{ curl, steps: [creation], noScript: 'the recipient that it deletes is gone' },
    request: creation.request,
  })
  expect(againOf(part)?.title).toBe('the request alone, with the token in TRACKER_TOKEN')
  expect(whyReplay(part)).toMatch(
    /^no script .* is gone; the replay does: npx tracker-kit check --only users/,
  )
  expect(againOf(failureOf('users.create'))).toBeNull()
})
