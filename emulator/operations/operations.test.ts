/** What each operation does, and what it refuses, with all decisions at their defaults. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type OperationId, operationIds } from '../../conformance/contract/index.js'
import { type Call, type CallOptions, clientOf } from '../../fixtures/client.js'
import { createTracker, type Tracker } from '../index.js'

let tracker: Tracker
let call: Call

beforeEach(async () => {
  tracker = await createTracker({ now: () => new Date('2025-06-01T12:00:00Z') })
  call = clientOf(tracker)
})

const named = (username: string) => ({ path: { user_id: username } })
const userCalled = (username: string) => tracker.db.users.find('username', username)

/** Asks, and expects a refusal that leaves the state as it was. */
async function refused(id: OperationId, options: CallOptions, status: number, code?: number) {
  const unused = ({ tokens: _, ...rest }: ReturnType<Tracker['snapshot']>) => rest
  const before = unused(tracker.snapshot())
  const answer = await call(id, options)
  expect([answer.status, answer.json.code]).toEqual([status, code])
  expect(answer.json.message).toBeTypeOf('string')
  expect(unused(tracker.snapshot())).toEqual(before)
}

describe('every operation', () => {
  /** One request without a defect for each. */
  const valid: Readonly<Record<OperationId, CallOptions>> = {
    getAccountPage: {},
    changeOwnPassword: { body: { password_current: 'Sunny-Day-2024', password: 'Other-Word-1' } },
    getTokensPage: {},
    getUserSettingsPage: {},
    updateUserSettings: { body: { configs: [{ option: 'redirect_delay', value: '4' }] } },
    createUser: { body: { username: 'otto' } },
    getUserCreatePage: {},
    getUser: named('nina'),
    updateUser: { ...named('nina'), body: { realname: 'N' } },
    impersonateUser: named('nina'),
    getUserEditPage: named('nina'),
    addUserToProjects: { ...named('nina'), body: { project_ids: ['1'], access_level: 'reporter' } },
    resetUser: named('nina'),
    listCustomFields: {},
    createCustomField: { body: { custom_field: { name: 'New' } } },
    getCustomFieldCreatePage: {},
    updateCustomField: { path: { field_id: 1 }, body: { custom_field: { name: 'Client' } } },
    deleteCustomField: { path: { field_id: 1 } },
    getCustomFieldUpdatePage: { path: { field_id: 1 } },
    deleteHelpdeskRecipient: { path: { recipient_id: 1 } },
    manageColumns: { body: { type: 'view' } },
    updatePlugin: { path: { plugin_name: 'SourceGit' }, body: { priority: 4 } },
    installPlugin: { path: { plugin_name: 'Snippets' } },
    uninstallPlugin: { path: { plugin_name: 'SourceGit' } },
    listPlugins: {},
    updateSettings: { body: [{ option: 'page_size', value: 25 }] },
  }

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

  test.each(operationIds)('%s: takes the names of what all objects have for texts', async (id) => {
    const lenient = await createTracker({ decisions: { 'columns-type-values': 'long-too' } })
    for (const name of ['__proto__', 'constructor', 'toString'])
      for (const options of withOneText(valid[id], name) as CallOptions[])
        for (const ask of [call, clientOf(lenient)])
          expect((await ask(id, options)).status, JSON.stringify(options)).toBeLessThan(500)
    expect(Object.isFrozen(Object.prototype)).toBe(false)
  })
})

