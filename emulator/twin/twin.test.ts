import { expect, test } from 'vitest'
import type { OperationId } from '../../conformance/contract/index.js'
import { type CallOptions, clientOf, sender } from '../../fixtures/client.js'
import type { LearnedRule } from '../decisions/learned.js'
import type { DecisionFile, DecisionInput } from '../index.js'
import { createTracker } from '../index.js'

async function under(decisions: DecisionInput | DecisionFile) {
  const tracker = await createTracker({ decisions })
  return { tracker, call: clientOf(tracker) }
}

/** What a live tracker answers where the emulator would say so. */
function rule(
  outcome: string,
  said: Partial<NonNullable<LearnedRule['answer']>> | null,
  rest: Pick<Partial<LearnedRule>, 'operation' | 'when'> = {},
): LearnedRule {
  const plain = { status: 400, code: null, message: 'No', members: {} }
  return { outcome, when: [], ...rest, answer: said && { ...plain, ...said } }
}

const answers = (...given: Parameters<typeof rule>): DecisionInput => ({
  'learned-answers': [rule(...given)],
})
const user = (user_id: string, rest: CallOptions = {}) => ({ path: { user_id }, ...rest })
const columns = (project: unknown, type: string, names?: readonly string[]) => ({
  body: { project, type, columns: names },
})

async function answered(decisions: DecisionInput, id: OperationId, options: CallOptions) {
  const { status, json } = await (await under(decisions)).call(id, options)
  return { status, json }
}

test('a text is filled with what the request says, and a member named its own way', async () => {
  const told = { code: 7, message: 'Nobody here is {path.user_id}, {caller.username}' }
  const missing = { ...told, status: 404, members: { origin: 'x', detail: ['For {path.user_id}'] } }
  const json = {
    code: 7,
    message: 'Nobody here is nobody, administrator',
    origin: 'x',
    detail: ['For nobody'],
  }
  const seen = await answered(answers('user-not-found-by-name', missing), 'getUser', user('nobody'))
  expect(seen).toMatchObject({ status: 404, json })
  const errors = { '{0|pascal}': ['The {0|words} field is wrong'] }
  const level = { when: ['about:access_level'] }
  const wrong = answers('invalid-value', { members: { instance: '/rest{url}', errors } }, level)
  const body = { username: 'otto', access_level: -1 }
  expect((await answered(wrong, 'createUser', { body })).json).toMatchObject({
    instance: '/rest/plugins/Ext/users',
    errors: { AccessLevel: ['The access level field is wrong'] },
  })
})

const nobody = (message: string, when: string[] = []) =>
  answers('user-not-found-by-name', { message }, { when })
const invalid = (message: string, when: string[] = []) => answers('invalid-value', { message }, { when })
const typed = invalid('{type.at} is no {type.wanted}, but {type.phrase}')
const field = { body: { custom_field: { name: 'Other', type: 'string' }, projects: 7 } }
const deep = invalid('{operation|words}: deep', ['body:deep'])
const nested = (levels: number) => ({ raw: '['.repeat(levels) + ']'.repeat(levels) })
const twice = nobody('Twice', ['body:repeated'])
const sent = (raw: string) => user('nobody', { raw })
const not = (text: string) => expect.stringMatching(`^(?!.*${text})`)
const column = answers('columns-invalid', { message: 'No column {odd}' })
const columnOfItsOwn = { ...column, 'accepted-values': { column: ['id', 'title'] } }
const among = (known: string) => columns(undefined, 'view', ['id', known, 'none'])
const option = answers('option-not-found', { message: 'No {odd}' }, { when: ['configs.option:unknown'] })
const optionOfItsOwn = { ...option, 'accepted-values': { userSetting: { density: '1' } } }
const density = { body: { configs: [{ option: 'density', value: '1' }] } }
const project = answers('project-not-found', { message: 'No project {project}' })
const gaps = answers('username-invalid', { message: '{type.at} must be {type.wanted}' })
test.each<[rule: string, DecisionInput, OperationId, CallOptions, told: unknown]>([
  ['the address as sent', nobody('No {url.sent}'), 'getUser', user('xé'), 'No /plugins/Ext/users/x%C3%A9'],
  ['a type with its article', typed, 'createCustomField', field, 'projects is no array, but an array'],
  ['above a hundred levels', deep, 'createCustomField', nested(101), 'create custom field: deep'],
  ['a member twice', twice, 'updateUser', sent('{"realname":"\\"a\\":","realname":"b"}'), 'Twice'],
  ['an unknown item', column, 'manageColumns', among('summary'), 'No column none'],
  ['an item unknown to the live tracker', columnOfItsOwn, 'manageColumns', among('title'), 'No column none'],
  ['an option', option, 'updateUserSettings', density, 'No density'],
  ['an option that the live tracker knows', optionOfItsOwn, 'updateUserSettings', density, undefined],
  ['a member', project, 'manageColumns', columns('987', 'view'), 'No project 987'],
  ['what the request lacks', gaps, 'createUser', { body: { username: 'a,b' } }, not('must')],
])('a rule about %s', async (_, decisions, id, options, told) => {
  expect((await answered(decisions, id, options)).json.message).toEqual(told)
})

