import { expect, test } from 'vitest'
import { agreement, distance } from './compare.js'

const seenAs = (status: number, json: unknown) => ({ status, json, headers: {} })
const answer = (status: number, json: unknown) => ({ seen: seenAs(status, json) })

test('a refusal for another reason is nearer to a refusal than a success is', () => {
  const target = answer(400, { message: 'Body not valid', code: 7, origin: 'desk' })
  const refused = distance(target, seenAs(404, { message: 'No such project' }))
  const done = distance(target, seenAs(200, { projects: [] }))
  expect(refused).toBeLessThan(done)
  expect(distance(target, seenAs(400, { message: 'Other', code: 9 }))).toBeLessThan(refused)
})

test('a page of a list is not the list, though what it has is as it should be', () => {
  const fields = (kinds: string) => seenAs(200, { fields: [...kinds].map((kind) => ({ kind })) })
  const target = { seen: fields('abcdefgh') }
  expect(distance(target, fields('bacdefhg'))).toBeLessThan(distance(target, fields('ab')))
})

test('what only some records have does not count, with all that is in it', () => {
  const shown = (...extras: readonly unknown[]) =>
    seenAs(200, { plugins: extras.map((extra) => ({ name: 'Sample', extra })) })
  const target = shown({}, { mails: [{ id: 7 }] })
  expect(agreement(target, shown({}, {})).shape).toBe(true)
  expect(agreement(target, shown({ mails: [7] }, { mails: [7] })).shape).toBe(false)
})

test('texts that are masked are alike, whichever secrets they stand for', () => {
  const refusal = (text: string) => seenAs(400, { errors: { Password: [text] } })
  expect(agreement(refusal('SECRET.4'), refusal('SECRET.1.12')).errorBody).toBe(true)
  expect(agreement(refusal('SECRET.4'), refusal('too short')).errorBody).toBe(false)
})