describe('own account', () => {
  test('the account page shows the user and what may be changed', async () => {
    const { json } = await call('getAccountPage', { as: 'developer' })
    expect(json.user).toMatchObject({ name: 'developer', language: 'english', timezone: 'Europe/Berlin' })
    expect(json.projects.map(({ name }: { name: string }) => name)).toEqual(['Website', 'Billing'])
    expect(json.flags.can_change_password).toBe(true)
  })

  test('a password is changed by whoever knows the present one', async () => {
    const change = (password_current: string, password: string) => ({
      as: 'password' as const,
      body: { password_current, password },
    })
    await refused('changeOwnPassword', change('wrong', 'Other-Word-1'), 403, 812)
    await refused('changeOwnPassword', change('Sunny-Day-2024', ''), 400, 11)
    expect((await call('changeOwnPassword', change('Sunny-Day-2024', 'Other-Word-1'))).status).toBe(200)
    await refused('changeOwnPassword', change('Sunny-Day-2024', 'Third-Word-1'), 403, 812)
    expect(userCalled('password')?.password).toBe('Other-Word-1')
  })

  test('the tokens page lists the own tokens without their secrets', async () => {
    const { json } = await call('getTokensPage')
    expect(json.tokens).toEqual([
      expect.objectContaining({ id: 1, name: 'command line', last_used_at: '2025-06-01T12:00:00+00:00' }),
      expect.objectContaining({ id: 2, name: 'nightly export', last_used_at: null }),
    ])
    expect(JSON.stringify(json)).not.toContain(tracker.tokens.administrator)
  })

  test('settings are saved all or none', async () => {
    const configs = [
      { option: 'redirect_delay', value: '7' },
      { option: 'language', value: 'french' },
    ]
    expect((await call('updateUserSettings', { body: { configs } })).status).toBe(200)
    const { json } = await call('getUserSettingsPage')
    expect(json.configs).toEqual(expect.arrayContaining(configs))
    const half = [
      { option: 'redirect_delay', value: '8' },
      { option: 'nothing', value: '1' },
    ]
    await refused('updateUserSettings', { body: { configs: half } }, 400, 100)
    await refused('updateUserSettings', { body: { configs: [] } }, 400, 11)
    await refused('updateUserSettings', { body: { configs: [{ option: 'language' }] } }, 400, 11)
    await refused(
      'updateUserSettings',
      { body: { configs: [{ option: 'timezone', value: 'Moon' }] } },
      400,
      29,
    )
  })
})

describe('users', () => {
  const body = { username: 'otto', email: 'otto@example.org', realname: ' Otto  O ', language: 'german' }

  test('a created user has what was asked for, an id of its own, and mail waiting', async () => {
    const { json } = await call('createUser', { body })
    expect(json.user).toMatchObject({
      id: 13,
      name: 'otto',
      real_name: 'Otto O',
      language: 'german',
      enabled: true,
    })
    expect((await call('getUser', named('13'))).json.users[0].name).toBe('otto')
    expect(tracker.db.notifications.rows).toMatchObject([{ kind: 'registration', to: 'otto@example.org' }])
  })

  test.each([
    [{ username: 'bad name!' }, 805],
    [{ username: 'x'.repeat(192) }, 805],
    [{ username: undefined }, 805],
    [{ username: 'NINA' }, 800],
    [{ username: 'Nina Neumann' }, 800],
    [{ email: 'none' }, 1200],
    [{ email: 'nina@EXAMPLE.org' }, 813],
    [{ email: 'otto@mailinator.com' }, 1201],
    [{ access_level: 33 }, 29],
    [{ enabled: 'yes' }, 29],
    [{ password: 'x'.repeat(1025) }, 29],
  ])('creation refuses %j', async (fields, code) => {
    await refused('createUser', { body: { ...body, ...fields } }, 400, code)
  })

  test('the last but one name of a user is free again after a renaming', async () => {
    expect((await call('updateUser', { ...named('nina'), body: { username: 'nora' } })).status).toBe(200)
    await refused('getUser', named('nina'), 404, 810)
    expect((await call('createUser', { body: { username: 'nina' } })).status).toBe(200)
  })

  test('select limits the fields', async () => {
    const { json } = await call('getUser', { ...named('nina'), query: '?select=id,Enabled,nothing' })
    expect(json.users).toEqual([{ id: 10, enabled: true }])
  })

  test('an own change of address waits for its owner', async () => {
    const self = { as: 'reporter', ...named('reporter') } as const
    const { json } = await call('updateUser', { ...self, body: { email: 'rita@example.org' } })
    expect(json.user).toMatchObject({ email: 'reporter@example.org', email_pending: 'rita@example.org' })
    expect(tracker.db.notifications.rows).toMatchObject([
      { kind: 'address-verification', to: 'rita@example.org' },
    ])
  })

  test('a notification tells what changed', async () => {
    await call('updateUser', { ...named('nina'), body: { realname: 'Nina N', notify_user: true } })
    expect(tracker.db.notifications.rows).toMatchObject([
      { kind: 'account-changed', changes: [{ field: 'realname', from: 'Nina Neumann', to: 'Nina N' }] },
    ])
  })

  test('a promoted user has no levels of single projects any more', async () => {
    await call('updateUser', { ...named('developer'), body: { access_level: 90 } })
    expect(tracker.db.memberships.rows.filter(({ user_id }) => user_id === 4)).toEqual([])
  })

  test('the edit page has the user, the choices, and what may be done', async () => {
    const { json } = await call('getUserEditPage', named('french'))
    expect(json.flags).toMatchObject({ can_reset: true, can_impersonate: true, is_locked: true })
    expect(json.other_projects).toHaveLength(3)
    expect(json.access_levels).toHaveLength(6)
  })

  test('an unknown user is not found, whatever is to be done', async () => {
    await refused('getUser', named('999'), 404, 811)
    await refused('impersonateUser', named('nobody'), 404, 810)
    await refused('resetUser', named('0'), 404, 811)
  })
})

