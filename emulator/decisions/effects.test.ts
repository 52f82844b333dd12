/**
 * Each entry of the ledger by its effect: one probe, which must see something else under each of the entry's values.
 * What it sees under all of them must be an answer that the interface allows.
 */
import { describe, expect, test } from 'vitest'
import { documentedStatuses, type OperationId } from '../../conformance/contract/index.js'
import { type Call, type Called, type CallOptions, clientOf } from '../../fixtures/client.js'
import { createTracker, type Tracker } from '../index.js'
import { type DecisionId, type DecisionInput, decisionIds, entry } from './index.js'
import { learned } from './learned.js'

interface Probed {
  readonly call: Call
  readonly tracker: Tracker
}

type Probe = (probed: Probed) => Promise<unknown>

const nina = { path: { user_id: 'nina' } }
const person = (fields: object = {}) => ({
  username: 'otto',
  email: 'otto@example.org',
  realname: 'Otto O',
  ...fields,
})

/** Status and number, or status and body. */
const seen = ({ status, json }: Called) => (status === 200 ? [200, json] : [status, json.code])

const asking =
  (operation: OperationId, options: CallOptions = {}): Probe =>
  async ({ call }) =>
    seen(await call(operation, options))

const creating = (fields: object): Probe => asking('createUser', { body: person(fields) })
const updating = (fields: object, options: CallOptions = nina): Probe =>
  asking('updateUser', { ...options, body: fields })
const self = (as: 'reporter' | 'manager' | 'administrator') => ({ as, path: { user_id: as } })
const field = (custom_field: object, rest: object = {}): Probe =>
  asking('createCustomField', { body: { custom_field, ...rest } })
const columns = (body: object, options: CallOptions = {}): Probe =>
  asking('manageColumns', { ...options, body })
const assigning = (body: object, options: CallOptions = nina): Probe =>
  asking('addUserToProjects', { ...options, body: { project_ids: ['1'], access_level: 'reporter', ...body } })
const setting = (option: string, value: unknown): Probe =>
  asking('updateUserSettings', { body: { configs: [{ option, value }] } })
const own = (body: object): Probe => asking('changeOwnPassword', { as: 'password', body })
const select =
  (value: string): Probe =>
  async ({ call }) =>
    seen(await call('getUser', { ...nina, query: `?select=${encodeURIComponent(value)}` }))
const plain =
  (method: string, path: string, headers: Record<string, string> = {}): Probe =>
  async ({ tracker }) => {
    const authorization = `Bearer ${tracker.tokens.administrator}`
    const request = new Request(tracker.baseUrl + path, { method, headers: { authorization, ...headers } })
    const { status } = await tracker.fetch(request)
    return status
  }
const mails: Probe = async ({ tracker }) =>
  tracker.db.notifications.rows.map(({ kind, changes }) => [kind, changes])
const then =
  (...steps: Probe[]): Probe =>
  async (probed) => {
    const all: unknown[] = []
    for (const step of steps) all.push(await step(probed))
    return all
  }
const change =
  (username: string, changes: object): Probe =>
  async ({ tracker }) => {
    const found = tracker.db.users.find('username', username)
    if (found) await tracker.db.users.change(found, changes)
  }

/** What is only ever learnt has no alternatives: the tests of learnt answers tell what it does. */
type Named = Exclude<DecisionId, keyof typeof learned>
const named = decisionIds.filter((id): id is Named => !Object.hasOwn(learned, id))

