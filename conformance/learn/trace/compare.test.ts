import { expect, test } from 'vitest'
import { distance } from './compare.js'

const seenAs = (status: number, json: unknown) => ({ status, json, headers: {} })
const answer = (status: number, json: unknown) => ({ seen: seenAs(status, json), given: [] as string[] })

test('a refusal for another reason is nearer to a refusal than a success is', () => {
  const target = answer(400, { message: 'Body not valid', code: 7, origin: 'desk' })
  const refused = distance(target, seenAs(404, { message: 'No such project' }))
  const done = distance(target, seenAs(200, { projects: [] }))
  expect(refused).toBeLessThan(done)
  expect(distance(target, seenAs(400, { message: 'Other', code: 9 }))).toBeLessThan(refused)
})

test('what was kept is nearer to the target than what was not, in whatever form it is shown', () => {
  const target = { ...answer(200, { field: { choices: 'a|b' } }), given: ['a|b', 'Kit'] }
  const kept = distance(target, seenAs(200, { custom_field: { possible_values: 'a|b' } }))
  const lost = distance(target, seenAs(200, { custom_field: { possible_values: '' } }))
  const shown = distance(target, seenAs(200, { custom_field: { possible_values: 'a|b', name: 'Kit' } }))
  expect(kept).toBeLessThan(lost)
  expect(kept).toBeLessThan(shown)
})

test('a page of a list is not the list, though what it has is as it should be', () => {
  const fields = (kinds: string) => seenAs(200, { fields: [...kinds].map((kind) => ({ kind })) })
  const target = { seen: fields('abcdefgh'), given: [] }
  expect(distance(target, fields('bacdefhg'))).toBeLessThan(distance(target, fields('ab')))
})