describe('user administration', () => {
  test('an impersonated session acts as the user; the token keeps its owner', async () => {
    const { headers } = await call('impersonateUser', named('nina'))
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    const page = await call('getAccountPage', { as: null, headers: { cookie } })
    expect(page.json.user.name).toBe('nina')
    expect((await call('getAccountPage')).json.user.name).toBe('administrator')
  })

  test('a token that an impersonation switches speaks for the user until it asks for another one', async () => {
    await tracker.decide({ 'impersonate-effect': 'token-switches' })
    const whose = async () => (await call('getAccountPage')).json.user.name
    expect((await call('impersonateUser', named('nina'))).status).toBe(200)
    expect(await whose()).toBe('nina')
    await refused('listPlugins', {}, 403, 13)
    expect((await call('impersonateUser', named('reporter'))).status).toBe(200)
    expect(await whose()).toBe('reporter')
    await refused('impersonateUser', named('administrator'), 403, 13)
    expect(await whose()).toBe('administrator')
  })

  test('a token is no longer switched to a user who is disabled, or whose password is another', async () => {
    await tracker.decide({ 'impersonate-effect': 'token-switches', 'create-permission': 70 })
    for (const body of [{ password: 'Other-Word-1' }, { enabled: false }]) {
      await call('impersonateUser', named('nina'))
      expect((await call('getAccountPage')).json.user.name).toBe('nina')
      expect((await call('updateUser', { ...named('nina'), as: 'manager', body })).status).toBe(200)
      expect((await call('getAccountPage')).json.user.name).toBe('administrator')
    }
  })

  test('assignment writes all or nothing', async () => {
    const assign = (project_ids: unknown, access_level: unknown = 'updater') => ({
      ...named('nina'),
      body: { project_ids, access_level },
    })
    const { json } = await call('addUserToProjects', assign(['1', '3']))
    expect(json.projects.map(({ id }: { id: number }) => id)).toEqual([1, 3])
    await refused('addUserToProjects', assign(['2', '99']), 404, 700)
    await refused('addUserToProjects', assign(['x']), 400, 29)
    await refused('addUserToProjects', assign(['2'], 'emperor'), 400, 29)
    await refused('addUserToProjects', assign(undefined), 400, 11)
    await refused('addUserToProjects', { ...assign(['1', '2'], 'reporter'), as: 'developer' }, 403, 13)
    expect((await call('addUserToProjects', { ...assign(['1'], 'reporter'), as: 'developer' })).status).toBe(
      200,
    )
  })

  test('a reset gives a new password and mails a link; a locked protected account is unlocked', async () => {
    expect((await call('resetUser', named('nina'))).json.user.action).toBe('reset')
    expect(userCalled('nina')?.password).not.toBe('Sunny-Day-2024')
    expect(tracker.db.notifications.rows).toMatchObject([{ kind: 'password-reset' }])
    await refused('resetUser', named('kiosk'), 403, 12)
    await refused('resetUser', named('silent'), 400, 1902)
    const kiosk = userCalled('kiosk')
    if (kiosk) await tracker.db.users.change(kiosk, { failed_logins: 5 })
    expect((await call('resetUser', named('kiosk'))).json.user.action).toBe('unlock')
    expect(userCalled('kiosk')).toMatchObject({ failed_logins: 0, password: 'Sunny-Day-2024' })
  })
})

