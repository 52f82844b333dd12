import { expect, test } from 'vitest'
import type { DiffReport, Shares } from './diff.js'
import { diffHtml } from './diff-html.js'

const all = { equal: 3, of: 3 }
const most: Shares = { status: { equal: 2, of: 3 }, code: all, errorBody: all, shape: all }
const request = { exchange: 7, address: 'me', query: null, body: null, as: 'administrator' }
const differs = (
  operation: 'getUser' | 'listPlugins',
  explainedBy: { decision: string; value: unknown }[],
) => ({
  ...{ operation, respect: 'status', count: 2, request, explainedBy },
  target: { status: 404, body: { message: '<Nobody>', code: 7 } },
  emulator: { status: 404, body: { message: 'No user', code: 7 } },
})
const report = {
  ...{ schema: 'tracker-kit/diff@1', target: { baseUrl: 'http://a.test', ext: 'Ext' }, seed: 1, calls: 6 },
  ...{ total: most, operations: { getUser: most, listPlugins: most }, skipped: {} },
  differences: [
    differs('listPlugins', []),
    differs('getUser', [{ decision: 'user-segment-rule', value: 'id-only' }]),
  ],
} as DiffReport

test('differences stand below their operation, side by side, and odd lines are marked', () => {
  const html = diffHtml(report)
  expect(html.indexOf('<h2 id="getUser">')).toBeLessThan(html.indexOf('<h2 id="listPlugins">'))
  expect(html).toContain('<a href="#getUser">')
  expect(html).toContain('<th>status</th><th>code</th><th>errorBody</th><th>shape</th>')
  expect(html).toContain('<mark>  &#34;message&#34;: &#34;&#60;Nobody&#62;&#34;,</mark>')
  expect(html).not.toContain('<mark>  &#34;code&#34;')
  expect(html).not.toContain('<Nobody>')
})

test('it says first what one decision would mend', () => {
  const html = diffHtml(report)
  expect(html).toContain('<li><code>user-segment-rule</code> &#34;id-only&#34;: 2 calls</li>')
  expect(diffHtml({ ...report, differences: [] })).not.toContain('would mend')
})
