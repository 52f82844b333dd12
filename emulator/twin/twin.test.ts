import { expect, test } from 'vitest'
import { clientOf, sender } from '../../fixtures/client.js'
import type { DecisionInput } from '../index.js'
import { createTracker } from '../index.js'

const answer = { status: 400, code: null, message: 'No', localized: null, members: {} }

async function under(decisions: DecisionInput) {
  const tracker = await createTracker({ decisions })
  return { tracker, call: clientOf(tracker) }
}

test('a learnt text is filled with what the request says', async () => {
  const message = 'Nobody here is {path.user_id}, {caller.username}'
  const { call } = await under({
    'learned-answers': [
      {
        outcome: 'user-not-found-by-name',
        when: [],
        answer: {
          ...answer,
          status: 404,
          code: 7,
          message,
          members: { origin: 'x', detail: ['For {path.user_id}'] },
        },
      },
    ],
  })
  const { status, json } = await call('getUser', { path: { user_id: 'nobody' } })
  expect(status).toBe(404)
  expect(json).toEqual({
    message: 'Nobody here is nobody, administrator',
    code: 7,
    origin: 'x',
    detail: ['For nobody'],
  })
})

test('the first rule that fits counts, and null leaves the answer as it is', async () => {
  const { call } = await under({
    'learned-answers': [
      { operation: 'createUser', outcome: 'ok', when: ['email:missing'], answer },
      { operation: 'createUser', outcome: 'email-invalid', when: ['email:at'], answer: null },
      { outcome: 'email-invalid', when: [], answer: { ...answer, message: 'Bad address' } },
    ],
  })
  expect((await call('createUser', { body: { username: 'otto' } })).json).toEqual({ message: 'No' })
  const whole = { username: 'otto', email: 'otto@example.org' }
  expect((await call('createUser', { body: whole })).status).toBe(200)
  const broken = (email: string) => call('createUser', { body: { username: 'eva', email } })
  expect((await broken('eva')).json.message).toBe('Bad address')
  expect((await broken('eva@@')).json.message).toBe('The e-mail address is invalid')
})

test('the token of a disabled user is another thing than one that nobody has', async () => {
  const said = (when: string, message: string) => ({
    ...{ outcome: 'unauthenticated', when: [`authorization:${when}`] },
    answer: { ...answer, status: 401, message },
  })
  const { call } = await under({
    'disabled-caller-token': 'unauthenticated',
    'learned-answers': [said('disabled', 'Suspended'), said('unknown', 'Unknown'), said('none', 'Sign in')],
  })
  const told = async (...how: Parameters<typeof call>) => (await call(...how)).json.message
  expect(await told('getAccountPage', { as: 'disabled' })).toBe('Suspended')
  const headers = { authorization: 'Bearer of-nobody' }
  expect(await told('getAccountPage', { headers })).toBe('Unknown')
  expect(await told('getAccountPage', { as: null })).toBe('Sign in')
})

test('what a live tracker refuses changes nothing', async () => {
  const { tracker, call } = await under({
    'learned-answers': [{ operation: 'resetUser', outcome: 'ok', when: [], answer }],
  })
  expect((await call('resetUser', { path: { user_id: 'nina' } })).status).toBe(400)
  expect(tracker.diff()).toEqual({})
})

test('what a live tracker does in spite of a fault is done without what is at fault', async () => {
  const { tracker, call } = await under({
    'learned-answers': [{ outcome: 'email-invalid', when: [], answer: { ...answer, status: 200 } }],
  })
  const body = { realname: 'Nina N', email: 'no address' }
  expect((await call('updateUser', { path: { user_id: 'nina' }, body })).status).toBe(200)
  expect(tracker.db.users.find('username', 'nina')).toMatchObject({
    realname: 'Nina N',
    email: 'nina@example.org',
  })
})

test('a learnt 200 lends a level to those alone who were refused for want of one', async () => {
  const granted = { ...answer, status: 200 }
  const restricted = { as: 'reporter' } as const
  const { call } = await under({
    'learned-answers': [{ outcome: 'access-denied', when: [], answer: granted }],
  })
  const { status, json } = await call('listPlugins', restricted)
  expect(status).toBe(200)
  expect(json).not.toEqual({ done: {} })

  const other = await under({
    'check-order': 'values-first',
    'learned-answers': [{ outcome: 'email-invalid', when: [], answer: granted }],
  })
  const body = { username: 'otto', email: 'no address' }
  expect((await other.call('createUser', { ...restricted, body })).status).toBe(200)
  expect(other.tracker.db.users.find('username', 'otto')).toBeUndefined()
})

