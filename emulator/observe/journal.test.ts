import { beforeEach, describe, expect, test } from 'vitest'
import { readHar } from '../../conformance/client/har-read.js'
import { judge } from '../../conformance/index.js'
import { type Call, clientOf, sender } from '../../fixtures/client.js'
import { createTracker, type DecisionFile, type Tracker } from '../index.js'

let tracker: Tracker
let call: Call

beforeEach(async () => {
  tracker = await createTracker({ now: '2025-06-01T12:00:00Z' })
  call = clientOf(tracker)
})

const nina = { user_id: 'nina' }

test('shows no secret, by whatever name and in whatever place a client gives it away', async () => {
  const { administrator } = tracker.tokens
  const body = {
    username: 'otto',
    newPassword: 'Hidden-1',
    nested: [{ apiKeys: ['Hidden-2'], about: administrator }],
  }
  await call('createUser', { body })
  await call('getUser', { path: nina, query: `?authToken=Hidden-3&key=${administrator}` })
  await call('getUser', { path: { user_id: administrator } })
  expect(JSON.stringify(tracker.journal)).not.toMatch(/Hidden/)
  expect(JSON.stringify(tracker.journal)).not.toContain(administrator)
  expect(tracker.calledWith('createUser', { newPassword: 'Hidden-1' })).toBe(true)
  expect(tracker.journal[0]?.body).toMatchObject({ username: 'otto', newPassword: '***' })
  expect(tracker.journal.at(-1)?.path).toMatch(/\/users\/\*\*\*$/)
})

test('shows the headers of both sides, and of credentials the scheme alone', async () => {
  const { administrator } = tracker.tokens
  const headers = {
    'x-session': 'Hidden-4',
    cookie: 'a=Hidden-5',
    'x-by': `a;${administrator}, b`,
    accept: '*/*',
  }
  await call('getUser', { path: nina, headers })
  const [{ headers: asked, response } = expect.fail()] = tracker.journal
  expect(asked).toMatchObject({
    ...{ authorization: 'Bearer ***', 'x-session': '***', cookie: '***', 'x-by': 'a;***, b', accept: '*/*' },
  })
  expect(response.headers).toMatchObject({
    'content-type': 'application/json',
    'x-mantis-username': 'administrator',
  })
  expect(JSON.stringify(tracker.journal)).not.toMatch(/Hidden/)
  expect(JSON.stringify(tracker.journal)).not.toContain(administrator)
})

test('shows no token that has gone since, one or all at once', async () => {
  const { developer, reporter } = tracker.tokens
  await call('getUser', { path: { user_id: developer } })
  const [token] = tracker.db.tokens.having('secret', developer)
  if (token) tracker.db.tokens.remove(token)
  await call('getUser', { path: { user_id: reporter } })
  await tracker.db.tokens.clear()
  expect(tracker.journal.map(({ path }) => path.split('/').at(-1))).toEqual(['***', '***'])
})

test('grows in the hands of whoever holds it', async () => {
  const { journal } = tracker
  await call('getUser', { path: nina })
  expect(journal.map(({ operation }) => operation)).toEqual(['getUser'])
})

describe('calls', () => {
  beforeEach(async () => {
    await call('createUser', { body: { username: 'otto', password: 'Hidden-Word-1' } })
    await call('createUser', { as: 'manager', body: { username: 'otto' } })
    await call('getUser', { as: null, path: nina })
  })

  const sequences = (filter: Parameters<Tracker['calls']>[0]) =>
    tracker.calls(filter).map(({ sequence }) => sequence)

  test('are found by operation, caller, status and part of the body', () => {
    expect(sequences(undefined)).toEqual([1, 2, 3])
    expect(sequences({ operation: 'createUser' })).toEqual([1, 2])
    expect(sequences({ caller: 'manager' })).toEqual([2])
    expect(sequences({ caller: null })).toEqual([3])
    expect(sequences({ status: 200 })).toEqual([1])
    expect(sequences({ operation: 'createUser', status: 401 })).toEqual([])
    expect(sequences({ body: { username: 'otto' } })).toEqual([1, 2])
    expect(sequences({ body: { password: 'Hidden-Word-1' } })).toEqual([1])
    expect(sequences({ body: { password: '***' } })).toEqual([])
  })

  test('tell whether an operation was called, and with which body', async () => {
    expect(tracker.calledWith('createUser')).toBe(true)
    expect(tracker.calledWith('updateUser')).toBe(false)
    expect(tracker.calledWith('createUser', { username: 'otto' })).toBe(true)
    expect(tracker.calledWith('createUser', { username: 'anna' })).toBe(false)
    expect(tracker.calledWith('createUser', { email: undefined, username: 'otto' })).toBe(true)
    await call('updateUserSettings', { body: { configs: [{ option: 'refresh_delay', value: '20' }] } })
    expect(tracker.calledWith('updateUserSettings', { configs: [{ option: 'refresh_delay' }] })).toBe(true)
    expect(tracker.calledWith('updateUserSettings', { configs: [] })).toBe(false)
  })
})