test('the first rule that fits counts, and null leaves the answer as it is', async () => {
  const learned = [
    rule('ok', {}, { operation: 'createUser', when: ['email:missing'] }),
    rule('email-invalid', null, { operation: 'createUser', when: ['email:at'] }),
    rule('email-invalid', { message: 'Bad address' }),
  ]
  const { call } = await under({ 'learned-answers': learned })
  const create = async (username: string, email?: string) =>
    (await call('createUser', { body: { username, email } })).json.message
  expect(await create('otto')).toBe('No')
  expect(await create('otto', 'otto@example.org')).toBeUndefined()
  expect(await create('eva', 'eva')).toBe('Bad address')
  expect(await create('eva', 'eva@@')).toBe('The e-mail address is invalid')
})

test('the token of a disabled user is another thing than one that nobody has', async () => {
  const said = (when: string, message: string) =>
    rule('unauthenticated', { status: 401, message }, { when: [`authorization:${when}`] })
  const { call } = await under({
    'disabled-caller-token': 'unauthenticated',
    'learned-answers': [said('disabled', 'Suspended'), said('unknown', 'Unknown'), said('none', 'Sign in')],
  })
  const told = async (options: CallOptions) => (await call('getAccountPage', options)).json.message
  expect(await told({ as: 'disabled' })).toBe('Suspended')
  expect(await told({ headers: { authorization: 'Bearer of-nobody' } })).toBe('Unknown')
  expect(await told({ as: null })).toBe('Sign in')
})

test('what a live tracker does in spite of a fault is done without what is at fault', async () => {
  const { tracker, call } = await under(answers('email-invalid', { status: 200 }))
  const body = { realname: 'Nina N', email: 'no address' }
  expect((await call('updateUser', user('nina', { body }))).status).toBe(200)
  const nina = tracker.db.users.find('username', 'nina')
  expect(nina).toMatchObject({ realname: 'Nina N', email: 'nina@example.org' })
})

test('a learnt 200 lends a level to those alone who were refused for want of one', async () => {
  const { call } = await under(answers('access-denied', { status: 200 }))
  const { status, json } = await call('listPlugins', { as: 'reporter' })
  expect(status).toBe(200)
  expect(json).not.toEqual({ done: {} })

  const granted = answers('email-invalid', { status: 200 })
  const other = await under({ ...granted, 'check-order': 'values-first' })
  const body = { username: 'otto', email: 'no address' }
  expect((await other.call('createUser', { as: 'reporter', body })).status).toBe(200)
  expect(other.tracker.db.users.find('username', 'otto')).toBeUndefined()
})

test('a form takes its values from what the emulator knows', async () => {
  const data = { loginName: { $from: 'subject.username' }, 'mail?': { $from: 'subject.email' } }
  const listCustomFields = { $from: 'lists.fields', $each: { fieldId: { $from: 'item.id' } } }
  const { call } = await under({ 'answer-shapes': { getUser: { ok: true, data }, listCustomFields } })
  const nina = { ok: true, data: { loginName: 'nina', mail: 'nina@example.org' } }
  expect((await call('getUser', user('nina'))).json).toEqual(nina)
  expect((await call('getUser', user('silent'))).json.data).toEqual({ loginName: 'silent' })
  expect((await call('listCustomFields')).json.slice(0, 2)).toEqual([{ fieldId: 1 }, { fieldId: 2 }])
})