test('a form takes its values from what the emulator knows', async () => {
  const { call } = await under({
    'answer-shapes': {
      getUser: {
        ok: true,
        data: { loginName: { $from: 'subject.username' }, 'mail?': { $from: 'subject.email' } },
      },
      listCustomFields: { $from: 'lists.fields', $each: { fieldId: { $from: 'item.id' } } },
    },
  })
  expect((await call('getUser', { path: { user_id: 'nina' } })).json).toEqual({
    ok: true,
    data: { loginName: 'nina', mail: 'nina@example.org' },
  })
  expect((await call('getUser', { path: { user_id: 'silent' } })).json.data).toEqual({ loginName: 'silent' })
  expect((await call('listCustomFields')).json.slice(0, 2)).toEqual([{ fieldId: 1 }, { fieldId: 2 }])
})

test('a vocabulary stands in the place of the family', async () => {
  const { call } = await under({ 'accepted-values': { customFieldType: ['line', 'day'] } })
  const create = (name: string, type: string) =>
    call('createCustomField', { body: { custom_field: { name, type } } })
  expect((await create('One', 'line')).status).toBe(200)
  expect((await create('Two', 'string')).status).toBe(400)
})

test('types of lists of columns that stand in the place of the family have lists of their own', async () => {
  const { call } = await under({ 'accepted-values': { columnType: ['board', 'backlog'] } })
  const shown = (type: string, columns?: readonly string[]) =>
    call('manageColumns', { body: { project: { id: '1' }, type, columns } })
  expect((await shown('board', ['summary', 'id'])).status).toBe(200)
  expect(JSON.stringify((await shown('board')).json)).toContain('["summary","id"]')
  expect(JSON.stringify((await shown('backlog')).json)).not.toContain('["summary","id"]')
  expect((await shown('view')).status).toBe(400)
  const many = await under({ 'accepted-values': { columnType: ['a', 'b', 'c', 'd', 'e'] } })
  expect((await many.call('manageColumns', { body: { project: { id: '1' }, type: 'e' } })).status).toBe(200)
})

test('a text that repeats what the request does not have is not given', async () => {
  const about = (message: string) => ({
    outcome: 'project-not-found',
    when: [],
    answer: { ...answer, status: 404, message },
  })
  const { call } = await under({
    'learned-answers': [about('Project {body.project.id} not found'), about('No project {project}')],
  })
  const asked = async (project: unknown) => {
    const { status, json } = await call('manageColumns', { body: { project, type: 'view', columns: ['id'] } })
    return [status, json.message]
  }
  expect(await asked({ id: '987654' })).toEqual([404, 'Project 987654 not found'])
  expect(await asked('987654')).toEqual([404, 'No project 987654'])
})

test('a form may depend on who asks, and on whom', async () => {
  const shape = {
    $cases: [{ when: ['caller:other', '!subject:self'], shape: { who: { $from: 'subject.username' } } }],
    $else: { user: { name: { $from: 'subject.username' }, mail: { $from: 'subject.email' } } },
  }
  const { call } = await under({ 'answer-shapes': { getUser: shape }, 'get-user-permission': 'anyone' })
  const path = { user_id: 'nina' }
  expect((await call('getUser', { path })).json).toEqual({ user: { name: 'nina', mail: 'nina@example.org' } })
  expect((await call('getUser', { as: 'restricted', path })).json).toEqual({ who: 'nina' })
})

test('an object may have a member for each row, and a selection leave out members in some records, all but some', async () => {
  const table = { $from: 'subject.projects', $key: 'given_id', $each: { $from: 'item.level_name' } }
  const own = { userName: { $from: 'subject.username' }, mail: { $from: 'subject.email' } }
  const whole = { type: 'users', of: { id: { $from: 'subject.id' }, state: 'on', own } }
  const $select = { of: ['id', 'own'], 'of.own': [] }
  const { call } = await under({
    'answer-shapes': { addUserToProjects: table, getUser: { $cases: [], $else: whole, $select } },
  })
  const path = { user_id: 'nina' }
  const body = { project_ids: ['1'], access_level: 'developer' }
  expect((await call('addUserToProjects', { path, body })).json).toMatchObject({ 1: 'developer' })
  const { json } = await call('getUser', { path, query: '?select=user_name' })
  expect(json).toEqual({ type: 'users', of: { id: 10, own: { userName: 'nina' } } })
  const { json: all } = await call('getUser', { path, query: '?select=' })
  expect(all).toMatchObject({ type: 'users', of: { state: 'on', own: { userName: 'nina' } } })
})

