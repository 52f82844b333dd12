import { expect, test } from 'vitest'
import { condensed, countLeftovers } from './leftovers.js'

const fields = (count: number, why = '500') =>
  Array.from({ length: count }, (_, index) => `custom field tkabcdex${index} (${why})`)

test('few things are named', () => {
  expect(condensed(fields(3))).toEqual(fields(3))
})

test('many that are alike are counted, by what they are and why they are left', () => {
  expect(
    condensed([...fields(5), ...fields(4, 'its id is not shown'), 'user tkabcdex (still enabled: 403)']),
  ).toEqual([
    '5 custom fields with tkabcde in their names (500)',
    '4 custom fields with tkabcde in their names (its id is not shown)',
    'user tkabcdex (still enabled: 403)',
  ])
})

test('the users of many shards are one line', () => {
  const users = (count: number, tag: string) =>
    `${count} users with ${tag} in their names (disabled; this interface deletes no users)`
  const few = 'users tkccccca, tkcccccb (disabled; this interface deletes no users)'
  expect(condensed([users(80, 'tkaaaaa'), users(70, 'tkbbbbb'), few])).toEqual([
    '152 users with tkaaaaa, tkbbbbb, tkccccc in their names (disabled; this interface deletes no users)',
  ])
})

test('what the run did not name is never put together', () => {
  const changed = ['plugin A (changed)', 'plugin B (changed)', 'plugin C (changed)', 'plugin D (changed)']
  expect(condensed(changed)).toEqual(changed)
})

test('all of them are counted', () => {
  const users = '80 users with tkaaaaa in their names (disabled; this interface deletes no users)'
  expect(countLeftovers([users, ...fields(4), 'plugin A (changed)'])).toBe(85)
})
