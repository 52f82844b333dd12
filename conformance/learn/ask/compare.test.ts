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
