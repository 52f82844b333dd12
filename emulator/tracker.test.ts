import { describe, expect, test } from 'vitest'
import { type OperationId, profileSchema } from '../conformance/contract/index.js'
import { type CallOptions, clientOf } from '../fixtures/client.js'
import { call, startEach, tracker } from '../fixtures/each.js'
import { createTracker, type State } from './index.js'

startEach()

describe('state', () => {
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

  test('calls at once end as if they had come one after the other', async () => {
    const create = async (username: string) => {
      const { status, json } = await call('createUser', { body: { username } })
      return [status, json.user?.id]
    }
    const [otto, again, anna, last] = await Promise.all(['otto', 'OTTO', 'anna', 'otto'].map(create))
    expect([otto, anna]).toEqual([
      [200, 13],
      [200, 14],
    ])
    expect([again?.[0], last?.[0]]).toEqual([400, 400])
    expect(tracker.journal.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
    expect(tracker.db.users.count()).toBe(14)
  })

  test('an id is never used twice', async () => {
    const body = { custom_field: { name: 'One' }, projects: ['1'] }
    const create = async () => (await call('createCustomField', { body })).json.custom_field.id
    const id = await create()
    await call('deleteCustomField', { path: { field_id: id } })
    expect(tracker.db.customFieldLinks.having('field', id)).toEqual([])
    expect(await create()).toBe(id + 1)
  })
})

test('a new record in a collection needs no more than what tells it from others', async () => {
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

describe('the wire', () => {
  test.each<[method: string, path: string, status: number]>([
    ['GET', '/plugins/Ext/nothing', 404],
    ['GET', '/plugins/Other/plugins', 404],
    ['GET', '/plugins/Ext/users//projects', 404],
    ['GET', '/issues', 404],
    ['GET', '/../../elsewhere', 404],
    ['DELETE', '/plugins/Ext/users/nina', 405],
    ['GET', '/plugins/Ext/users/%E0%A4%A', 400],
  ])('%s %s is %i', async (method, path, status) => {
    const headers = { authorization: `Bearer ${tracker.tokens.administrator}` }
    const answer = await tracker.fetch(new Request(tracker.baseUrl + path, { method, headers }))
    const allow = status === 405 ? 'GET, PATCH' : null
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow])
    const { message, ...rest } = (await answer.json()) as Record<string, unknown>
    expect([message === 'Not found', rest]).toEqual([status === 404, {}])
  })

  const odd = ['a b', 'a+b', 'a@b.example']
  test.each(odd)('a user called %s is addressed percent-encoded', async (username) => {
    await call('createUser', { body: { username } })
    expect((await call('getUser', { path: { user_id: username } })).json.users[0].name).toBe(username)
  })

  test.each([
    ['bearer TOKEN', 200],
    ['Bearer x, Bearer TOKEN', 200],
    ['TOKEN', 200],
    ['Basic TOKEN', 401],
    ['Bearer TOKENx', 401],
    ['Bearer', 401],
    ['', 401],
  ])('credentials that are "%s" are answered %i', async (given, status) => {
    const authorization = given.replace('TOKEN', tracker.tokens.administrator)
    expect((await call('listPlugins', { as: null, headers: { authorization } })).status).toBe(status)
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

  const numbers = Array.from({ length: 15 }, (_, index) => index)
  test.each(numbers)('what it names works, with --vary %i', async (vary) => {
    const varied = await createTracker({ vary })
    const ask = clientOf(varied)
    const { user, plugin, customField, projects, projectAccessLevel, ...profile } = varied.profile
    const path = { user_id: user?.id ?? 0 }
    const ofPlugin = { path: { plugin_name: plugin?.name ?? '' } }
    const { current: password_current, next: password } = profile.passwordAccount ?? {}
    const requests: [OperationId, CallOptions][] = [
      ['getUser', { path }],
      ['addUserToProjects', { path, body: { project_ids: projects, access_level: projectAccessLevel } }],
      ['createCustomField', { body: { custom_field: { name: 'Made', type: customField?.type } } }],
      ['manageColumns', { body: profile.columns }],
      ['updateUserSettings', { body: { configs: [profile.userSetting] } }],
      ['updateSettings', { body: profile.settings }],
      ['installPlugin', ofPlugin],
      ['updatePlugin', { ...ofPlugin, body: { priority: plugin?.priority?.max } }],
      ['uninstallPlugin', ofPlugin],
      ['deleteCustomField', { path: { field_id: customField?.ids?.[0] ?? 0 } }],
      ['changeOwnPassword', { as: 'password', body: { password_current, password } }],
    ]
    for (const [id, options] of requests) expect((await ask(id, options)).status, id).toBe(200)
  })
})
