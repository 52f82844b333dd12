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

const userCalled = (username: string) => tracker.db.users.find('username', username.toLowerCase())
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

/** Status and error number of what an administrator asks for. */
async function answered(...[id, options]: Parameters<Call>) {
  const { status, json } = await call(id, options)
  return [status, json.code]
}

describe('fields of an update that say what is so already', () => {
  test('count as absent, also where they would not be accepted', async () => {
    await start({
      users: [{ username: 'silent' }, { username: 'Ünal', email: 'u@mailinator.com' }],
      tokens: [{ user_id: 'silent' }],
    })
    const headers = { authorization: 'Bearer token-of-silent' }
    const silent = { as: null, headers, path: { user_id: 'silent' } } as const
    expect(await answered('updateUser', { ...silent, body: { email: '', realname: 'S' } })).toEqual([
      200,
      undefined,
    ])
    expect(userCalled('silent')).toMatchObject({ email: '', realname: 'S' })
    const body = { username: 'Ünal', email: 'u@mailinator.com', realname: 'U' }
    expect(await answered('updateUser', { path: { user_id: 'Ünal' }, body })).toEqual([200, undefined])
    expect(userCalled('Ünal')).toMatchObject(body)
  })

  test('the present address leaves the pending one alone', async () => {
    const own = (body: object) =>
      call('updateUser', { as: 'restricted', path: { user_id: 'reporter' }, body })
    await own({ email: 'new@example.org' })
    await own({ email: 'reporter@example.org', realname: 'R' })
    expect(userCalled('reporter')).toMatchObject({ realname: 'R', email_pending: 'new@example.org' })
  })
})

describe('of several errors in a user', () => {
  const seed: PartialSeed = {
    users: [{ username: 'thrower', email: 'x@mailinator.com', realname: 'Ünal' }],
  }
  beforeEach(() => start(seed))

  test.each([
    ['a missing username', { email: 'nonsense' }, 805],
    ['an invalid username', { username: 'Ünal', email: 'nonsense' }, 805],
    ['a taken address', { username: 'otto', email: 'x@mailinator.com' }, 813],
    ['an unknown level', { username: 'Ünal', email: 'nonsense', access_level: 3 }, 29],
  ])('a creation tells %s first', async (_, body, code) => {
    expect(await answered('createUser', { body })).toEqual([400, code])
  })

  test.each([
    ['a taken username', { username: 'Ünal', email: 'nonsense' }, 800],
    ['a disposable address', { email: 'x@mailinator.com' }, 1201],
    ['an invalid address', { email: 'nonsense', access_level: 3 }, 1200],
  ])('an update tells %s first', async (_, body, code) => {
    expect(await answered('updateUser', { path: { user_id: 'nina' }, body })).toEqual([400, code])
  })
})

test("a username is not somebody's real name in other letters", async () => {
  expect(await answered('createUser', { body: { username: 'ada ADMIN' } })).toEqual([400, 800])
})

describe('a new password', () => {
  const pending = (body: object) =>
    call('updateUser', {
      as: 'password',
      path: { user_id: 'password' },
      body: { email: 'p@new.org', ...body },
    })
  const passwords = { password_current: password, password: 'Other-Word-1' }

  test('drops the address that waits to be confirmed', async () => {
    await pending({})
    await call('changeOwnPassword', { as: 'password', body: passwords })
    expect(userCalled('password')).toMatchObject({ password: 'Other-Word-1', email_pending: null })
  })

  test('drops it in an update too, unless the same request asks for a new one', async () => {
    await pending(passwords)
    expect(userCalled('password')).toMatchObject({ password: 'Other-Word-1', email_pending: 'p@new.org' })
    await call('updateUser', { path: { user_id: 'password' }, body: { password } })
    expect(userCalled('password')).toMatchObject({ password, email_pending: null })
  })

  test('is looked at once the current one is right', async () => {
    const body = { password_current: 'wrong', password: 'x'.repeat(1025) }
    expect(await answered('changeOwnPassword', { body })).toEqual([403, 812])
    expect(await answered('changeOwnPassword', { body: { ...body, password_current: password } })).toEqual([
      400, 29,
    ])
  })
})

test('a setting without a name is an empty field', async () => {
  const body = { configs: [{ option: '', value: '1' }] }
  expect(await answered('updateUserSettings', { body })).toEqual([400, 11])
})

test('ids of projects are looked at before projects are', async () => {
  const body = { project_ids: ['999', 'x'], access_level: 'reporter' }
  expect(await answered('addUserToProjects', { path: { user_id: 'nina' }, body })).toEqual([400, 29])
})

describe('columns', () => {
  test('of a project that the caller may not see are refused before the list is looked at', async () => {
    const body = { project: { id: 3 }, type: 'nonsense', columns: ['nonsense'] }
    expect(await answered('manageColumns', { as: 'restricted', body })).toEqual([403, 13])
  })

  test('that do not exist are told before those that are there twice', async () => {
    expect(await answered('manageColumns', { body: { columns: ['id', 'id', 'nonsense'] } })).toEqual([
      400, 2601,
    ])
  })
})

test('an option of the file may be taken back, and not set', async () => {
  const setting = (value: unknown) => ({ body: [{ option: 'helpdesk_storage_path', value }] })
  expect(await answered('updateSettings', setting('elsewhere'))).toEqual([400, 102])
  expect(await answered('updateSettings', setting(null))).toEqual([200, undefined])
})

test('the long name of a type of fields is known too', async () => {
  const body = { custom_field: { name: 'Areas', type: 'multiselection list' } }
  expect((await call('createCustomField', { body })).json.custom_field.type.name).toBe('multilist')
})

test('pages tell how the projects of an account are viewed, and how the account is used', async () => {
  const own = await call('getAccountPage', { as: 'developer' })
  expect(own.json.projects).toMatchObject([
    { name: 'Website', view_state: { id: 10, name: 'public' } },
    { name: 'Billing', view_state: { id: 50, name: 'private' } },
  ])
  const edit = async (user_id: string) => (await call('getUserEditPage', { path: { user_id } })).json
  expect((await edit('developer')).project_levels[1].view_state.name).toBe('private')
  expect(await edit('french')).toMatchObject({ failed_logins: 5, last_visit: null })
  expect(await edit('manager')).toMatchObject({ failed_logins: 0, last_visit: '2025-05-01T16:40:00+00:00' })
})
