import { describe, expect, test } from 'vitest'
import { sender } from '../fixtures/client.js'
import { startEach, tracker } from '../fixtures/each.js'
import type { TrackerEvent } from './index.js'

startEach()

const ask = (path: string, init: RequestInit = {}) => sender(tracker)(path, init)

describe('watching', () => {
  test('tells of calls as they stand in the journal, and of nothing once it has ended', async () => {
    const events: TrackerEvent[] = []
    const end = tracker.watch((event) => events.push(event))
    await ask('/users/nina')
    expect(events).toEqual([{ kind: 'call', entry: tracker.journal[0] }])
    end()
    await ask('/users/nina')
    expect(events).toHaveLength(1)
  })

  test.each<[TrackerEvent['kind'], () => unknown]>([
    ['reset', () => tracker.reset()],
    ['restore', () => tracker.restore(tracker.snapshot())],
    ['faults', () => tracker.faults.inject({ status: 503 })],
    ['faults', () => tracker.faults.clear()],
    ['decisions', () => tracker.decide({ 'wrong-method': 'not-found' })],
    ['clock', () => tracker.clock.advance('1h')],
  ])('tells of %s', async (kind, change) => {
    const kinds: string[] = []
    tracker.watch((event) => kinds.push(event.kind))
    await change()
    expect(kinds.at(-1)).toBe(kind)
  })

  test('does not tell what failed', async () => {
    const events: TrackerEvent[] = []
    tracker.watch((event) => events.push(event))
    await expect(tracker.restore({} as never)).rejects.toThrow()
    await expect(tracker.decide({ 'wrong-method': 'teapot' } as never)).rejects.toThrow()
    expect(() => tracker.faults.inject({})).toThrow()
    expect(events).toEqual([])
  })
})

describe('replaying', () => {
  test('sends a call as it was, with what the journal masks', async () => {
    const before = tracker.snapshot()
    const authorization = `Bearer ${tracker.tokens.password}`
    const body = JSON.stringify({ password_current: 'Sunny-Day-2024', password: 'Bright-Copper-7' })
    const changed = await ask('/me/password', { method: 'PATCH', headers: { authorization }, body })
    expect(changed.status).toBe(200)
    expect(tracker.journal[0]?.body).toEqual({ password_current: '***', password: '***' })
    await tracker.restore(before)
    expect((await tracker.replay(1)).status).toBe(200)
    expect(tracker.db.users.find('username', 'password')?.password).toBe('Bright-Copper-7')
    expect(tracker.journal[1]).toMatchObject({ operation: 'changeOwnPassword', caller: 'password' })
  })

  test('needs a call that the journal holds', async () => {
    await ask('/plugins')
    await expect(tracker.replay(2)).rejects.toThrow('The journal has no call 2')
    await tracker.reset()
    await expect(tracker.replay(1)).rejects.toThrow('The journal has no call 1')
  })

  test('sends what was wrong once more', async () => {
    await ask('/users', { method: 'POST', body: '{"username":' })
    await ask('/users/nina', { headers: { authorization: 'Bearer nobody' } })
    expect((await tracker.replay(1)).status).toBe(400)
    expect((await tracker.replay(2)).status).toBe(401)
  })
})
