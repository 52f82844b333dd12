import { expect, test } from 'vitest'
import { readHar } from '../../conformance/client/har-read.js'
import type { OperationId } from '../../conformance/contract/index.js'
import { judge } from '../../conformance/index.js'
import { type CallOptions, clientOf, sender } from '../../fixtures/client.js'
import { call, start, startEach, tracker } from '../../fixtures/each.js'
import type { DecisionFile, Tracker } from '../index.js'

startEach()

const nina = { user_id: 'nina' }

test('the journal shows no secret, by whatever name and in whatever place a client gives it away', async () => {
  const { administrator } = tracker.tokens
  const nested = [{ apiKeys: ['Hidden-2'], about: administrator }]
  const body = { username: 'otto', newPassword: 'Hidden-1', nested, limits: { password: 12 } }
  await call('createUser', { body })
  await call('getUser', { path: nina, query: `?authToken=Hidden-3&key=${administrator}` })
  await call('getUser', { path: { user_id: administrator } })
  const headers = { 'x-session': 'Hidden-4', cookie: 'a=Hidden-5', 'x-by': `a;${administrator}, b` }
  await call('getUser', { path: nina, headers })
  expect(JSON.stringify(tracker.journal)).not.toMatch(/Hidden/)
  expect(JSON.stringify(tracker.journal)).not.toContain(administrator)
  expect(tracker.calledWith('createUser', { newPassword: 'Hidden-1' })).toBe(true)
  const kept = { username: 'otto', newPassword: '***', limits: { password: 12 } }
  expect(tracker.journal[0]?.body).toMatchObject(kept)
  expect(tracker.journal[2]?.path).toMatch(/\/users\/\*\*\*$/)
  const masked = { authorization: 'Bearer ***', 'x-session': '***', cookie: '***', 'x-by': 'a;***, b' }
  expect(tracker.journal[3]?.headers).toMatchObject(masked)
  const answered = { 'content-type': 'application/json', 'x-mantis-username': 'administrator' }
  expect(tracker.journal[3]?.response.headers).toMatchObject(answered)
})

test('the journal shows no token that has gone since, one or all at once', async () => {
  const { developer, reporter } = tracker.tokens
  await call('getUser', { path: { user_id: developer } })
  const [token] = tracker.db.tokens.having('secret', developer)
  if (token) tracker.db.tokens.remove(token)
  await call('getUser', { path: { user_id: reporter } })
  await tracker.db.tokens.clear()
  expect(tracker.journal.map(({ path }) => path.split('/').at(-1))).toEqual(['***', '***'])
})

test('calls are found by operation, caller, status and part of the body, and whether there was one is told', async () => {
  await call('createUser', { body: { username: 'otto', password: 'Hidden-Word-1', list: [{ a: 1, b: 2 }] } })
  await call('createUser', { as: 'manager', body: { username: 'otto' } })
  await call('getUser', { as: null, path: nina })
  const sequences = (filter: Parameters<Tracker['calls']>[0]) =>
    tracker.calls(filter).map(({ sequence }) => sequence)
  expect(sequences(undefined)).toEqual([1, 2, 3])
  expect(sequences({ caller: 'manager' })).toEqual([2])
  expect(sequences({ caller: null, path: nina })).toEqual([3])
  expect(sequences({ path: { user_id: 'otto' } })).toEqual([])
  expect(sequences({ status: 200 })).toEqual([1])
  expect(sequences({ operation: 'createUser', status: 401 })).toEqual([])
  expect(sequences({ body: { username: 'otto' } })).toEqual([1, 2])
  expect(sequences({ body: { password: 'Hidden-Word-1' } })).toEqual([1])
  expect(sequences({ body: { password: '***' } })).toEqual([])

  expect(tracker.calledWith('updateUser')).toBe(false)
  expect(tracker.calledWith('createUser', { email: undefined, list: [{ a: 1 }] })).toBe(true)
  expect(tracker.calledWith('createUser', { list: [] })).toBe(false)
})

const otto = { username: 'otto' }
const taken = { ...otto, realname: 'N', email: 'otto@mailinator.com' }
const ruled = (value: unknown, ...passesWith: unknown[]) => ({ ruling: { value, passesWith } })
const byLevel = {
  ...{ step: 'gate', condition: 'access-denied', detail: 'To manage users needs level 90; manager has 70' },
  ...{ level: { held: 70, needed: 90 }, decision: 'create-permission', ...ruled(90, 70) },
}
const noLevel = { step: 'guard', level: { held: 90, needed: null }, ...ruled('forbidden') }
const noCredentials = { step: 'credentials', level: null, decision: null, ruling: null }

