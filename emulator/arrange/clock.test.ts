import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { clientOf } from '../../fixtures/client.js'
import { createTracker, type Duration } from '../index.js'

afterEach(() => void vi.useRealTimers())

describe('the clock', () => {
  test('stands still at an instant until it is advanced', async () => {
    for (const now of [new Date('2025-06-01T12:00:00Z'), '2025-06-01T12:00:00Z', 1_748_779_200_000]) {
      const { clock } = await createTracker({ now })
      expect(clock.now().toISOString()).toBe('2025-06-01T12:00:00.000Z')
      clock.advance('2h')
      clock.advance(250)
      expect(clock.now().toISOString()).toBe('2025-06-01T14:00:00.250Z')
    }
  })

  const durations = { '250ms': 250, '30s': 30_000, '1.5m': 90_000, '2h': 7_200_000, '1d': 86_400_000 }
  test.each([...Object.entries(durations), [0, 0]])('%s is %i milliseconds', async (duration, ms) => {
    const { clock } = await createTracker({ now: 0 })
    clock.advance(duration as Duration)
    expect(clock.now().getTime()).toBe(ms)
  })

  const wrong = 'is not a duration; give milliseconds'
  const beyond = 'The clock goes to the end of the year 9999'
  test.each([
    ...['2 hours', '-1s', -1, Number.NaN, ''].map((by) => [by, wrong] as const),
    ...[1e308, '99999999d', 253402300800000].map((by) => [by, beyond] as const),
  ])('is not advanced by %s: %s', async (by, message) => {
    const { clock } = await createTracker({ now: 0 })
    expect(() => clock.advance(by as Duration)).toThrow(message)
    expect(clock.now().getTime()).toBe(0)
  })

  test('a function goes on by itself, and is advanced all the same', async () => {
    let instant = 1000
    const { clock } = await createTracker({ now: () => new Date(instant) })
    clock.advance('1s')
    instant += 5
    expect(clock.now().getTime()).toBe(2005)
  })

  test("without the option it is the machine's", async () => {
    vi.useFakeTimers({ now: 5000, toFake: ['Date'] })
    const { clock } = await createTracker()
    expect(clock.now().getTime()).toBe(5000)
    vi.setSystemTime(6000)
    expect(clock.now().getTime()).toBe(6000)
  })
})

test('a timer is set for a clock that runs, and for no other', async () => {
  vi.useFakeTimers()
  vi.resetModules()
  // Whoever loads the module next is to have real timers again.
  onTestFinished(() => void vi.resetModules())
  const { createClock } = await import('./clock.js')
  const held = createClock(0).wait(1000)
  expect(vi.getTimerCount()).toBe(0)
  const running = createClock()
  const waiting = running.wait(1000)
  expect(vi.getTimerCount()).toBe(1)
  running.advance('1s')
  await waiting
  expect(vi.getTimerCount()).toBe(0)
  const both = createClock(() => new Date(0)).wait(1000)
  await vi.advanceTimersByTimeAsync(1000)
  await both
  void held
})

test('the same seed and clock give the same bytes', async () => {
  const bytes = async () => {
    const decisions = { 'impersonate-effect': 'token' } as const
    const tracker = await createTracker({ now: '2025-06-01T12:00:00Z', decisions })
    const call = clientOf(tracker)
    const path = { user_id: 'otto' }
    await call('createUser', { body: { username: 'otto', email: 'otto@example.org' } })
    for (const id of ['resetUser', 'impersonateUser', 'getUser'] as const) await call(id, { path })
    const journal = tracker.journal.map(({ durationMs: _, ...entry }) => entry)
    return JSON.stringify([tracker.snapshot(), tracker.outbox, journal])
  }
  const first = await bytes()
  expect(first).toContain('otto')
  expect(await bytes()).toBe(first)
})
