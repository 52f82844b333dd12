/** Finer rules of the family at the default decisions: which of two errors is told, and what a change brings with it. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Call, clientOf } from '../../fixtures/client.js'
import { createTracker, type PartialSeed, type Tracker } from '../index.js'

let tracker: Tracker
let call: Call

async function start(seed: PartialSeed = {}) {
  tracker = await createTracker({ seed, now: '2025-06-01T12:00:00Z' })
  call = clientOf(tracker)
}

beforeEach(() => start())

const userCalled = (username: string) => tracker.db.users.find('username', username)
const password = 'Sunny-Day-2024'

describe('refused before an operation is reached', () => {
  test('a disabled caller is told a message without a number', async () => {
    const { status, json } = await call('getAccountPage', { as: 'disabled' })
    expect(status).toBe(403)
    expect(json).toEqual({ message: expect.any(String) })
  })

  test('so is who acts for somebody without the right to', async () => {
    const headers = { 'x-mantis-username': 'nina' }
    const { status, json } = await call('getAccountPage', { as: 'restricted', headers })
    expect(status).toBe(403)
    expect(json).toEqual({ message: expect.any(String) })
  })
})

describe('protected accounts', () => {
  test('administrators do not set the own password of one either', async () => {
    const options = { path: { user_id: 'administrator' } }
    await call('updateUser', { ...options, body: { protected: true } })
    const passwords = { password_current: password, password: 'Other-Word-1' }
    const refused = await call('updateUser', { ...options, body: passwords })
    expect([refused.status, refused.json.code]).toEqual([403, 12])
    expect((await call('updateUser', { ...options, body: { realname: 'A', password: '' } })).status).toBe(200)
    expect(userCalled('administrator')).toMatchObject({ realname: 'A', password })
  })
})

describe('reset', () => {
  test('asks for an address of disabled accounts too', async () => {
    await start({ users: [{ username: 'former', email: '' }] })
    const { status, json } = await call('resetUser', { path: { user_id: 'former' } })
    expect([status, json.code]).toEqual([400, 1902])
    expect(userCalled('former')).toMatchObject({ password })
  })
})
