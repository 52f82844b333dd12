import { expect, test } from 'vitest'
import { isPaged } from './look.js'

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))

test('a list that says how many there are, and has them all, is no page of several', () => {
  expect(isPaged({ data: { fields: rows(7) }, meta: { total: 7 } })).toBe(false)
  expect(isPaged({ items: rows(60), total_count: 60, page: 1, next: null })).toBe(false)
})

test('a list may be a page where it is long, or says that there are more', () => {
  expect(isPaged({ fields: rows(7) })).toBe(false)
  expect(isPaged(rows(50))).toBe(true)
  expect(isPaged({ items: rows(7), total: 9 })).toBe(true)
  expect(isPaged({ items: rows(7), page: 1 })).toBe(true)
  expect(isPaged({ items: rows(7), total: 7, has_more: true })).toBe(true)
})