describe('custom fields', () => {
  const field = (custom_field: object, projects?: string[]) => ({ body: { custom_field, projects } })

  test('a field is created, linked, listed, changed and deleted', async () => {
    const created = await call(
      'createCustomField',
      field({ name: 'Size', type: 'list', possible_values: 's|m' }, ['1']),
    )
    const { id } = created.json.custom_field
    const path = { field_id: id }
    expect(created.json.custom_field).toMatchObject({ id: 16, display_report: false, projects: [{ id: 1 }] })
    await call('updateCustomField', { path, ...field({ display_report: true }, ['2']) })
    const { json } = await call('getCustomFieldUpdatePage', { path })
    expect(json.custom_field).toMatchObject({ name: 'Size', possible_values: 's|m', display_report: true })
    expect(json.custom_field.projects).toHaveLength(2)
    expect((await call('deleteCustomField', { path })).status).toBe(200)
    expect(tracker.db.customFieldLinks.rows.filter(({ field_id }) => field_id === id)).toEqual([])
    await refused('deleteCustomField', { path }, 404, 1300)
  })

  test.each([
    [{ name: '' }, 400, 11],
    [{ name: 'x'.repeat(65) }, 400, 28],
    [{ name: 'a,b' }, 400, 1307],
    [{ name: 'customer' }, 400, 1301],
    [{ name: 'New', type: 'sound' }, 400, 29],
    [{ name: 'New', type: 'date', default_value: 'soon' }, 400, 1306],
    [{ name: 'New', default_value: 'x'.repeat(256) }, 400, 28],
    [{ name: 'New', display_report: 'often' }, 400, 29],
  ])('a definition %j is refused', async (definition, status, code) => {
    await refused('createCustomField', field(definition), status, code)
    await refused('updateCustomField', { path: { field_id: 2 }, ...field(definition) }, status, code)
  })

  test('no field stays behind when a project does not exist', async () => {
    await refused('createCustomField', field({ name: 'New' }, ['1', '99']), 404, 700)
  })

  test('the list is ordered by what is asked for', async () => {
    const ids = async (query: string) =>
      (await call('listCustomFields', { query })).json.custom_fields.map(({ id }: { id: number }) => id)
    expect((await ids('')).slice(0, 2)).toEqual([6, 10])
    expect((await ids('?sort_by=id&sort_order=desc')).slice(0, 2)).toEqual([15, 14])
    await refused('listCustomFields', { query: '?sort_by=colour' }, 400, 20)
  })
})

describe('plugins', () => {
  const called = (plugin_name: string, body?: object) => ({
    path: { plugin_name },
    ...(body ? { body } : {}),
  })
  const listed = async () =>
    (await call('listPlugins')).json.plugins.map(({ basename }: { basename: string }) => basename)

  test('a plugin is installed, listed, changed and uninstalled', async () => {
    expect(await listed()).not.toContain('Snippets')
    expect((await call('installPlugin', called('Snippets'))).json.plugin).toMatchObject({
      enabled: true,
      priority: 3,
    })
    expect(await listed()).toContain('Snippets')
    await refused('installPlugin', called('Snippets'), 400, 2501)
    const { json } = await call('updatePlugin', called('Snippets', { priority: 5, protected: true }))
    expect(json.plugin).toMatchObject({ priority: 5, protected: true })
    await refused('uninstallPlugin', called('Snippets'), 403, 13)
    await call('updatePlugin', called('Snippets', { protected: false }))
    expect((await call('uninstallPlugin', called('Snippets'))).status).toBe(200)
    expect(await listed()).not.toContain('Snippets')
    await refused('uninstallPlugin', called('Snippets'), 400, 2500)
  })

  test('what is unknown, unmet, out of range or part of the tracker is refused', async () => {
    await refused('installPlugin', called('Nothing'), 404, 2500)
    await refused('installPlugin', called('Timeline'), 400, 2504)
    await refused('updatePlugin', called('SourceGit', { priority: 6 }), 400, 29)
    await refused('updatePlugin', called('Snippets', { priority: 2 }), 404, 2500)
    await refused('updatePlugin', called('MantisCore', { priority: 2 }), 403, 13)
  })
})

describe('recipients, columns and settings', () => {
  test('a recipient is deleted once', async () => {
    const path = { recipient_id: 3 }
    expect((await call('deleteHelpdeskRecipient', { path })).status).toBe(200)
    await refused('deleteHelpdeskRecipient', { path }, 404, 2511)
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

  test.each([
    [{ project: '99' }, 404, 700],
    [{ type: 'poster' }, 400, 29],
    [{ columns: [] }, 400, 2601],
    [{ columns: ['shoe_size'] }, 400, 2601],
    [{ columns: ['id', 'ID'] }, 400, 2600],
    [{ columns: 'id' }, 400, 29],
  ])('columns %j are refused', async (body, status, code) => {
    await refused('manageColumns', { body }, status, code)
  })

  test('settings are changed all or none, and null takes an override away', async () => {
    const value = (option: string) => tracker.db.extensionSettings.find('option', option)?.value
    await call('updateSettings', { body: [{ option: 'page_size', value: 25 }] })
    expect(value('page_size')).toBe(25)
    await call('updateSettings', { body: [{ option: 'page_size', value: null }] })
    expect(value('page_size')).toBe(50)
    const half = [
      { option: 'page_size', value: 30 },
      { option: 'nothing', value: 1 },
    ]
    await refused('updateSettings', { body: half }, 400, 100)
    await refused('updateSettings', { body: { option: 'page_size' } }, 400, 29)
    await refused('updateSettings', { body: [{ option: 'helpdesk_storage_path', value: '/' }] }, 400, 102)
  })
})
