import { expect, onTestFinished, test, vi } from 'vitest'
import { type Call, clientOf, sender } from '../../fixtures/client.js'
import { call, startEach, tracker } from '../../fixtures/each.js'
import { createTracker, type Duration, type Fault } from '../index.js'

startEach()

const nina = { path: { user_id: 'nina' } }
const otto = { body: { username: 'otto' } }
const hasOtto = () => tracker.db.users.find('username', 'otto') !== undefined
const statuses = async (count: number) => {
  const seen: number[] = []
  for (let n = 0; n < count; n++) seen.push((await call('getUser', nina)).status)
  return seen
}

type Ask = Parameters<Call>

const anna = { body: { username: 'anna' } }
const longer = { body: { username: 'otto', realname: 'Otto' } }
const account: Ask = ['getAccountPage']
const isNina: Fault['when'] = ({ operation, path }) => operation === 'getUser' && path.user_id === 'nina'
test.each<[when: string, fault: Fault, struck: Ask, spared: Ask]>([
  ['of one operation', { operation: 'getUser' }, ['getUser', nina], ['getAccountPage']],
  ['with a part of the path', { when: nina }, ['getUser', nina], ['getUser', { path: { user_id: '5' } }]],
  ['with a part of the body', { when: otto }, ['createUser', longer], ['createUser', anna]],
  ['by one caller', { when: { caller: 'developer' } }, ['getAccountPage', { as: 'developer' }], account],
  ['by nobody', { when: { caller: null } }, ['getAccountPage', { as: null }], account],
  ['that a function chooses', { when: isNina }, ['getUser', nina], ['getUserEditPage', nina]],
])('a fault strikes calls %s', async (_, fault, struck, spared) => {
  tracker.faults.inject({ ...fault, status: 503 })
  expect((await call(...struck)).status).toBe(503)
  expect((await call(...spared)).status).toBe(200)
  tracker.faults.inject({ status: 500 })
  expect((await call(...spared)).status).toBe(500)
})

test('a fault strikes a number of times, or from the n-th on', async () => {
  tracker.faults.inject({ operation: 'getUser', status: 503, nth: 2 })
  expect(await statuses(4)).toEqual([200, 503, 200, 200])
  const fault = tracker.faults.inject({ operation: 'getUser', status: 503, nth: 2, times: 2 })
  expect(await statuses(5)).toEqual([200, 503, 503, 200, 200])
  expect(fault.hits).toBe(2)
  expect(tracker.faults.active).toEqual([])
})

test('a fault strikes by a chance that can be repeated', async () => {
  const drawn = async (seed: number) => {
    tracker.faults.clear()
    tracker.faults.inject({ status: 503, probability: 0.5, seed })
    return statuses(40)
  }
  const first = await drawn(7)
  expect(new Set(first)).toEqual(new Set([200, 503]))
  expect(await drawn(7)).toEqual(first)
  expect(await drawn(8)).not.toEqual(first)
  tracker.faults.clear()
  tracker.faults.inject({ status: 503, probability: 0 })
  expect(await statuses(5)).toEqual([200, 200, 200, 200, 200])
})

test('a fault is an answer in the form of the tracker, or another one, or a text as it stands, with headers', async () => {
  tracker.faults.inject({ operation: 'getUser', status: 429, headers: { 'retry-after': '2' } })
  const { json, headers } = await call('getUser', nina)
  expect(json).toEqual({ message: 'Injected fault 429' })
  expect(tracker.journal[0]?.fault).toBe('getUser 429')
  expect([headers.get('retry-after'), headers.get('content-type')]).toEqual(['2', 'application/json'])
  tracker.faults.inject({ operation: 'getAccountPage', status: 200, body: 'odd' })
  expect((await call('getAccountPage')).json).toBe('odd')
  const body = '<h1>Bad gateway</h1>'
  tracker.faults.inject({ status: 502, body, headers: { 'content-type': 'text/html' } })
  expect(await (await sender(tracker)('/plugins')).text()).toBe(body)
  expect(tracker.journal.at(-1)?.response.body).toBe(body)
})

test('a connection that is dropped, after the operation, rejects as fetch does', async () => {
  tracker.faults.inject({ operation: 'createUser', transport: 'drop', phase: 'after' })
  const error = await call('createUser', otto).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
  expect(hasOtto()).toBe(true)
  const fault = 'createUser dropped after the operation'
  const entry = { caller: 'administrator', body: otto.body, response: { status: 0, body: null }, fault }
  expect(tracker.journal[0]).toMatchObject(entry)
  // The retry finds the name taken, and nothing was committed that could have failed afterwards.
  expect((await call('createUser', otto)).status).toBe(400)
  expect(tracker.faults.active[0]?.hits).toBe(1)
})

