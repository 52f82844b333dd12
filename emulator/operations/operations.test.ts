/** What each operation does, and what it refuses, with all decisions at their defaults. */
import { expect, expectTypeOf, test } from 'vitest'
import type { Example } from '../../conformance/contract/example.js'
import { successes } from '../../conformance/contract/examples.js'
import { type OperationId, operationIds } from '../../conformance/contract/index.js'
import { type Call, type CallOptions, clientOf } from '../../fixtures/client.js'
import { call, start, startEach, tracker } from '../../fixtures/each.js'
import { createTracker, type Responses } from '../index.js'

startEach()

const password = 'Sunny-Day-2024'
const user = (user_id: string, body?: object) => ({ path: { user_id }, ...(body ? { body } : {}) })
const own = (password_current: string, next: string) =>
  ({ as: 'password', body: { password_current, password: next } }) as const
const configs = (...pairs: [option: string, value?: string][]) => ({
  body: { configs: pairs.map(([option, value]) => ({ option, value })) },
})
const otto = (fields: object) => ({
  body: { username: 'otto', email: 'otto@example.org', realname: ' Otto  O ', language: 'german', ...fields },
})
const assign = (project_ids: unknown, access_level: unknown = 'updater') =>
  user('nina', { project_ids, access_level })
const field = (custom_field: object, projects?: string[]) => ({ body: { custom_field, projects } })
const plugin = (plugin_name: string, body?: object) => ({ path: { plugin_name }, ...(body ? { body } : {}) })
const settings = (...pairs: [option: string, value: unknown][]) => ({
  body: pairs.map(([option, value]) => ({ option, value })),
})
const stored = (username: string) => tracker.db.users.find('username', username.toLowerCase())
const mail = () => tracker.db.notifications.rows
const answered = async (...[id, options]: Parameters<Call>) => {
  const { status, json } = await call(id, options)
  return [status, json.code]
}

/** Expects a refusal that leaves the state as it was, but for the time at which a token was used. */
async function refused(id: OperationId, options: CallOptions, status: number, code?: number) {
  const before = tracker.snapshot()
  const answer = await call(id, options)
  expect([answer.status, answer.json.code]).toEqual([status, code])
  expect(answer.json.message).toBeTypeOf('string')
  expect(tracker.diff(before)).toEqual({})
  expect(tracker.snapshot().lastIds).toEqual(before.lastIds)
}

test.each<[OperationId, CallOptions, status: number, code?: number]>([
  // Before an operation is reached, there is no number.
  ['getAccountPage', { headers: { 'x-mantis-username': 'nobody' } }, 404],
  ['changeOwnPassword', own('wrong', 'Other-Word-1'), 403, 812],
  ['changeOwnPassword', own(password, ''), 400, 11],
  ['changeOwnPassword', own(password, 'x'.repeat(1025)), 400, 29],
  ['updateUserSettings', configs(['redirect_delay', '8'], ['nothing', '1']), 400, 100],
  ['updateUserSettings', configs(), 400, 11],
  ['updateUserSettings', configs(['timezone', 'Moon']), 400, 29],
  ['createUser', otto({ username: 'NINA' }), 400, 800],
  ['createUser', otto({ email: 'nina@EXAMPLE.org' }), 400, 813],
  ['createUser', otto({ enabled: 'yes' }), 400, 29],
  ['getUser', user('999'), 404, 811],
  ['addUserToProjects', assign(['2', '99']), 404, 700],
  // The ids are looked at before the projects.
  ['addUserToProjects', assign(['999', 'x']), 400, 29],
  ['addUserToProjects', assign(['2'], 'emperor'), 400, 29],
  ['addUserToProjects', assign(undefined), 400, 11],
  ['listCustomFields', { query: '?sort_by=colour' }, 400, 20],
  ['deleteCustomField', { path: { field_id: 99 } }, 404, 1300],
  ['deleteHelpdeskRecipient', { path: { recipient_id: 99 } }, 404, 2511],
  ['installPlugin', plugin('Nothing'), 404, 2500],
  ['installPlugin', plugin('SourceGit'), 400, 2501],
  ['installPlugin', plugin('Timeline'), 400, 2504],
  ['updatePlugin', plugin('SourceGit', { priority: 6 }), 400, 29],
  ['uninstallPlugin', plugin('Snippets'), 400, 2500],
  ['manageColumns', { body: { columns: ['id', 'ID'] } }, 400, 2600],
  ['manageColumns', { body: { columns: ['id', 'id', 'nonsense'] } }, 400, 2601],
  // Of a project that the caller may not see, nothing else is looked at.
  ['manageColumns', { as: 'restricted', body: { project: { id: 3 }, type: 'nonsense' } }, 403, 13],
  ['updateSettings', settings(['page_size', 30], ['nothing', 1]), 400, 100],
  ['updateSettings', { body: { option: 'page_size' } }, 400, 29],
  ['updateSettings', settings(['helpdesk_storage_path', '/']), 400, 102],
])('%s refuses %j by %i, %s', refused)

