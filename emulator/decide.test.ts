import { expect, test } from 'vitest'
import { sender } from '../fixtures/client.js'
import { startEach, tracker } from '../fixtures/each.js'

startEach()

async function call(path: string, method = 'GET', body?: unknown): Promise<number> {
  return (await sender(tracker)(path, { method, body: body ? JSON.stringify(body) : null })).status
}

test('the profile, copies and the time after a reset are under the new decisions', async () => {
  await tracker.decide({ 'cf-name-length': 20 })
  expect(tracker.profile.customField?.nameLimit).toBe(20)
  expect(tracker.fork().decisions['cf-name-length']).toBe(20)
  await tracker.reset()
  expect(tracker.decisions['cf-name-length']).toBe(20)
})

test('names are found by the new comparison, and by the old one again', async () => {
  const found = () => call('/users/NINA')
  expect(await found()).toBe(200)
  await tracker.decide({ 'username-case': 'sensitive' })
  expect(await found()).toBe(404)
  expect(await call('/users', 'POST', { username: 'NINA', email: 'other@example.org' })).toBe(200)
  await tracker.db.users.delete((query) => query.where({ username: 'NINA' }))
  await tracker.decide({ 'username-case': 'insensitive' })
  expect(await found()).toBe(200)
})

test('a comparison under which two names are one is refused', async () => {
  await tracker.decide({ 'username-case': 'sensitive' })
  await call('/users', 'POST', { username: 'NINA', email: 'other@example.org' })
  await expect(tracker.decide({ 'username-case': 'insensitive' })).rejects.toThrow('"nina" is there twice')
  expect(tracker.decisions['username-case']).toBe('sensitive')
  expect(await call('/users/Nina')).toBe(404)
})

test('a request keeps to the decisions that it began with', async () => {
  tracker.faults.inject({ operation: 'getUser', delay: 1, times: 1, phase: 'after' })
  const held = call('/users/nina')
  await tracker.decide({ 'username-case': 'sensitive' })
  tracker.clock.advance(1)
  expect(await held).toBe(200)
})