const probes: Readonly<Record<Named, Probe | readonly [Probe, DecisionInput]>> = {
  'error-body-members': async ({ call }) => [
    Object.keys((await call('getUser', { path: { user_id: 'nobody' } })).json),
    Object.keys((await call('getUser', { ...nina, as: null })).json),
  ],
  'error-code-numbers': asking('getUser', { path: { user_id: 'nobody' } }),
  'error-code-when-unmapped': asking('installPlugin', { path: { plugin_name: 'Nothing' } }),
  'error-localized-language': async ({ call }) =>
    (await call('getUser', { ...nina, as: 'developer' })).json.localized ?? null,
  'error-content-type': async ({ call }) => (await call('getUser', nina)).headers.get('content-type'),
  'unauthenticated-header': async ({ call }) =>
    (await call('getUser', { ...nina, as: null })).headers.get('www-authenticate'),
  'bearer-scheme-parsing': async ({ call, tracker }) =>
    (
      await call('getUser', {
        ...nina,
        headers: { authorization: `bearer   ${tracker.tokens.administrator}` },
      })
    ).status,
  'disabled-caller-token': asking('getAccountPage', { as: 'disabled' }),
  'low-level-caller': then(change('viewer', { access_level: 5 }), asking('getAccountPage', { as: 'viewer' })),
  'impersonation-header': async ({ call }) =>
    (await call('getAccountPage', { headers: { 'x-mantis-username': 'nina' } })).json.user.name,
  'unknown-path-order': plain('GET', '/plugins/Ext/nothing', { authorization: 'Bearer x' }),
  'trailing-slash': plain('GET', '/plugins/Ext/plugins/'),
  'wrong-method': plain('DELETE', '/plugins/Ext/plugins'),
  'malformed-json': asking('createUser', { raw: '{' }),
  'missing-content-type': asking('createUser', { body: person(), headers: { 'content-type': null } }),
  'body-where-none': asking('resetUser', { ...nina, body: { password: 'x' } }),
  'empty-object-body': then(updating({}), columns({})),
  'wrong-json-types': then(updating({ realname: 'New', access_level: '40' }), updating({ realname: 5 })),
  'null-member': updating({ realname: 'New', email: null }),
  'unknown-members': updating({ realname: 'New', nickname: 'x' }),
  'check-order': then(
    asking('createUser', { as: 'reporter', body: { email: 'none' } }),
    asking('updateUser', { as: 'reporter', ...nina, body: { email: 'none' } }),
  ),
  'success-envelope': asking('getUser', nina),
  'write-success-body': updating({ realname: 'New' }),
  'page-content': asking('getCustomFieldCreatePage'),
  'answer-member-order': async ({ call }) => JSON.stringify((await call('getUser', nina)).json),
  'answer-extra-members': asking('getUser', nina),
  'enum-in-response': asking('getUser', nina),
  'date-format': asking('getUser', nina),
  'x-mantis-headers': async ({ call }) => [
    (await call('getUser', nina)).headers.get('x-mantis-username'),
    (await call('getUser', { path: { user_id: 'nobody' } })).headers.get('x-mantis-username'),
  ],
  'cache-and-etag': async ({ call }) => {
    const { headers } = await call('listPlugins')
    return [headers.get('cache-control'), headers.get('etag')]
  },

  'user-segment-rule': then(
    change('nina', { username: '5' }),
    change('silent', { username: '777' }),
    asking('getUser', { path: { user_id: 5 } }),
    asking('getUser', { path: { user_id: 777 } }),
  ),
  'user-segment-me': asking('getUser', { path: { user_id: 'me' } }),
  'user-id-zero-negative': then(
    asking('getUser', { path: { user_id: 0 } }),
    asking('resetUser', { path: { user_id: 0 } }),
  ),
  'user-not-found-number': asking('getUser', { path: { user_id: 'nobody' } }),
  'username-case': asking('getUser', { path: { user_id: 'NINA' } }),
  'id-existence-leak': then(
    asking('getUser', { as: 'reporter', path: { user_id: 'nobody' } }),
    asking('getUser', { ...nina, as: 'reporter' }),
  ),
  'get-user-permission': asking('getUser', { ...nina, as: 'reporter' }),
  'get-user-disabled': [
    asking('getUser', { as: 'reporter', path: { user_id: 'former' } }),
    { 'get-user-permission': 'anyone' },
  ],
  'get-user-sensitive': [asking('getUser', { ...nina, as: 'reporter' }), { 'get-user-permission': 'anyone' }],
  'select-location': async ({ call }) =>
    seen(
      await call('getUser', { ...nina, query: '?select=id&select[]=name', headers: { 'x-select': 'email' } }),
    ),
  'select-default': asking('getUser', nina),
  'select-unknown': select('id,shoe_size'),
  'select-empty': select(''),
  'select-normalisation': select('id, NAME'),
  'select-without-id': select('name'),
  'user-field-names': asking('getUser', nina),
  'user-empty-fields': asking('getUser', { path: { user_id: 'silent' } }),
  'user-extra-fields': asking('getUser', nina),
  'user-language-value': asking('getUser', nina),

  'create-permission': asking('createUser', { as: 'manager', body: person({ access_level: 25 }) }),
  'create-username-rules': async ({ call }) => {
    const names = ['a b', ' trimmed', 'x'.repeat(70)]
    const bodies = names.map((username, index) => person({ username, email: `mail${index}@example.org` }))
    return Promise.all(bodies.map(async (body) => (await call('createUser', { body })).status))
  },
  'create-username-required': asking('createUser', { body: { email: 'otto@example.org' } }),
  'create-username-unique': creating({ username: 'nina' }),
  'username-vs-realname': async ({ call }) =>
    (await call('createUser', { body: person({ username: 'Nina Neumann' }) })).status,
  'create-email-rules': then(
    creating({ email: 'a b@c' }),
    creating({ email: 'o@localhost' }),
    updating({ email: 'ö@x.de' }),
  ),
  'create-email-blank': then(updating({ email: '' }), updating({ email: '' }, self('reporter'))),
  'create-email-unique': creating({ email: 'Nina@Example.org' }),
  'create-email-disposable': creating({ email: 'otto@mailinator.com' }),
  'create-access-level-default': creating({}),
  'access-level-values': creating({ access_level: 33 }),
  'access-level-form': creating({ access_level: { name: 'updater' } }),
  'access-level-above-own': creating({ access_level: 90 }),
  'create-password-given': then(
    creating({ password: 'Given-Password-1' }),
    async ({ tracker }) => tracker.db.users.find('username', 'otto')?.password === 'Given-Password-1',
  ),
  'create-password-current': creating({ password_current: 'Sunny-Day-2024' }),
  'create-password-missing': then(
    creating({}),
    async ({ tracker }) => tracker.db.users.find('username', 'otto')?.password === '',
  ),
  'create-language-timezone': creating({ language: 'klingon' }),
  'create-notify-flag': then(creating({ notify_user: false }), mails),
  'create-validation-order': creating({ username: 'nina', email: 'none' }),
  'create-client-preferred': creating({ client_preferred: true }),
  'create-avatar': async ({ call, tracker }) => [
    (await call('createUser', { body: person({ avatar: 'x'.repeat(70_000) }) })).status,
    tracker.db.users.find('username', 'otto')?.avatar?.length,
  ],
  'create-id-assignment': creating({}),
  'realname-rules': then(creating({ realname: 'a<b' }), updating({ realname: 'x'.repeat(300) })),
  'mail-mode': then(creating({}), mails),
  'mail-and-events': then(creating({}), mails),
  'update-self-rights': then(
    updating({ username: 'rita' }, self('reporter')),
    updating({ realname: 'R' }, self('reporter')),
  ),
  'update-others-rights': updating({ realname: 'Second' }, { path: { user_id: 'second.admin' } }),
  'update-protected-target': then(
    updating({ realname: 'K' }, { path: { user_id: 'kiosk' } }),
    updating({ protected: false }, { path: { user_id: 'kiosk' } }),
  ),
  'update-unchanged-forbidden-field': updating({ enabled: true }, self('reporter')),
  'update-email-self': updating({ email: 'rita@example.org' }, self('reporter')),
  'update-last-admin': then(
    updating({ enabled: false }, { path: { user_id: 'second.admin' } }),
    updating({ enabled: false }, self('administrator')),
  ),
  'update-promotion': then(
    updating({ access_level: 90 }, { path: { user_id: 'developer' } }),
    async ({ tracker }) => tracker.db.memberships.rows.length,
  ),
  'notify-default': async (probed) => {
    const { tracker } = probed
    await updating({ realname: 'New' })(probed)
    await updating({ protected: true })(probed)
    return tracker.db.notifications.rows.length
  },

  'password-rules': then(
    own({ password_current: 'Sunny-Day-2024', password: 'sevenup' }),
    own({ password_current: 'sevenup', password: 'Sunny-Day-2024' }),
    own({ password_current: 'Sunny-Day-2024', password: 'short' }),
    own({ password_current: 'short', password: 'longbutplain' }),
    own({ password_current: 'Sunny-Day-2024', password: 'longbutplain' }),
    own({ password_current: 'longbutplain', password: 'password' }),
  ),
  'password-current-wrong': own({ password_current: 'wrong', password: 'Other-Word-1' }),
  'password-current-missing': then(
    own({ password: 'Other-Word-1' }),
    updating({ password: 'Other-Word-1' }, self('reporter')),
  ),
  'password-blank-new': updating({ password: '' }),
  'password-same': own({ password_current: 'Sunny-Day-2024', password: 'Sunny-Day-2024' }),
  'password-effects': [
    then(
      asking('impersonateUser', { path: { user_id: 'password' } }),
      own({ password_current: 'Sunny-Day-2024', password: 'Other-Word-1' }),
      async ({ tracker }) => tracker.db.tokens.rows.filter(({ user_id }) => user_id === 9).length,
    ),
    { 'impersonate-effect': 'cookie' },
  ],
  'password-protected': asking('changeOwnPassword', {
    as: 'protected',
    body: { password_current: 'Sunny-Day-2024', password: 'Other-Word-1' },
  }),
  'update-password-who': then(
    updating({ password: 'Other-Word-1' }),
    updating({ password: 'Other-Word-1', password_current: 'Sunny-Day-2024' }),
    asking('updateUser', {
      as: 'password',
      path: { user_id: 'password' },
      body: { password: 'Other-Word-1' },
    }),
  ),
  'impersonate-permission': then(
    asking('impersonateUser', { ...nina, as: 'manager' }),
    asking('impersonateUser', nina),
  ),
  'impersonate-self': asking('impersonateUser', { path: { user_id: 'administrator' } }),
  'impersonate-disabled': asking('impersonateUser', { path: { user_id: 'former' } }),
  'impersonate-higher': [
    asking('impersonateUser', { as: 'manager', path: { user_id: 'second.admin' } }),
    { 'impersonate-permission': 70 },
  ],
  'impersonate-protected': asking('impersonateUser', { path: { user_id: 'kiosk' } }),
  'impersonate-chain-end': [
    async ({ call }) => {
      const { json } = await call('impersonateUser', { path: { user_id: 'second.admin' } })
      return seen(
        await call('impersonateUser', { ...nina, headers: { authorization: `Bearer ${json.user.token}` } }),
      )
    },
    { 'impersonate-effect': 'token' },
  ],
  'impersonate-effect': async ({ call }) => {
    const { json, headers } = await call('impersonateUser', nina)
    return [typeof json.user.token, headers.has('set-cookie')]
  },
  'reset-protected': then(
    asking('resetUser', { path: { user_id: 'kiosk' } }),
    change('kiosk', { failed_logins: 5 }),
    asking('resetUser', { path: { user_id: 'kiosk' } }),
  ),
  'reset-last-admin': then(
    change('second.admin', { enabled: false }),
    asking('resetUser', { path: { user_id: 'administrator' } }),
  ),
  'reset-self': asking('resetUser', { path: { user_id: 'administrator' } }),
  'reset-disabled': asking('resetUser', { path: { user_id: 'former' } }),
  'reset-no-email': asking('resetUser', { path: { user_id: 'silent' } }),
  'reset-effect': then(asking('resetUser', { path: { user_id: 'reporter' } }), async ({ tracker }) => [
    tracker.db.users.find('username', 'reporter')?.password === 'Sunny-Day-2024',
    tracker.db.tokens.rows.length,
  ]),

  'projadd-permission': then(assigning({}, { ...nina, as: 'developer' })),
  'projadd-mixed-rights': assigning({ project_ids: ['1', '2'] }, { ...nina, as: 'developer' }),
  'projadd-unknown-project': assigning({ project_ids: ['1', '99'] }),
  'projadd-bad-id': assigning({ project_ids: ['web'] }),
  'projadd-empty-list': assigning({ project_ids: [] }),
  'projadd-missing-fields': asking('addUserToProjects', { ...nina, body: { project_ids: ['1'] } }),
  'projadd-level-form': async ({ call }) => {
    const statuses: number[] = []
    for (const access_level of ['25', 'reporter', 'Reporter'])
      statuses.push(
        (await call('addUserToProjects', { ...nina, body: { project_ids: ['1'], access_level } })).status,
      )
    return statuses
  },
  'projadd-level-invalid': then(assigning({ access_level: '33' }), assigning({ access_level: '-1' })),
  'projadd-integers': assigning({ project_ids: [1] }),
  'projadd-existing': then(assigning({ access_level: '25' }), assigning({ access_level: '40' })),
  'projadd-target-kind': assigning({ project_ids: ['4'] }),
  'me-protected': then(
    asking('getAccountPage', { as: 'protected' }),
    asking('updateUserSettings', {
      as: 'protected',
      body: { configs: [{ option: 'refresh_delay', value: '20' }] },
    }),
  ),
  'account-page-content': asking('getAccountPage'),
  'tokens-content': then(
    async ({ tracker }) => {
      const nightly = tracker.db.tokens.find('id', 2)
      if (nightly) await tracker.db.tokens.change(nightly, { used_at: '2999-01-01T00:00:00Z' })
    },
    async ({ call }) => {
      const { json } = await call('getTokensPage')
      return json.tokens.map(({ id, token }: { id: number; token?: string }) => [id, token])
    },
  ),
  'settings-options': asking('getUserSettingsPage'),
  'settings-unknown-option': setting('shoe_size', '44'),
  'settings-empty-configs': asking('updateUserSettings', { body: { configs: [] } }),
  'settings-value-type': async ({ call }) =>
    (await call('updateUserSettings', { body: { configs: [{ option: 'redirect_delay', value: 3 }] } }))
      .status,
  'settings-value-invalid': setting('bugnote_order', 'UP'),
  'settings-atomic': asking('updateUserSettings', {
    body: {
      configs: [
        { option: 'bugnote_order', value: 'ASC' },
        { option: 'bugnote_order', value: 'DESC' },
      ],
    },
  }),
  'settings-refresh-clamp': setting('refresh_delay', '3'),
  'own-timezone-default': asking('getUserSettingsPage'),
  'ext-settings-permission': asking('updateSettings', { as: 'manager', body: [] }),
  'ext-settings-element': async ({ call }) => {
    const forms = [
      { option: 'page_size', value: 9 },
      { name: 'page_size', value: 9 },
      { key: 'page_size', value: 9 },
      { page_size: 9 },
    ]
    return Promise.all(forms.map(async (form) => (await call('updateSettings', { body: [form] })).status))
  },
  'ext-settings-not-array': asking('updateSettings', { body: {} }),
  'ext-settings-empty': asking('updateSettings', { body: [] }),
  'ext-settings-unknown': asking('updateSettings', { body: [{ option: 'nothing', value: 1 }] }),
  'ext-settings-value': asking('updateSettings', { body: [{ option: 'page_size', value: 'many' }] }),
  'ext-settings-readonly': asking('updateSettings', {
    body: [{ option: 'helpdesk_storage_path', value: '/' }],
  }),

  'cf-permission': then(
    asking('listCustomFields', { as: 'viewer' }),
    asking('getCustomFieldCreatePage', { as: 'manager' }),
  ),
  'cf-list-order': async ({ call }) =>
    (await call('listCustomFields')).json.custom_fields.map(({ id }: { id: number }) => id),
  'cf-list-paging': asking('listCustomFields', { query: '?page_size=2&page=2' }),
  'cf-sort-params': async ({ call }) => {
    const { json } = await call('listCustomFields', {
      query: '?sort_by=id',
      headers: { 'x-sort-by': 'type' },
    })
    return json.custom_fields.map(({ id }: { id: number }) => id)
  },
  'cf-sort-invalid': asking('listCustomFields', { query: '?sort_by=colour' }),
  'cf-record': asking('listCustomFields'),
  'cf-object-missing': asking('createCustomField', { body: {} }),
  'cf-name-missing': field({ type: 'string' }),
  'cf-name-length': then(field({ name: 'x'.repeat(50) }), field({ name: 'y'.repeat(100) })),
  'cf-name-over-limit': field({ name: 'x'.repeat(70) }),
  'cf-name-unique': field({ name: 'CUSTOMER' }),
  'cf-name-comma': field({ name: 'one, two' }),
  'cf-name-trim': field({ name: ' <b>Bold</b> ' }),
  'cf-type-form': async ({ call }) =>
    Promise.all(
      ['3', 'enum'].map(
        async (type) =>
          (await call('createCustomField', { body: { custom_field: { name: type, type } } })).status,
      ),
    ),
  'cf-type-missing': field({ name: 'Odd' }),
  'cf-type-invalid': field({ name: 'Odd', type: 'sound' }),
  'cf-possible-values': field({ name: 'Size', type: 'list' }),
  'cf-default-value': field({ name: 'Size', type: 'list', possible_values: 's|m', default_value: 'xl' }),
  'cf-flag-defaults': field({ name: 'Plain' }),
  'cf-update-merge': asking('updateCustomField', {
    path: { field_id: 4 },
    body: { custom_field: { name: 'Effect' } },
  }),
  'cf-type-change': asking('updateCustomField', {
    path: { field_id: 12 },
    body: { custom_field: { type: '1' } },
  }),
  'cf-projects-create': field({ name: 'Linked' }, { projects: ['1', '99'] }),
  'cf-projects-update': asking('updateCustomField', {
    path: { field_id: 1 },
    body: { custom_field: {}, projects: ['3'] },
  }),
  'cf-delete-linked': asking('deleteCustomField', { path: { field_id: 1 } }),
  'cf-bad-id': asking('deleteCustomField', { path: { field_id: 'abc' } }),
  'plugin-permission': asking('listPlugins', { as: 'manager' }),
  'plugin-list-set': asking('listPlugins'),
  'plugin-record': asking('listPlugins'),
  'plugin-unknown': asking('installPlugin', { path: { plugin_name: 'Nothing' } }),
  'plugin-name-match': asking('installPlugin', { path: { plugin_name: 'snippets' } }),
  'plugin-priority-range': async ({ call }) =>
    Promise.all(
      [0, 4, 10].map(
        async (priority) =>
          (await call('updatePlugin', { path: { plugin_name: 'SourceGit' }, body: { priority } })).status,
      ),
    ),
  'plugin-update-partial': [
    then(
      asking('updatePlugin', { path: { plugin_name: 'Helpdesk' }, body: { unknown: true } }),
      asking('updatePlugin', { path: { plugin_name: 'Helpdesk' }, body: {} }),
    ),
    { 'empty-object-body': 'accepted' },
  ],
  'plugin-update-not-installed': asking('updatePlugin', {
    path: { plugin_name: 'Snippets' },
    body: { priority: 2 },
  }),
  'plugin-update-forced': asking('updatePlugin', {
    path: { plugin_name: 'MantisCore' },
    body: { priority: 2 },
  }),
  'plugin-install-again': asking('installPlugin', { path: { plugin_name: 'SourceGit' } }),
  'plugin-install-deps': asking('installPlugin', { path: { plugin_name: 'Timeline' } }),
  'plugin-install-defaults': then(
    asking('updatePlugin', { path: { plugin_name: 'SourceGit' }, body: { priority: 1 } }),
    asking('uninstallPlugin', { path: { plugin_name: 'SourceGit' } }),
    asking('installPlugin', { path: { plugin_name: 'SourceGit' } }),
  ),
  'plugin-uninstall-absent': asking('uninstallPlugin', { path: { plugin_name: 'Snippets' } }),
  'plugin-uninstall-protected': asking('uninstallPlugin', { path: { plugin_name: 'Helpdesk' } }),
  'recipient-permission': asking('deleteHelpdeskRecipient', { as: 'manager', path: { recipient_id: 1 } }),
  'recipient-unknown': asking('deleteHelpdeskRecipient', { path: { recipient_id: 99 } }),
  'recipient-bad-id': asking('deleteHelpdeskRecipient', { path: { recipient_id: 'x' } }),
  'columns-project-form': then(columns({ type: 'view' }), columns({ project: { id: 1 } })),
  'columns-project-hidden': columns({ project: '3' }, { as: 'restricted' }),
  'columns-project-unknown': columns({ project: '99' }),
  'columns-type-values': then(columns({ type: 'csv' }), columns({ type: 'view_issues' })),
  'columns-type-invalid': columns({ type: 'poster' }),
  'columns-empty-list': then(columns({ project: '1', columns: [] }), columns({ project: '1' })),
  'columns-invalid': columns({ columns: ['id', 'shoe_size'] }),
  'columns-duplicate': then(columns({ columns: ['id', 'ID'] }), columns({ columns: ['id', 'id'] })),
  'columns-answer': columns({ columns: ['id'] }),
  'columns-known-set': columns({ columns: ['id', 'eta'] }),
  'columns-scope': then(columns({ project: '2', columns: ['id'] }), columns({ project: '3' })),
  'page-permissions': asking('getUserCreatePage', { as: 'developer' }),
  'page-level-list': [
    async ({ call }) => (await call('getUserCreatePage', { as: 'manager' })).json.access_levels.length,
    { 'create-permission': 70 },
  ],
}

/** A clock that stands still, so that two trackers can be compared. */
const now = () => new Date('2025-06-01T12:00:00Z')

describe.each(named)('%s', (id) => {
  const given = probes[id]
  const [probe, others] = typeof given === 'function' ? [given, {}] : given
  const { default: fallback, alternatives } = entry(id)
  const values: readonly unknown[] = [fallback, ...alternatives]

  test('shows in what a client sees', async () => {
    const effects = new Map<string, unknown>()
    for (const value of values) {
      const tracker = await createTracker({ decisions: { ...others, [id]: value }, now })
      const effect = JSON.stringify((await probe({ tracker, call: clientOf(tracker) })) ?? null)
      expect(
        effects.get(effect),
        `${JSON.stringify(value)} looks like another value: ${effect}`,
      ).toBeUndefined()
      effects.set(effect, value)
      for (const { response, path } of tracker.journal) {
        const legal = id === 'wrong-method' ? [...documentedStatuses, 405] : documentedStatuses
        expect(legal, `${JSON.stringify(value)}: ${path}`).toContain(response.status)
      }
    }
  })
})
