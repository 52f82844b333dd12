import { expect, test } from 'vitest'
import { html } from './html.js'
import { junit } from './junit.js'
import { markdown } from './markdown.js'
import type { Report } from './report.js'

const hostile =
  '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028"\'`| [x](javascript:alert(3))'

const report: Report = {
  schema: 'tracker-kit/report@1',
  version: '0.1.0',
  target: { baseUrl: 'http://tracker.test/api/rest', ext: hostile },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1234,
  seed: 1,
  runs: 100,
  safety: 'read',
  shard: null,
  summary: {
    verdict: 'deviates',
    because: '1 requirement failed',
    must: { passed: 0, failed: 1, skipped: 0 },
    should: { passed: 0, failed: 0, skipped: 0 },
    observed: 1,
    requests: 2,
  },
  requirements: [
    {
      id: 'users.create',
      level: 'must',
      section: '4.1',
      statement: 'A valid creation is answered 200.',
      operations: ['createUser', 'getUser'],
      outcome: 'failed',
      checks: [{ operation: 'createUser', outcome: 'failed' }],
    },
  ],
  failures: [
    {
      requirement: 'users.create',
      level: 'must',
      operation: 'createUser',
      message: hostile,
      request: {
        method: 'POST',
        url: `http://tracker.test/${hostile}`,
        headers: { 'x-kit': hostile },
        body: hostile,
      },
      response: { status: 418, headers: { 'x-kit': hostile }, body: { [hostile]: hostile } },
      curl: `curl '${hostile}'`,
      replay: 'tracker-kit check --only users.create --seed 1',
      known: false,
    },
  ],
  observations: [{ decision: 'gate', operation: 'getUser', value: hostile }],
  statuses: { createUser: { 418: 2 } },
  leftovers: [hostile],
}

test('what a target says is inert in the page', () => {
  const page = html(report)
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).not.toContain('<img')
  expect(page).not.toContain('\u2028')
  expect(page).toContain('&#60;img src=x onerror=alert(2)&#62;')
  expect(page).toMatch(/script-src 'sha256-[\w+/]+=*'/)
})

test('the page tells the verdict, the failure and the status that the document does not list', () => {
  const page = html(report)
  expect(page).toContain('http://tracker.test/api/rest deviates: 1 requirement failed')
  expect(page).toContain('tracker-kit check --only users.create --seed 1')
  expect(page).toMatch(/<th scope="col" class="bad">418<\/th>/)
})

test('what a target says is inert in the summary and in junit.xml', () => {
  const summary = markdown(report)
  expect(summary).not.toMatch(/<script|<img|\[x\]\(/)
  // The row keeps its three cells.
  const row = summary.split('\n').find((line) => line.includes('users.create')) ?? ''
  expect(row.match(/\|/g)).toHaveLength(4)
  expect(junit(report)).not.toMatch(/<img|<script/)
})
