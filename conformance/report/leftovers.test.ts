import { expect, test } from 'vitest'
import { condensed } from './leftovers.js'

const fields = (count: number, why = '500') =>
  Array.from({ length: count }, (_, index) => `custom field tkabcdex${index} (${why})`)

const why = '(disabled; this interface deletes no users)'
const users = (count: number, tag: string) =>
  Array.from({ length: count }, (_, index) => `user ${tag}${index} ${why}`)
const placed = fields(5).map((line, id) => line.replace('500', `still shown at ${id} after its deletion`))
const enabled = 'user tkabcdex (still enabled: 403)'
const changed = ['A', 'B', 'C', 'D'].map((name) => `plugin ${name} (changed)`)
const inNames = (count: number, why: string) => `${count} custom fields with tkabcde in their names (${why})`

test.each<[string, readonly string[], readonly string[]]>([
  ['few things are named', fields(3), fields(3)],
  [
    'many that are alike are counted, by what they are and why they are left',
    [...fields(5), ...fields(4, 'its id is not shown'), enabled],
    [inNames(5, '500'), inNames(4, 'its id is not shown'), enabled],
  ],
  [
    'the users of many shards are one line',
    [...users(80, 'tkaaaaa'), ...users(70, 'tkbbbbb')],
    [`150 users with tkaaaaa, tkbbbbb in their names ${why}`],
  ],
  ['where each is found does not keep them apart', placed, [inNames(5, 'still shown after its deletion')]],
  ['what the run did not name is never put together', changed, changed],
])('%s', (_, leftovers, lines) => {
  expect(condensed(leftovers)).toEqual(lines)
})