test.each<[OperationId, CallOptions, refusal: object]>([
  ['createUser', { as: 'manager', body: otto }, byLevel],
  // With the level, the name that is taken would be the next reason.
  ['createUser', { as: 'manager', body: taken }, { ...byLevel, ...ruled(90) }],
  ['impersonateUser', { path: { user_id: 'former' } }, noLevel],
  ['createUser', { body: taken }, { step: 'accept', level: null, ...ruled('refused', 'unchecked') }],
  ['getAccountPage', { as: null }, noCredentials],
])('the journal explains why %s refuses %j', async (id, options, refusal) => {
  await call(id, options)
  expect(tracker.journal[0]?.refusal).toMatchObject(refusal)
})

test('the journal explains a refused method', async () => {
  await sender(tracker)('/users/nina', { method: 'DELETE' })
  expect(tracker.journal[0]?.refusal).toMatchObject({ step: 'path', decision: 'wrong-method' })
})

test('the explanation of a refusal changes nothing, and the answer does not have it', async () => {
  const before = tracker.snapshot()
  const { json } = await call('createUser', { as: 'manager', body: otto })
  await call('updateUser', { as: 'reporter', path: nina, body: { realname: 'N' } })
  expect(tracker.journal).toHaveLength(2)
  expect(tracker.diff(before)).toEqual({})
  expect(tracker.snapshot().lastIds).toEqual(before.lastIds)
  expect(Object.keys(json).sort()).toEqual(['code', 'localized', 'message'])
})

test('the outbox holds what a real tracker would have mailed, without a secret', async () => {
  await call('createUser', { body: { username: 'otto', email: 'otto@example.org' } })
  await call('resetUser', { path: nina })
  await call('updateUser', { path: nina, body: { realname: 'Nina N', notify_user: true } })
  await call('updateUser', { path: nina, body: { realname: 'Nina' } })
  const at = '2025-06-01T12:00:00.000Z'
  const toNina = { at, to: 'nina@example.org', user: { id: 10, username: 'nina' } }
  const otto = { at, to: 'otto@example.org', user: { id: 13, username: 'otto' } }
  const changes = [{ field: 'realname', from: 'Nina Neumann', to: 'Nina N' }]
  expect(tracker.outbox).toEqual([
    { id: 1, ...otto, kind: 'registration', changes: [] },
    { id: 2, ...toNina, kind: 'password-reset', changes: [] },
    { id: 3, ...toNina, kind: 'account-changed', changes },
  ])
  expect(tracker.journal.map(({ mails }) => mails.map(({ id }) => id))).toEqual([[1], [2], [3], []])
  const password = tracker.db.users.find('username', 'nina')?.password ?? ''
  expect(password).not.toBe('')
  expect(JSON.stringify([tracker.outbox, tracker.journal])).not.toContain(password)
})

const recorded = () =>
  readHar(JSON.parse(JSON.stringify(tracker.journal.har())), { profile: tracker.profile })

test('the journal as HAR is a trace that the suite can judge', async () => {
  await call('getAccountPage', { as: 'restricted' })
  await call('getUser', { path: nina, as: 'manager' })
  await call('getUser', { path: nina, as: null })
  await call('createUser', { body: { username: 'otto' } })
  const { exchanges, passed, baseUrl } = recorded()
  expect([passed, baseUrl]).toEqual([[], tracker.baseUrl])
  expect(exchanges).toMatchObject([
    { n: 1, caller: 'restricted', method: 'GET', status: 200, body: null },
    { n: 2, caller: 'somebody:3', status: 403 },
    { n: 3, caller: 'none', status: 401 },
    { n: 4, caller: 'administrator', method: 'POST', body: '{"username":"otto"}' },
  ])
  expect(judge(exchanges, { profile: tracker.profile }).findings).toEqual([])
})

test('the journal as HAR holds no secret, and says which bodies it has lost for that', async () => {
  const body = { password_current: 'Sunny-Day-2024', password: 'Rainy-Night-2025' }
  await call('changeOwnPassword', { as: 'password', body })
  await call('createUser', { raw: '{"username":' })
  expect(JSON.stringify(tracker.journal.har())).not.toMatch(/Sunny|Rainy|password_Zq/)
  expect(recorded().exchanges).toMatchObject([{ lost: ['body'] }, { lost: ['body'] }])
})

test('the journal names what was learnt from a live tracker, with the exchanges that show it, and not what has been decided otherwise', async () => {
  const answer = { status: 404, code: null, message: 'Nobody', members: {} }
  const learnt: DecisionFile = {
    schema: 'tracker-kit/decisions@1',
    decisions: {
      'user-segment-me': 'caller',
      'learned-answers': [{ operation: 'getUser', outcome: 'user-not-found-by-name', when: [], answer }],
    },
    evidence: { 'user-segment-me': { exchanges: ['2:7'] }, 'user-id-zero-negative': { sure: 'known' } },
  }
  const shown = async (user_id: string) => {
    await call('getUser', { path: { user_id } })
    return tracker.journal.at(-1)?.learnt
  }
  const segment = { decision: 'user-segment-me', value: 'caller', exchanges: ['2:7'] }
  await start({ decisions: learnt })
  expect(tracker.learnt?.get('user-id-zero-negative')).toMatchObject({ sure: 'known', isDefault: true })
  expect(await shown('me')).toEqual([segment])
  expect(await shown('nobody')).toContainEqual({ decision: 'learned-answers', value: null, exchanges: [] })
  await call('listPlugins')
  expect(tracker.journal.at(-1)?.learnt).toEqual([])
  await tracker.decide({ 'user-segment-me': 'username' })
  expect(await shown('me')).not.toContainEqual(segment)
})