test('the types of a live tracker stand in the place of the family, and those of columns have lists of their own', async () => {
  const types = { customFieldType: ['line', 'day'], columnType: ['board', 'backlog'] }
  const { call } = await under({ 'accepted-values': types })
  const create = async (name: string, type: string) =>
    (await call('createCustomField', { body: { custom_field: { name, type } } })).status
  expect([await create('One', 'line'), await create('Two', 'string')]).toEqual([200, 400])
  const shown = async (type: string, names?: readonly string[]) => {
    const { status, json } = await call('manageColumns', columns({ id: '1' }, type, names))
    return [status, JSON.stringify(json).includes('["summary","id"]')]
  }
  await shown('board', ['summary', 'id'])
  expect(await shown('board')).toEqual([200, true])
  expect(await shown('backlog')).toEqual([200, false])
  expect(await shown('view')).toEqual([400, false])
})

test('a form may depend on who asks, and on whom', async () => {
  const shape = {
    $cases: [{ when: ['caller:other', '!subject:self'], shape: { who: { $from: 'subject.username' } } }],
    $else: { user: { name: { $from: 'subject.username' }, mail: { $from: 'subject.email' } } },
  }
  const { call } = await under({ 'answer-shapes': { getUser: shape }, 'get-user-permission': 'anyone' })
  const whole = { user: { name: 'nina', mail: 'nina@example.org' } }
  expect((await call('getUser', user('nina'))).json).toEqual(whole)
  expect((await call('getUser', user('nina', { as: 'restricted' }))).json).toEqual({ who: 'nina' })
})

test('an object may have a member for each row, and a selection leave out members in some records, all but some', async () => {
  const table = { $from: 'subject.projects', $key: 'given_id', $each: { $from: 'item.level_name' } }
  const own = { userName: { $from: 'subject.username' }, mail: { $from: 'subject.email' } }
  const whole = { type: 'users', of: { id: { $from: 'subject.id' }, state: 'on', own } }
  const $select = { of: ['id', 'own'], 'of.own': [] }
  const getUser = { $cases: [], $else: whole, $select }
  const { call } = await under({ 'answer-shapes': { addUserToProjects: table, getUser } })
  const body = { project_ids: ['1'], access_level: 'developer' }
  expect((await call('addUserToProjects', user('nina', { body }))).json).toMatchObject({ 1: 'developer' })
  const selected = async (query: string) => (await call('getUser', user('nina', { query }))).json
  const some = { type: 'users', of: { id: 10, own: { userName: 'nina' } } }
  expect(await selected('?select=user_name')).toEqual(some)
  const mail = 'nina@example.org'
  expect(await selected('?select=email')).toEqual({ type: 'users', of: { id: 10, own: { mail } } })
  expect(await selected('?select=')).toMatchObject({ of: { state: 'on', own: { userName: 'nina' } } })
})

test('a setting is listed under the name and with the value that it was given', async () => {
  const preferences = { $from: 'lists.preferences', $key: 'option', $each: { $from: 'item.value' } }
  const shapes = { 'answer-shapes': { getUserSettingsPage: preferences } }
  const { call } = await under({ 'accepted-values': { userSetting: { theme: 'dark' } }, ...shapes })
  const body = { configs: [{ option: 'theme', value: 'dark' }] }
  expect((await call('updateUserSettings', { body })).status).toBe(200)
  expect((await call('getUserSettingsPage')).json).toEqual({ theme: 'dark' })
})

test('columns are shown under the names that they were given, all of them before any are saved', async () => {
  const column = ['id', 'subject', 'owner']
  const { call } = await under({ 'accepted-values': { column }, 'columns-answer': 'list-only' })
  const shown = async (names?: readonly string[]) =>
    JSON.stringify((await call('manageColumns', columns({ id: '1' }, 'view', names))).json)
  expect(await shown()).toContain('["id","subject","owner"]')
  expect(await shown(['owner', 'id'])).toContain('["owner","id"]')
  expect(await shown()).toContain('["owner","id"]')
})

test('an operation that the learnt tracker does not have is answered like an unknown path, which may be repeated', async () => {
  const decisions = answers('unknown-path', { status: 404, message: 'No route {route}' })
  const learnt = { schema: 'tracker-kit/decisions@1', decisions, notImplemented: ['listPlugins'] } as const
  const { tracker, call } = await under(learnt)
  expect(await call('listPlugins')).toMatchObject({ status: 404, json: { message: 'No route /plugins' } })
  expect((await call('getAccountPage')).status).toBe(200)
  expect(tracker.violations).toEqual([])
  const unknown = await sender(tracker)('/me/account/none')
  expect(await unknown.json()).toMatchObject({ message: 'No route /me/account/none' })
})