describe('a refusal explains itself', () => {
  const refusal = () => tracker.journal.at(-1)?.refusal

  test('by the level that was held and the lowest that would have done', async () => {
    await call('createUser', { as: 'manager', body: { username: 'otto' } })
    expect(refusal()).toEqual({
      condition: 'access-denied',
      detail: 'To manage users needs level 90; manager has 70',
      step: 'gate',
      level: { held: 70, needed: 90 },
      decision: 'create-permission',
      ruling: { value: 90, passesWith: [70] },
    })
  })

  test('needs no level where none would have done', async () => {
    await call('impersonateUser', { path: { user_id: 'former' } })
    expect(refusal()).toMatchObject({
      step: 'guard',
      level: { held: 90, needed: null },
      decision: 'impersonate-disabled',
      ruling: { value: 'forbidden', passesWith: [] },
    })
  })

  test('by the decisions with which the same request would have passed', async () => {
    await call('createUser', { body: { username: 'otto', realname: 'N', email: 'otto@mailinator.com' } })
    expect(refusal()).toMatchObject({
      step: 'accept',
      level: null,
      decision: 'create-email-disposable',
      ruling: { value: 'refused', passesWith: ['unchecked'] },
    })
  })

  test('also before an operation is reached', async () => {
    await call('createUser', { body: { username: 'otto' }, headers: { 'content-type': null } })
    expect(refusal()).toMatchObject({
      step: 'body',
      decision: 'missing-content-type',
      ruling: { value: 'refused', passesWith: ['parsed'] },
    })
    await call('getAccountPage', { as: null })
    expect(refusal()).toMatchObject({ step: 'credentials', level: null, decision: null, ruling: null })
    await sender(tracker)('/users/nina', { method: 'DELETE', headers: { authorization: '' } })
    expect(refusal()).toMatchObject({ step: 'credentials' })
    const headers = { authorization: `Bearer ${tracker.tokens.viewer}` }
    await sender(tracker)('/users/nina', { method: 'DELETE', headers })
    expect(refusal()).toMatchObject({ step: 'path', decision: 'wrong-method' })
  })

  test('and the asking changes nothing', async () => {
    const before = tracker.snapshot()
    await call('createUser', { as: 'manager', body: { username: 'otto' } })
    await call('updateUser', { as: 'reporter', path: nina, body: { realname: 'N' } })
    expect(tracker.diff(before)).toEqual({})
    expect(tracker.snapshot().lastIds).toEqual(before.lastIds)
    expect(tracker.outbox).toEqual([])
  })

  test('the wire says nothing of it', async () => {
    const { json } = await call('createUser', { as: 'manager', body: { username: 'otto' } })
    expect(Object.keys(json).sort()).toEqual(['code', 'localized', 'message'])
  })
})

describe('the outbox', () => {
  test('holds what a real tracker would have mailed', async () => {
    await call('createUser', { body: { username: 'otto', email: 'otto@example.org' } })
    await call('resetUser', { path: nina })
    await call('updateUser', { path: nina, body: { realname: 'Nina N', notify_user: true } })
    await call('updateUser', { path: nina, body: { realname: 'Nina' } })
    const at = '2025-06-01T12:00:00.000Z'
    expect(tracker.outbox).toEqual([
      {
        id: 1,
        at,
        kind: 'registration',
        to: 'otto@example.org',
        user: { id: 13, username: 'otto' },
        changes: [],
      },
      {
        id: 2,
        at,
        kind: 'password-reset',
        to: 'nina@example.org',
        user: { id: 10, username: 'nina' },
        changes: [],
      },
      {
        id: 3,
        at,
        kind: 'account-changed',
        to: 'nina@example.org',
        user: { id: 10, username: 'nina' },
        changes: [{ field: 'realname', from: 'Nina Neumann', to: 'Nina N' }],
      },
    ])
    expect(tracker.journal.map(({ mails }) => mails.map(({ kind }) => kind))).toEqual([
      ['registration'],
      ['password-reset'],
      ['account-changed'],
      [],
    ])
  })

  test('has no secret in it', async () => {
    await call('resetUser', { path: nina })
    const password = tracker.db.users.find('username', 'nina')?.password ?? ''
    expect(password).not.toBe('')
    expect(JSON.stringify([tracker.outbox, tracker.journal])).not.toContain(password)
  })
})