test('the coverage counts operations, documented answers and roles, over a reset, a level between two roles as the lower one', async () => {
  await start({ seed: { users: [{ username: 'odd', access_level: 60 }] } })
  await call('getUser', { path: nina })
  await call('getUser', { path: { user_id: 'nobody' } })
  await call('getUser', { path: nina, headers: { authorization: 'Bearer token-of-odd' } })
  await call('listPlugins', { as: null })
  await tracker.reset()
  const { operations, roles } = tracker.coverage()
  expect(operations).toHaveLength(26)
  const statuses = { 200: 1, 400: 0, 401: 0, 403: 1, 404: 1 }
  expect(operations.find(({ id }) => id === 'getUser')).toEqual({ id: 'getUser', calls: 3, statuses })
  expect(operations.filter(({ calls }) => calls > 0).map(({ id }) => id)).toEqual(['getUser', 'listPlugins'])
  const asked = roles.filter(({ calls }) => calls > 0).map(({ name, calls }) => `${name} ${calls}`)
  expect(asked).toEqual(['anonymous 1', 'developer 1', 'administrator 2'])
})

test('a fork has the state and the time, but no journal and no faults, and a life of its own, to whose start it comes back', async () => {
  await call('createUser', { body: { username: 'otto' } })
  tracker.faults.inject({ status: 503 })
  tracker.clock.advance('1h')
  const fork = tracker.fork()
  const start = fork.snapshot()
  expect(start).toEqual(tracker.snapshot())
  expect([fork.journal, fork.faults.active]).toEqual([[], []])
  tracker.faults.clear()
  fork.clock.advance('1h')

  const inFork = clientOf(fork)
  await inFork('updateUser', { path: { user_id: 'otto' }, body: { realname: 'Otto', enabled: false } })
  await call('createUser', { body: { username: 'anna' } })
  expect(tracker.db.users.find('username', 'otto')?.realname).toBe('')
  expect(fork.db.users.find('username', 'anna')).toBeUndefined()
  expect((await inFork('createUser', { body: { username: 'anna' } })).json.user.id).toBe(14)
  const changed = [{ before: { realname: '', enabled: true }, fields: ['realname', 'enabled'] }]
  expect(fork.diff().users).toMatchObject({ added: [{ username: 'anna' }], removed: [], changed })
  await fork.reset()
  expect([fork.snapshot(), fork.clock.now()]).toEqual([start, tracker.clock.now()])
})

test('what fails in the middle of an operation leaves nothing behind', async () => {
  const before = tracker.snapshot()
  tracker.db.notifications.hooks.on('create', () => {
    throw new Error('broken on purpose')
  })
  const body = { username: 'otto', email: 'o@example.org' }
  expect((await call('createUser', { body })).status).toBe(500)
  expect(tracker.diff(before)).toEqual({})
  expect(tracker.snapshot().lastIds).toEqual(before.lastIds)
})

test('a snapshot in the middle of an operation shows the state before it', async () => {
  const before = tracker.snapshot()
  let during = null as ReturnType<Tracker['snapshot']> | null
  let forked = null as Tracker | null
  tracker.db.notifications.hooks.on('create', () => {
    during = tracker.snapshot()
    forked = tracker.fork()
  })
  await call('createUser', { body: { username: 'otto', email: 'o@example.org' } })
  expect(during?.users).toEqual(before.users)
  expect(during?.lastIds).toEqual(before.lastIds)
  expect(forked?.db.users.count()).toBe(12)
  expect(tracker.snapshot().users).toHaveLength(13)
})

test("a snapshot is nobody else's", async () => {
  const saved = tracker.snapshot()
  Object.assign(saved.users[0] ?? {}, { username: 'changed' })
  Object.assign(saved.plugins[0]?.requires ?? {}, { Other: '1' })
  expect(tracker.snapshot().users[0]?.username).toBe('administrator')
  expect(tracker.snapshot().plugins[0]?.requires).toEqual({})
  await tracker.restore(saved)
  Object.assign(saved.users[0] ?? {}, { username: 'changed again' })
  expect(tracker.snapshot().users[0]?.username).toBe('changed')
  expect(() => tracker.db.columnConfigurations.rows[0]?.columns.push('x')).toThrow(TypeError)
})
