import { expect, test } from 'vitest'
import type { Exchange } from '../oracle/exchange.js'
import type { Finding } from '../oracle/finding.js'
import { confirmed } from './confirmed.js'

const finding = (more: Partial<Finding>): Finding => ({
  ...{ rule: 'success', level: 'must', section: '4', statement: '', operation: 'getUser', n: 1 },
  ...{ allowed: [], seen: '', witnesses: [], evidence: 1 },
  ...more,
})

const exchange = (n: number, path: string): Exchange => ({
  ...{ n, caller: 'administrator', method: 'GET', path, query: '', headers: {}, body: null, status: 404 },
  ...{ responseHeaders: {}, text: '' },
})

const one = finding({ n: 1 })
const two = finding({ n: 2 })
const spent = finding({ operation: 'deleteHelpdeskRecipient' })
const recipient = (status: number) => [{ ...exchange(1, '/recipients/4'), status }]

test.each<[what: string, counts: boolean, findings: Finding[], trace?: Exchange[]]>([
  ['that shows in one exchange alone does not count', false, [one, one]],
  ['that shows in two exchanges counts in both', true, [one, finding({ n: 7 })]],
  ['is not confirmed by one of another operation', false, [one, finding({ n: 2, operation: 'updateUser' })]],
  ['is not confirmed by one of another rule', false, [one, finding({ n: 2, rule: 'status' })]],
  ['that rests on several exchanges counts', true, [finding({ evidence: 2 })]],
  ['is not confirmed by the same request at once', false, [one, two], [exchange(1, '/a'), exchange(2, '/a')]],
  ['is confirmed by another request at once', true, [one, two], [exchange(1, '/a'), exchange(2, '/b')]],
  ['where what the profile gives is used up needs one exchange', true, [spent], recipient(204)],
  ['where the server failed needs more', false, [spent], recipient(502)],
])('a finding %s', (_, counts, findings, trace = []) => {
  expect(confirmed(findings, trace)).toEqual(counts ? findings : [])
})
