import { expect, test } from 'vitest'
import { isInstalled } from './disposables.js'
import { isPaged, memberThatBecame } from './look.js'

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))

test('a list may be a page where it is long, or says that there are more, unless it has as many as it counts', () => {
  expect(isPaged({ data: { fields: rows(7) }, meta: { total: 7 } })).toBe(false)
  expect(isPaged({ items: rows(60), total_count: 60, page: 1, next: null })).toBe(false)
  expect(isPaged({ fields: rows(7) })).toBe(false)
  expect(isPaged(rows(50))).toBe(true)
  expect(isPaged({ items: rows(7), total: 9 })).toBe(true)
  expect(isPaged({ items: rows(7), page: 1 })).toBe(true)
  expect(isPaged({ items: rows(7), total: 7, has_more: true })).toBe(true)
})

test('a member that alone has come to show a value is known by its name', () => {
  const before = { list: [{ key: 'delay', now: '2', standard: '2' }], spare: ['id'] }
  const after = { list: [{ key: 'delay', now: '5', standard: '2' }], spare: ['id'] }
  expect(memberThatBecame(before, after, '5')).toBe('now')
  expect(memberThatBecame(after, after, '5')).toBeUndefined()
  expect(memberThatBecame({ a: '1', b: '1' }, { a: '5', b: '5' }, '5')).toBeUndefined()
  expect(memberThatBecame(before, { ...before, spare: ['status'] }, ['status'])).toBe('spare')
})

test.each([
  [{ installed: { Wiki: {} }, available: { Snippets: { title: 'S' } } }, false],
  [{ installed: [{ name: 'Wiki' }], available: [{ name: 'Snippets' }] }, false],
  [{ installed: { Snippets: { title: 'S' } }, available: {} }, true],
  [{ available: [{ name: 'Snippets' }] }, true],
  [{ installed_count: 1, available: [{ name: 'Snippets' }] }, true],
  [[{ name: 'Snippets', installed: false }], false],
  [[{ name: 'Snippets' }], true],
])('whether %j shows the plugin Snippets as installed: %s', (json, expected) => {
  expect(isInstalled({ status: 200, json } as Parameters<typeof isInstalled>[0], 'Snippets')).toBe(expected)
})