test('words with gaps are told to nobody', async () => {
  const message = '{type.at} must be {type.wanted}'
  const { call } = await under({
    'learned-answers': [{ outcome: 'username-invalid', when: [], answer: { ...answer, message } }],
  })
  const { status, json } = await call('createUser', { body: { username: 'a,b' } })
  expect(status).toBe(400)
  expect(json.message).not.toContain('must be')
  expect(json.message).not.toBe('')
})

test('an answer may repeat the path, and write the name of a member its own way', async () => {
  const members = { instance: '/rest{url}', errors: { '{0|pascal}': ['The {0|words} field is wrong'] } }
  const { call } = await under({
    'learned-answers': [
      { outcome: 'invalid-value', when: ['about:access_level'], answer: { ...answer, members } },
    ],
  })
  const { json } = await call('createUser', { body: { username: 'otto', access_level: -1 } })
  expect(json).toEqual({
    message: 'No',
    instance: '/rest/plugins/Ext/users',
    errors: { AccessLevel: ['The access level field is wrong'] },
  })
})

test('a setting is listed under the name and with the value that it was given', async () => {
  const preferences = { $from: 'lists.preferences', $key: 'option', $each: { $from: 'item.value' } }
  const { call } = await under({
    'accepted-values': { userSetting: { theme: 'dark' } },
    'answer-shapes': { getUserSettingsPage: preferences },
  })
  const body = { configs: [{ option: 'theme', value: 'dark' }] }
  expect((await call('updateUserSettings', { body })).status).toBe(200)
  expect((await call('getUserSettingsPage')).json).toEqual({ theme: 'dark' })
})

test('columns are shown under the names that they were given, all of them before any are saved', async () => {
  const column = ['id', 'subject', 'owner']
  const { call } = await under({ 'accepted-values': { column }, 'columns-answer': 'list-only' })
  const place = { project: { id: '1' }, type: 'view' }
  const shown = async (body: object) => JSON.stringify((await call('manageColumns', { body })).json)
  expect(await shown(place)).toContain('["id","subject","owner"]')
  expect(await shown({ ...place, columns: ['owner', 'id'] })).toContain('["owner","id"]')
  expect(await shown(place)).toContain('["owner","id"]')
})

test('of a list, a text repeats the item that is not known', async () => {
  const { call } = await under({
    'learned-answers': [
      { outcome: 'columns-invalid', when: [], answer: { ...answer, message: 'No column {odd}' } },
    ],
  })
  const { json } = await call('manageColumns', { body: { type: 'view', columns: ['id', 'summary', 'none'] } })
  expect(json.message).toBe('No column none')
  const accepted = { column: ['id', 'title'] }
  const about = { outcome: 'columns-invalid', when: [], answer: { ...answer, message: 'No column {odd}' } }
  const other = await under({ 'accepted-values': accepted, 'learned-answers': [about] })
  const body = { type: 'view', columns: ['id', 'title', 'none'] }
  expect((await other.call('manageColumns', { body })).json.message).toBe('No column none')
  const settings = [
    { outcome: 'invalid-value', when: [], answer: { ...answer, message: 'No setting {odd}' } },
  ]
  const third = await under({ 'learned-answers': settings, 'ext-settings-unknown': 'invalid-value' })
  const { json: told } = await third.call('updateSettings', { body: [{ option: 'none', value: 1 }] })
  expect(told.message).toBe('No setting none')
})

test('a path that leads nowhere may be repeated from behind the extension segment on', async () => {
  const { tracker } = await under({
    'learned-answers': [{ outcome: 'unknown-path', when: [], answer: { ...answer, message: 'No {route}' } }],
  })
  const found = await sender(tracker)('/me/account/none')
  expect(await found.json()).toMatchObject({ message: 'No /me/account/none' })
})

test('what it has learnt of one operation leaves the values of another as the request gives them', async () => {
  const shape = { plugin: { $from: 'plugin' } }
  const { call } = await under({ 'answer-shapes': { installPlugin: shape } })
  const other = await under({})
  for (const body of [{ language: 'klingon' }, { realname: '  Two   words ' }, { username: 'nina' }]) {
    const asked = { path: { user_id: 'nina' }, body }
    expect(await call('updateUser', asked)).toEqual(await other.call('updateUser', asked))
  }
})
