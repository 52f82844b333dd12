import { expect, test } from 'vitest'
import { distance } from './compare.js'

const answer = (status: number, json: unknown) => ({ seen: { status, json, headers: {} }, bound: {} })

test('a refusal for another reason is nearer to a refusal than a success is', () => {
  const target = answer(400, { message: 'Body not valid', code: 7, origin: 'desk' })
  const refused = distance(target, answer(404, { message: 'No such project' }))
  const done = distance(target, answer(200, { projects: [] }))
  expect(refused).toBeLessThan(done)
  expect(distance(target, answer(400, { message: 'Other', code: 9 }))).toBeLessThan(refused)
})

test('what was kept is nearer to the target than what was not, in whatever form it is shown', () => {
  const target = { ...answer(200, { field: { choices: 'a|b' } }), sent: ['a|b', 'Kit'] }
  const kept = distance(target, answer(200, { custom_field: { possible_values: 'a|b' } }))
  const lost = distance(target, answer(200, { custom_field: { possible_values: '' } }))
  const shown = distance(target, answer(200, { custom_field: { possible_values: 'a|b', name: 'Kit' } }))
  expect(kept).toBeLessThan(lost)
  expect(kept).toBeLessThan(shown)
})

test('a page of a list is not the list, though what it has is as it should be', () => {
  const fields = (kinds: string) => answer(200, { fields: [...kinds].map((kind) => ({ kind })) })
  const target = fields('abcdefgh')
  expect(distance(target, fields('bacdefhg'))).toBeLessThan(distance(target, fields('ab')))
})
