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

test('a finding that shows in one exchange alone does not count', () => {
  expect(confirmed([finding({ n: 1 }), finding({ n: 1 })], [])).toEqual([])
})

test('a finding that shows in two exchanges counts in both', () => {
  const both = [finding({ n: 1 }), finding({ n: 7 })]
  expect(confirmed(both, [])).toEqual(both)
})

test('two findings of different rules or operations do not confirm each other', () => {
  expect(confirmed([finding({ n: 1 }), finding({ n: 2, operation: 'updateUser' })], [])).toEqual([])
  expect(confirmed([finding({ n: 1 }), finding({ n: 2, rule: 'status' })], [])).toEqual([])
})

test('a finding that rests on several exchanges counts', () => {
  expect(confirmed([finding({ evidence: 2 })], [])).toHaveLength(1)
})

test('a request that is sent again at once does not confirm what it showed', () => {
  const both = [finding({ n: 1 }), finding({ n: 2 })]
  const trace = [exchange(1, '/users/a'), exchange(2, '/users/a')]
  expect(confirmed(both, trace)).toEqual([])
  expect(confirmed(both, [exchange(1, '/users/a'), exchange(2, '/users/b')])).toEqual(both)
})

test('of an operation that uses up what the profile gives one exchange is enough, unless the server failed', () => {
  const one = finding({ operation: 'deleteHelpdeskRecipient' })
  expect(confirmed([one], [{ ...exchange(1, '/recipients/4'), status: 204 }])).toEqual([one])
  expect(confirmed([one], [{ ...exchange(1, '/recipients/4'), status: 502 }])).toEqual([])
})
