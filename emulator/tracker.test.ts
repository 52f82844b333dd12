import { beforeEach, describe, expect, test } from 'vitest'
import { type OperationId, profileSchema } from '../conformance/contract/index.js'
import { type Call, type CallOptions, clientOf } from '../fixtures/client.js'
import { createTracker, type State, type Tracker } from './index.js'

let tracker: Tracker
let call: Call

beforeEach(async () => {
  tracker = await createTracker({ now: () => new Date('2025-06-01T12:00:00Z') })
  call = clientOf(tracker)
})

const at = (path: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${tracker.tokens.administrator}` }
  return tracker.fetch(new Request(tracker.baseUrl + path, { headers, ...init }))
}

describe('state', () => {
  test('a snapshot survives JSON and is restored as it was', async () => {
    await call('createUser', { body: { username: 'otto' } })
    const saved = JSON.parse(JSON.stringify(tracker.snapshot())) as State
    await call('deleteHelpdeskRecipient', { path: { recipient_id: 1 } })
    await tracker.restore(saved)
    expect(tracker.snapshot()).toEqual(saved)
    const second = await createTracker({ seed: saved })
    expect(second.snapshot()).toEqual(saved)
    expect((await clientOf(second)('getUser', { path: { user_id: 'otto' } })).status).toBe(200)
  })

  test.each([
    ['no state', () => ({}) as State, 'schema'],
    ['a dangling reference', (s: State) => ({ ...s, users: s.users.slice(1) }), 'user_id 1 does not exist'],
    [
      'a name that is taken',
      (s: State) => ({ ...s, users: [...s.users, { ...s.users[0], id: 13, username: 'NINA' }] }),
      'is there twice',
    ],
    [
      'an id still to come',
      (s: State) => ({ ...s, lastIds: { ...s.lastIds, user: 3 } }),
      'lastIds.user is 3',
    ],
  ])('%s is refused before anything is touched', async (_, spoil, message) => {
    const before = tracker.snapshot()
    await expect(tracker.restore(spoil(before) as State)).rejects.toThrow(message)
    expect(tracker.snapshot()).toEqual(before)
  })

  test('reset goes back to the start, journal and faults included', async () => {
    const before = tracker.snapshot()
    await call('createUser', { body: { username: 'otto' } })
    tracker.faults.inject({ operation: 'getUser', status: 503 })
    await tracker.reset()
    expect(tracker.snapshot()).toEqual(before)
    expect(tracker.journal).toEqual([])
    expect(tracker.faults.active).toEqual([])
  })

  test('an id is never used twice', async () => {
    const create = async () =>
      (await call('createCustomField', { body: { custom_field: { name: 'One' } } })).json.custom_field.id
    const id = await create()
    await call('deleteCustomField', { path: { field_id: id } })
    expect(await create()).toBe(id + 1)
  })

  test('unknown names are refused with the nearest one', async () => {
    await expect(createTracker({ seed: 'smal' })).rejects.toThrow('did you mean "small"?')
    await expect(createTracker({ baseUrl: 'tracker' })).rejects.toThrow('must be an http URL')
    await expect(createTracker({ ext: 'a/b' })).rejects.toThrow('one path segment')
  })
})

describe('writes to the collections', () => {
  const nina = { path: { user_id: 'nina' } }

  test('creations, updates and deletions are seen at once', async () => {
    const { users } = tracker.db
    const record = users.find('username', 'nina')
    if (!record) throw new Error('no nina')
    await users.create({ ...record, id: 50, username: 'direct', email: 'direct@example.org' })
    expect((await call('getUser', { path: { user_id: 'direct' } })).status).toBe(200)
    await users.update((query) => query.where({ id: 50 }), {
      data: (user) => {
        user.username = 'renamed'
      },
    })
    expect((await call('getUser', { path: { user_id: 'direct' } })).status).toBe(404)
    expect((await call('getUser', { path: { user_id: 'renamed' } })).json.users[0].id).toBe(50)
    users.delete((query) => query.where({ username: 'nina' }))
    expect((await call('getUser', nina)).status).toBe(404)
    expect((await call('getUser', { path: { user_id: 11 } })).json.users[0].name).toBe('french')
    users.deleteMany((query) => query.where({ id: 50 }))
    expect((await call('getUser', { path: { user_id: 'renamed' } })).status).toBe(404)
    expect((await call('createUser', { body: { username: 'renamed' } })).status).toBe(200)
  })

  test('a new record needs no more than what tells it from others', async () => {
    const { users, tokens, projects, memberships } = tracker.db
    const jane = await users.create({ username: 'jane' })
    expect(jane).toMatchObject({ email: 'jane@example.org', access_level: 25, enabled: true })
    await tokens.create({ user_id: jane.id })
    const account = await call('getAccountPage', { headers: { authorization: 'Bearer token-of-jane' } })
    expect(account.json.user).toMatchObject({ id: jane.id })
    const made = await projects.createMany(3, (index) => ({ name: `Project ${index}` }))
    expect(new Set(projects.rows.map(({ id }) => id)).size).toBe(projects.count())
    await memberships.create({ user_id: jane.id, project_id: made[0]?.id ?? 0 })
    await tracker.restore(tracker.snapshot())
    expect((await call('createUser', { body: { username: 'next' } })).json.user.id).toBe(jane.id + 1)
    // @ts-expect-error: nobody can guess the username
    await expect(users.create({ realname: 'Jane' })).rejects.toThrow()
  })
})

describe('the wire', () => {
  test('paths: unknown 404, wrong method 405 with Allow, malformed encoding 400, all JSON', async () => {
    for (const path of [
      '/plugins/Ext/nothing',
      '/plugins/Other/plugins',
      '/plugins/Ext/users//projects',
      '/issues',
    ]) {
      const answer = await at(path)
      expect([answer.status, await answer.json()]).toEqual([404, { message: 'Not found' }])
    }
    const wrong = await at('/plugins/Ext/users/nina', { method: 'DELETE' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, PATCH'])
    expect((await at('/plugins/Ext/users/%E0%A4%A')).status).toBe(400)
    const outside = await tracker.fetch(new Request('http://tracker.test/elsewhere'))
    expect(outside.status).toBe(404)
  })

  test('a username with a space, a plus or an at sign is addressed percent-encoded', async () => {
    for (const username of ['a b', 'a+b', 'a@b.example']) {
      await call('createUser', { body: { username } })
      expect((await call('getUser', { path: { user_id: username } })).json.users[0].name).toBe(username)
    }
  })

  test('credentials: any case, several, or bare; not another scheme', async () => {
    const token = tracker.tokens.administrator
    const status = async (authorization: string) =>
      (await call('listPlugins', { as: null, headers: { authorization } })).status
    for (const good of [`bearer ${token}`, `Bearer x, Bearer ${token}`, token])
      expect(await status(good)).toBe(200)
    for (const bad of [`Basic ${token}`, `Bearer ${token}x`, 'Bearer', ''])
      expect(await status(bad)).toBe(401)
  })

  test('acting for somebody by a header has the limits of impersonation', async () => {
    const acting = async (as: 'administrator' | 'manager', name: string) =>
      (await call('getAccountPage', { as, headers: { 'x-mantis-username': name } })).status
    expect(await acting('administrator', 'nina')).toBe(200)
    expect(await acting('administrator', 'nobody')).toBe(404)
    expect(await acting('administrator', 'former')).toBe(403)
    expect(await acting('manager', 'nina')).toBe(403)
  })

  test('errors speak the language of the caller', async () => {
    const path = { user_id: 'nina' }
    expect((await call('getUser', { path, as: 'french' })).json).toEqual({
      message: 'Access denied',
      code: 13,
      localized: 'Accès refusé',
    })
    expect((await call('getUser', { path, as: 'reporter' })).json.localized).toBe('Access denied')
  })

  test('what was drawn is told by a header', async () => {
    const varied = await createTracker({ vary: 12 })
    expect((await clientOf(varied)('listPlugins')).headers.get('x-tracker-vary')).toBe('12')
    expect((await call('listPlugins')).headers.has('x-tracker-vary')).toBe(false)
  })

  test('a failure of the emulator is a 500 with a journal entry', async () => {
    tracker.db.plugins.find = () => {
      throw new Error('broken on purpose')
    }
    const answer = await call('installPlugin', { path: { plugin_name: 'Snippets' } })
    expect(answer).toMatchObject({ status: 500, json: { message: 'The emulator failed: broken on purpose' } })
    expect(tracker.journal.at(-1)?.refusal?.condition).toBe('internal')
    expect((await call('getAccountPage')).status).toBe(200)
  })
})

describe('journal and faults', () => {
  test('the journal tells what was asked, by whom, and why it was refused', async () => {
    await call('createUser', { as: 'manager', body: { username: 'otto', password: 'Hidden-Word-1' } })
    expect(tracker.journal.at(-1)).toMatchObject({
      sequence: 1,
      at: '2025-06-01T12:00:00.000Z',
      method: 'POST',
      path: '/api/rest/plugins/Ext/users',
      operation: 'createUser',
      caller: 'manager',
      body: { username: 'otto', password: '***' },
      response: { status: 403 },
      refusal: {
        condition: 'access-denied',
        detail: 'To manage users needs level 90; manager has 70',
        decision: 'create-permission',
      },
      fault: null,
    })
  })
})

describe('profile', () => {
  test('it is complete, and has the base URL that is asked for', () => {
    expect(profileSchema.parse(tracker.profile)).toEqual(tracker.profile)
    const { notImplemented: _, ...shape } = profileSchema.shape
    expect(Object.keys(tracker.profile).sort()).toEqual(Object.keys(shape).sort())
    expect(tracker.profile.customField?.ids?.length).toBeGreaterThanOrEqual(4)
    expect(tracker.profile.recipients?.length).toBeGreaterThanOrEqual(6)
    expect(tracker.profile.projects).toHaveLength(3)
    expect(tracker.profileFor('http://127.0.0.1:1/api/rest').baseUrl).toBe('http://127.0.0.1:1/api/rest')
  })

  test.each(Array.from({ length: 30 }, (_, index) => index))(
    'what it names works, with --vary %i',
    async (vary) => {
      const varied = await createTracker({ vary })
      const ask = clientOf(varied)
      const { profile } = varied
      const { user, plugin, customField, columns, userSetting, settings, passwordAccount } = profile
      const path = { user_id: user?.id ?? 0 }
      const requests: [OperationId, CallOptions][] = [
        ['getUser', { path }],
        [
          'addUserToProjects',
          {
            path,
            body: { project_ids: profile.projects, access_level: profile.projectAccessLevel },
          },
        ],
        ['createCustomField', { body: { custom_field: { name: 'Made', type: customField?.type } } }],
        ['manageColumns', { body: columns }],
        ['updateUserSettings', { body: { configs: [userSetting] } }],
        ['updateSettings', { body: settings }],
        ['installPlugin', { path: { plugin_name: plugin?.name ?? '' } }],
        [
          'updatePlugin',
          {
            path: { plugin_name: plugin?.name ?? '' },
            body: { priority: plugin?.priority?.max },
          },
        ],
        ['uninstallPlugin', { path: { plugin_name: plugin?.name ?? '' } }],
        ['deleteCustomField', { path: { field_id: customField?.ids?.[0] ?? 0 } }],
        [
          'changeOwnPassword',
          {
            as: 'password',
            body: { password_current: passwordAccount?.current, password: passwordAccount?.next },
          },
        ],
      ]
      for (const [id, options] of requests) expect((await ask(id, options)).status, id).toBe(200)
    },
  )
})
