import { expect, test } from 'vitest'
import type { OperationId } from '../conformance/contract/index.js'
import { type CallOptions, clientOf, sender } from '../fixtures/client.js'
import { call, startEach, tracker } from '../fixtures/each.js'
import { createTracker, type State, type TrackerEvent } from './index.js'

startEach()

const ask = (path: string, init: RequestInit = {}) => sender(tracker)(path, init)

test.each<[string, (state: State) => object, string]>([
  ['no state', () => ({}), 'schema'],
  ['a dangling reference', (s) => ({ ...s, users: s.users.slice(1) }), 'user_id 1 does not exist'],
  ['an id still to come', (s) => ({ ...s, lastIds: { ...s.lastIds, user: 3 } }), 'lastIds.user is 3'],
])('%s is refused before anything is touched', async (_, spoil, message) => {
  const before = tracker.snapshot()
  await expect(tracker.restore(spoil(before) as State)).rejects.toThrow(message)
  expect(tracker.snapshot()).toEqual(before)
})

test('calls at once end as if they had come one after the other', async () => {
  const create = (username: string) => call('createUser', { body: { username } })
  const created = await Promise.all(['otto', 'OTTO', 'anna'].map(create))
  expect(created.map(({ status }) => status)).toEqual([200, 400, 200])
})

test('an id is never used twice', async () => {
  const body = { custom_field: { name: 'One' }, projects: ['1'] }
  const create = async () => (await call('createCustomField', { body })).json.custom_field.id
  const id = await create()
  await call('deleteCustomField', { path: { field_id: id } })
  expect(tracker.db.customFieldLinks.having('field', id)).toEqual([])
  expect(await create()).toBe(id + 1)
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

test.each<[method: string, path: string, status: number]>([
  ['GET', '/nothing', 404],
  ['GET', '/users//projects', 404],
  ['DELETE', '/users/nina', 405],
  ['GET', '/users/%E0%A4%A', 400],
])('%s %s is %i', async (method, path, status) => {
  const answer = await ask(path, { method })
  const allow = status === 405 ? 'GET, PATCH' : null
  expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow])
  const { message, ...rest } = (await answer.json()) as Record<string, unknown>
  expect([message === 'Not found', rest]).toEqual([status === 404, {}])
})

test.each([
  ['Bearer x, TOKEN', 200],
  ['Basic TOKEN', 401],
  ['Bearer TOKENx', 401],
])('credentials that are "%s" are answered %i', async (given, status) => {
  const authorization = given.replace('TOKEN', tracker.tokens.administrator)
  expect((await call('listPlugins', { as: null, headers: { authorization } })).status).toBe(status)
})

test.each([...Array(15).keys()])('what the profile names works, with --vary %i', async (vary) => {
  const varied = await createTracker({ vary })
  const ask = clientOf(varied)
  const { user, plugin, customField, projects, projectAccessLevel, columns, settings } = varied.profile
  const { current: password_current, next: password } = varied.profile.passwordAccount ?? {}
  const path = { user_id: user?.id ?? 0 }
  const ofPlugin = { path: { plugin_name: plugin?.name ?? '' } }
  const requests: [OperationId, CallOptions][] = [
    ['addUserToProjects', { path, body: { project_ids: projects, access_level: projectAccessLevel } }],
    ['createCustomField', { body: { custom_field: { name: 'Made', type: customField?.type } } }],
    ['manageColumns', { body: columns }],
    ['updateSettings', { body: settings }],
    ['installPlugin', ofPlugin],
    ['updatePlugin', { ...ofPlugin, body: { priority: plugin?.priority?.max } }],
    ['changeOwnPassword', { as: 'password', body: { password_current, password } }],
  ]
  for (const [id, options] of requests) expect((await ask(id, options)).status, id).toBe(200)
})

const statusOf = async (user_id: string) => (await call('getUser', { path: { user_id } })).status

test('the profile, copies and the time after a reset are under the new decisions', async () => {
  await tracker.decide({ 'cf-name-length': 20 })
  expect(tracker.profile.customField?.nameLimit).toBe(20)
  expect(tracker.fork().decisions['cf-name-length']).toBe(20)
  await tracker.reset()
  expect(tracker.decisions['cf-name-length']).toBe(20)
})

test('names are found by the new comparison, and by the old one once no two names are one under it', async () => {
  expect(await statusOf('NINA')).toBe(200)
  await tracker.decide({ 'username-case': 'sensitive' })
  expect(await statusOf('NINA')).toBe(404)
  const body = { username: 'NINA', email: 'other@example.org' }
  expect((await call('createUser', { body })).status).toBe(200)
  await expect(tracker.decide({ 'username-case': 'insensitive' })).rejects.toThrow('"nina" is there twice')
  expect(tracker.decisions['username-case']).toBe('sensitive')
  expect(await statusOf('Nina')).toBe(404)
  await tracker.db.users.delete((query) => query.where({ username: 'NINA' }))
  await tracker.decide({ 'username-case': 'insensitive' })
  expect(await statusOf('NINA')).toBe(200)
})

test('a request keeps to the decisions that it began with', async () => {
  tracker.faults.inject({ operation: 'getUser', delay: 1, times: 1, phase: 'after' })
  const held = statusOf('nina')
  await tracker.decide({ 'username-case': 'sensitive' })
  tracker.clock.advance(1)
  expect(await held).toBe(200)
})

test('watching tells of calls as they stand in the journal, not of what failed, and of nothing once it has ended', async () => {
  const events: TrackerEvent[] = []
  const end = tracker.watch((event) => events.push(event))
  await ask('/users/nina')
  await expect(tracker.restore({} as never)).rejects.toThrow()
  expect(() => tracker.faults.inject({})).toThrow()
  expect(events).toEqual([{ kind: 'call', entry: tracker.journal[0] }])
  end()
  await ask('/users/nina')
  expect(events).toHaveLength(1)
})

test('watching tells of each change', async () => {
  const kinds = new Set<string>()
  tracker.watch(({ kind }) => kinds.add(kind))
  await tracker.restore(tracker.snapshot())
  tracker.faults.inject({ status: 503 })
  await tracker.decide({ 'wrong-method': 'not-found' })
  tracker.clock.advance('1h')
  expect([...kinds]).toEqual(['restore', 'faults', 'decisions', 'clock'])
  await tracker.reset()
  expect(kinds).toContain('reset')
})

test('replaying sends a call as it was, with what the journal masks and with what was wrong', async () => {
  const before = tracker.snapshot()
  const body = { password_current: 'Sunny-Day-2024', password: 'Bright-Copper-7' }
  expect((await call('changeOwnPassword', { as: 'password', body })).status).toBe(200)
  await call('createUser', { raw: '{"username":' })
  expect(tracker.journal[0]?.body).toEqual({ password_current: '***', password: '***' })
  await tracker.restore(before)
  expect((await tracker.replay(1)).status).toBe(200)
  expect(tracker.db.users.find('username', 'password')?.password).toBe('Bright-Copper-7')
  expect(tracker.journal[2]).toMatchObject({ operation: 'changeOwnPassword', caller: 'password' })
  expect((await tracker.replay(2)).status).toBe(400)
  await expect(tracker.replay(5)).rejects.toThrow('The journal has no call 5')
})