test('a body that is truncated arrives in part; with a status it is that of the fault, and nothing is committed', async () => {
  tracker.faults.inject({ operation: 'createUser', transport: 'truncate', status: 503, times: 1 })
  await expect(call('createUser', otto)).rejects.toThrow('terminated')
  expect(hasOtto()).toBe(false)
  tracker.faults.inject({ operation: 'createUser', transport: 'truncate' })
  const response = await sender(tracker)('/users', { method: 'POST', body: JSON.stringify(otto.body) })
  expect(response.status).toBe(200)
  let text = ''
  const read = async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk)
  }
  await expect(read()).rejects.toThrow(TypeError)
  expect(text).toMatch(/^\{"user":\{"id":13/)
  expect(text.length).toBeLessThan(Number(response.headers.get('content-length')))
  expect(hasOtto()).toBe(true)
})

const pending = async (promise: Promise<unknown>) => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
  return (await Promise.race([promise, Promise.resolve(null)])) === null
}

test('a delay lasts until a clock that the test holds has moved on', async () => {
  tracker.faults.inject({ operation: 'getUser', delay: '30s', times: 1 })
  const late = call('getUser', nina)
  expect(await pending(late)).toBe(true)
  // Others are not held up.
  expect((await call('getAccountPage')).status).toBe(200)
  tracker.clock.advance('29s')
  expect(await pending(late)).toBe(true)
  tracker.clock.advance('1s')
  expect((await late).status).toBe(200)
})

test('a delay ends with reset, and when the faults are cleared', async () => {
  tracker.faults.inject({ delay: '1d' })
  const late = call('getUser', nina)
  expect(await pending(late)).toBe(true)
  tracker.faults.clear()
  expect((await late).status).toBe(200)
  tracker.faults.inject({ delay: '1d', transport: 'drop' })
  const dropped = call('getUser', nina).catch((error: Error) => error.message)
  expect(await pending(dropped)).toBe(true)
  await tracker.reset()
  expect(await dropped).toBe('fetch failed')
})

test.each<[Record<string, unknown>, string]>([
  [{ operation: 'getUsers', status: 500 }, 'did you mean "getUser"?'],
  [{ operation: 'getUser' }, 'needs a status, a delay or a transport'],
  [{ delay: 1, body: {} }, 'A fault with a body or headers needs a status'],
  [{ transport: 'drop', status: 500 }, 'has no status'],
  [{ transport: 'truncate', phase: 'before' }, 'needs a status'],
  [{ delay: 'soon' }, 'is not a duration'],
  [{ status: 500, when: { path: { userId: 'nina' } } }, 'no parameter is called "userId"; did you mean'],
  [{ status: 500, times: 0 }, 'times: must be a whole number'],
  [{ status: 500, probability: 2 }, 'from 0 to 1'],
])('%j is refused: %s', (fault, message) => {
  expect(() => tracker.faults.inject(fault as Fault)).toThrow(message)
  expect(tracker.faults.active).toEqual([])
})

const durations = { '250ms': 250, '30s': 30_000, '1.5m': 90_000, '2h': 7_200_000, '1d': 86_400_000 }
test.each(Object.entries(durations))('the duration %s is %i milliseconds', async (duration, ms) => {
  const { clock } = await createTracker({ now: new Date(0) })
  clock.advance(duration as Duration)
  expect(clock.now().getTime()).toBe(ms)
})

test.each(['2 hours', '-1s', -1, Number.NaN, '', 1e308, 253402300800000])(
  'the clock is not advanced by %s',
  async (by) => {
    const { clock } = await createTracker({ now: 0 })
    expect(() => clock.advance(by as Duration)).toThrow(RangeError)
    expect(clock.now().getTime()).toBe(0)
  },
)

test('a clock that is a function goes on by itself, and is advanced all the same', async () => {
  let instant = 1000
  const { clock } = await createTracker({ now: () => new Date(instant) })
  clock.advance('1s')
  instant += 5
  expect(clock.now().getTime()).toBe(2005)
})

test('a clock that runs is that of the machine and sets a timer, and a clock that a test holds sets none', async () => {
  vi.useFakeTimers({ now: 5000 })
  vi.resetModules()
  // The clock keeps the timers that it finds when it is loaded.
  onTestFinished(() => void vi.resetModules().useRealTimers())
  const { createClock } = await import('./clock.js')
  void createClock(0).wait(1000)
  expect(vi.getTimerCount()).toBe(0)
  const running = createClock()
  expect(running.now().getTime()).toBe(5000)
  void running.wait(1000)
  expect(vi.getTimerCount()).toBe(1)
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