test.each([
  [{ name: '' }, 11],
  [{ name: 'x'.repeat(65) }, 28],
  [{ name: 'a,b' }, 1307],
  [{ name: 'customer' }, 1301],
  [{ name: 'New', type: 'sound' }, 29],
  [{ name: 'New', type: 'date', default_value: 'soon' }, 1306],
  [{ name: 'New', default_value: 'x'.repeat(256) }, 28],
  [{ name: 'New', display_report: 'often' }, 29],
])('a definition %j of a field is refused, new or changed', async (definition, code) => {
  await refused('createCustomField', field(definition), 400, code)
  await refused('updateCustomField', { path: { field_id: 2 }, ...field(definition) }, 400, code)
})

test.each<[OperationId, CallOptions, told: string, code: number]>([
  ['createUser', { body: { email: 'nonsense' } }, 'a missing username', 805],
  ['createUser', { body: { username: 'otto', email: 'x@mailinator.com' } }, 'a taken address', 813],
  ['updateUser', user('nina', { username: 'Ünal', email: 'nonsense' }), 'a taken username', 800],
  ['updateUser', user('nina', { email: 'x@mailinator.com' }), 'a disposable address', 1201],
  ['updateUser', user('nina', { email: 'nonsense', access_level: 3 }), 'an invalid address', 1200],
])('of several errors, %s %j tells %s', async (id, options, _, code) => {
  const users = [{ username: 'thrower', email: 'x@mailinator.com', realname: 'Ünal' }]
  await start({ seed: { users } })
  await refused(id, options, 400, code)
})

/** All copies of the value in which one text is another. */
function withOneText(value: unknown, by: string): unknown[] {
  if (typeof value === 'string') return [by]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    withOneText(inner, by).map((changed) =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed },
    ),
  )
}

test.each(operationIds)('%s takes the names of what all objects have for texts', async (id) => {
  const lenient = await createTracker({ decisions: { 'columns-type-values': 'long-too' } })
  const { path, body }: Example = successes[id]
  for (const name of ['__proto__', 'constructor', 'toString'])
    for (const options of withOneText({ path, body }, name) as CallOptions[])
      for (const ask of [call, clientOf(lenient)])
        expect((await ask(id, options)).status, JSON.stringify(options)).toBeLessThan(500)
  expect(Object.isFrozen(Object.prototype)).toBe(false)
})

test('the account page and the edit page show projects, and how the account is used', async () => {
  const edit = async (name: string) => (await call('getUserEditPage', user(name))).json
  const { json } = await call('getAccountPage', { as: 'developer' })
  const billing = { name: 'Billing', view_state: { id: 50, name: 'private' } }
  expect(json.projects).toMatchObject([{ view_state: { name: 'public' } }, billing])
  const flags = { can_reset: true, can_impersonate: true, is_locked: true }
  expect(await edit('french')).toMatchObject({ failed_logins: 5, last_visit: null, flags })
  expect((await edit('developer')).project_levels[1].view_state.name).toBe('private')
  expect((await edit('manager')).last_visit).toBe('2025-05-01T16:40:00+00:00')
})

test('an own change of address waits for its owner, and the present address leaves it alone', async () => {
  const change = (body: object) => call('updateUser', { as: 'reporter', ...user('reporter', body) })
  const { json } = await change({ email: 'rita@example.org' })
  expect(json.user).toMatchObject({ email: 'reporter@example.org', email_pending: 'rita@example.org' })
  expect(mail()).toMatchObject([{ kind: 'address-verification', to: 'rita@example.org' }])
  await change({ email: 'reporter@example.org', realname: 'R' })
  expect(stored('reporter')).toMatchObject({ realname: 'R', email_pending: 'rita@example.org' })
})