describe('as HAR', () => {
  const recorded = () =>
    readHar(JSON.parse(JSON.stringify(tracker.journal.har())), { profile: tracker.profile })

  test('it is a trace that the suite can judge', async () => {
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
    const wrong = exchanges.map((one) => (one.n === 3 ? { ...one, status: 200, text: '{}' } : one))
    expect(judge(wrong, { profile: tracker.profile }).findings).not.toEqual([])
  })

  test('it holds no secret, and says which bodies it has lost for that', async () => {
    const body = { password_current: 'Sunny-Day-2024', password: 'Rainy-Night-2025' }
    await call('changeOwnPassword', { as: 'password', body })
    await call('createUser', { raw: '{"username":' })
    expect(JSON.stringify(tracker.journal.har())).not.toMatch(/Sunny|Rainy|password_Zq/)
    expect(recorded().exchanges).toMatchObject([{ lost: ['body'] }, { lost: ['body'] }])
  })

  test('it may be of some calls alone', async () => {
    await call('listPlugins')
    await call('getUser', { path: nina })
    const { entries } = tracker.journal.har(tracker.calls({ operation: 'getUser' })).log
    expect(entries).toMatchObject([{ request: { url: `${tracker.baseUrl}/plugins/Ext/users/nina` } }])
  })
})

describe('names what was learnt from a live tracker', () => {
  const learnt: DecisionFile = {
    schema: 'tracker-kit/decisions@1',
    decisions: {
      'wrong-method': 'not-found',
      'user-segment-me': 'caller',
      'learned-answers': [
        {
          ...{ operation: 'getUser', outcome: 'user-not-found-by-name', when: [] },
          answer: { status: 404, code: null, message: 'Nobody', localized: null, members: {} },
        },
      ],
    },
    evidence: { 'wrong-method': { exchanges: [12, 40] }, 'user-segment-me': { exchanges: ['2:7'] } },
  }

  test('with the exchanges that show it, at the answers that it gave', async () => {
    tracker = await createTracker({ decisions: learnt })
    call = clientOf(tracker)
    await call('getUser', { path: { user_id: 'me' } })
    expect(tracker.journal.at(-1)?.learnt).toEqual([
      { decision: 'user-segment-me', value: 'caller', exchanges: ['2:7'] },
    ])
    await sender(tracker)('/me/account', { method: 'DELETE' })
    expect(tracker.journal.at(-1)?.learnt).toEqual([
      { decision: 'wrong-method', value: 'not-found', exchanges: [12, 40] },
    ])
    await call('listPlugins')
    expect(tracker.journal.at(-1)?.learnt).toEqual([])
  })

  test('also an answer that was copied, and not what has been decided otherwise since', async () => {
    tracker = await createTracker({ decisions: learnt })
    call = clientOf(tracker)
    await call('getUser', { path: { user_id: 'nobody' } })
    expect(tracker.journal.at(-1)?.learnt).toContainEqual({
      ...{ decision: 'learned-answers', value: null, exchanges: [] },
    })
    await tracker.decide({ 'user-segment-me': 'username' })
    await call('getUser', { path: { user_id: 'me' } })
    expect(tracker.journal.at(-1)?.learnt.map(({ decision }) => decision)).not.toContain('user-segment-me')
  })

  test('nothing where the decisions are somebody’s own', async () => {
    tracker = await createTracker({ decisions: { 'user-segment-me': 'caller' } })
    call = clientOf(tracker)
    await call('getUser', { path: { user_id: 'me' } })
    expect(tracker.journal.at(-1)?.learnt).toEqual([])
  })
})
