import { expect, test } from 'vitest'
import { condensed } from './leftovers.js'

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
    Array.from(
      { length: count },
      (_, index) => `user ${tag}${index} (disabled; this interface deletes no users)`,
    )
  expect(condensed([...users(80, 'tkaaaaa'), ...users(70, 'tkbbbbb')])).toEqual([
    '150 users with tkaaaaa, tkbbbbb in their names (disabled; this interface deletes no users)',
  ])
})

test('where each of them is found does not keep them apart', () => {
  const shown = fields(5).map((line, id) => line.replace('500', `still shown at ${id} after its deletion`))
  expect(condensed(shown)).toEqual([
    '5 custom fields with tkabcde in their names (still shown after its deletion)',
  ])
})

test('what a list shows after the clean-up is counted too, whatever stands in it', () => {
  const listed = Array.from(
    { length: 5 },
    (_, id) => `custom field of the run (listed after the clean-up: {"id":${id},"name":"tkabcdex${id}"})`,
  )
  expect(condensed(listed)).toEqual([
    '5 custom fields with tkabcde in their names (listed after the clean-up)',
  ])
})

test('what the run did not name is never put together', () => {
  const changed = ['plugin A (changed)', 'plugin B (changed)', 'plugin C (changed)', 'plugin D (changed)']
  expect(condensed(changed)).toEqual(changed)
})

test('what differs at one place of many pages is one line, which names the pages', () => {
  const pages = ['the list of plugins', 'the user nina', 'the edit page of nina', 'the user rita']
  const lines = pages.flatMap((page) => [
    `${page} (no longer shows meta.revision 2)`,
    `${page} (has come to show meta.revision 90)`,
  ])
  const record = 'the list of plugins (no longer shows in its list {"name":"Helpdesk"})'
  expect(condensed([...lines, record])).toEqual([
    `4 pages (show another meta.revision than before the run: ${pages.join(', ')})`,
    record,
  ])
  expect(condensed(lines.slice(0, 6))).toEqual(lines.slice(0, 6))
})