test('a new password drops the address that waits, unless the same request asks for a new one', async () => {
  const pending = (body: object) =>
    call('updateUser', { as: 'password', ...user('password', { email: 'p@new.org', ...body }) })
  await pending({})
  await call('changeOwnPassword', own(password, 'Other-Word-1'))
  expect(stored('password')).toMatchObject({ password: 'Other-Word-1', email_pending: null })
  await pending({ password_current: 'Other-Word-1', password })
  expect(stored('password')).toMatchObject({ password, email_pending: 'p@new.org' })
  await call('updateUser', user('password', { password: 'Third-Word-1' }))
  expect(stored('password')).toMatchObject({ password: 'Third-Word-1', email_pending: null })
})

test('fields of an update that say what is so already count as absent, valid or not', async () => {
  const users = [{ username: 'silent' }, { username: 'Ünal', email: 'u@mailinator.com' }]
  await start({ seed: { users, tokens: [{ user_id: 'silent' }] } })
  const headers = { authorization: 'Bearer token-of-silent' }
  const silent = { as: null, headers, ...user('silent', { email: '', realname: 'S' }) } as const
  expect(await answered('updateUser', silent)).toEqual([200, undefined])
  expect(stored('silent')).toMatchObject({ email: '', realname: 'S' })
  const body = { username: 'Ünal', email: 'u@mailinator.com', realname: 'U' }
  expect(await answered('updateUser', user('Ünal', body))).toEqual([200, undefined])
  expect(stored('Ünal')).toMatchObject(body)
})

const whose = async () => (await call('getAccountPage')).json.user.name

test('a token that an impersonation switches speaks for the user until it asks for another one', async () => {
  await tracker.decide({ 'impersonate-effect': 'token-switches' })
  expect((await call('impersonateUser', user('nina'))).status).toBe(200)
  expect(await whose()).toBe('nina')
  await refused('listPlugins', {}, 403, 13)
  expect((await call('impersonateUser', user('reporter'))).status).toBe(200)
  expect(await whose()).toBe('reporter')
  expect(await answered('impersonateUser', user('administrator'))).toEqual([403, 13])
  expect(await whose()).toBe('administrator')
})

const ending = [{ password: 'Other-Word-1' }, { enabled: false }]
test.each(ending)('a token is no longer switched to a user after %j', async (body) => {
  await tracker.decide({ 'impersonate-effect': 'token-switches', 'create-permission': 70 })
  await call('impersonateUser', user('nina'))
  expect(await whose()).toBe('nina')
  expect((await call('updateUser', { ...user('nina', body), as: 'manager' })).status).toBe(200)
  expect(await whose()).toBe('administrator')
})

test('a reset gives a new password; a locked protected account is unlocked', async () => {
  expect((await call('resetUser', user('nina'))).json.user.action).toBe('reset')
  expect(stored('nina')?.password).not.toBe(password)
  const kiosk = stored('kiosk')
  if (kiosk) await tracker.db.users.change(kiosk, { failed_logins: 5 })
  expect((await call('resetUser', user('kiosk'))).json.user.action).toBe('unlock')
  expect(stored('kiosk')).toMatchObject({ failed_logins: 0, password })
})

test('columns belong to the caller, the project and the type', async () => {
  const columns = async (body: object, as: 'administrator' | 'reporter' = 'administrator') =>
    (await call('manageColumns', { as, body })).json.columns.columns
  await columns({ project: { id: '2' }, columns: ['summary', 'id', 'custom_Customer'] })
  expect(await columns({ project: '2' })).toEqual(['summary', 'id', 'custom_Customer'])
  expect(await columns({ project: '2', type: 'csv' })).toContain('date_submitted')
  expect(await columns({ project: '2' }, 'reporter')).toContain('selection')
  expect(await columns({ project: '1' })).toEqual(['id', 'status', 'summary', 'last_updated'])
})

test('null takes the override of a setting away, and of the file too', async () => {
  for (const value of [25, null]) await call('updateSettings', settings(['page_size', value]))
  expect(tracker.db.extensionSettings.find('option', 'page_size')?.value).toBe(50)
  expect((await call('updateSettings', settings(['helpdesk_storage_path', null]))).status).toBe(200)
})

type Answers = { readonly [K in OperationId]: (typeof successes)[K]['answer'] }

/** The answer with `select` shows less. */
type Whole = Omit<Answers, 'getUser'> & { readonly getUser: (typeof successes)['getUser']['unselected'] }

// The compiler compares the types of the answers with the examples, which another test compares with the emulator.
test('each answer is of its type', () => {
  expectTypeOf<Whole>().toExtend<{ readonly [K in OperationId]: Widened<Responses[K]> }>()
})

/** The examples are no constants: their texts are of any value. */
type Widened<T> = T extends string ? string : T extends object ? { [K in keyof T]: Widened<T[K]> } : T
