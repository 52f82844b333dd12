/** For each operation, a request that succeeds on a tracker in its starting state. */
import type { OperationId, Profile } from '../../conformance/contract/index.js'
import type { Collections } from '../state/store.js'

export interface Example {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  /** The role of the caller; default administrator. */
  readonly as?: string
}

export function examplesOf(profile: Profile, db: Collections): Readonly<Record<OperationId, Example>> {
  const user = { user_id: profile.user?.username ?? db.users.rows[0]?.username ?? '1' }
  const [disposable = db.customFields.rows[0]?.id ?? 1] = profile.customField?.ids ?? []
  const field = { field_id: String(disposable) }
  const recipient = { recipient_id: String(profile.recipients?.[0] ?? 1) }
  const available = { plugin_name: profile.plugin?.name ?? '' }
  const removable = db.plugins.rows.findLast(
    ({ installed, forced, protected: kept }) => installed && !forced && !kept,
  )
  const installed = { plugin_name: removable?.basename ?? available.plugin_name }
  const [project = '1'] = profile.projects ?? []
  const { current: password_current = '', next: password = '' } = profile.passwordAccount ?? {}
  const otto = { username: 'otto', realname: 'Otto Example', email: 'otto@example.org' }
  return {
    getAccountPage: {},
    changeOwnPassword: { as: 'password', body: { password_current, password } },
    getTokensPage: {},
    getUserSettingsPage: {},
    updateUserSettings: { body: { configs: [profile.userSetting] } },
    createUser: { body: { ...otto, access_level: profile.accessLevel } },
    getUserCreatePage: {},
    getUser: { path: user, query: 'select=id,username' },
    updateUser: { path: user, body: { realname: 'Another Name', notify_user: true } },
    impersonateUser: { path: user },
    getUserEditPage: { path: user },
    addUserToProjects: {
      path: user,
      body: { project_ids: [project], access_level: profile.projectAccessLevel },
    },
    resetUser: { path: user },
    listCustomFields: { query: 'sort_by=name&sort_order=desc' },
    createCustomField: {
      body: { custom_field: { name: 'Severity', type: profile.customField?.type }, projects: [project] },
    },
    getCustomFieldCreatePage: {},
    updateCustomField: { path: field, body: { custom_field: { name: 'Reference', display_report: true } } },
    deleteCustomField: { path: field },
    getCustomFieldUpdatePage: { path: field },
    deleteHelpdeskRecipient: { path: recipient },
    manageColumns: { body: profile.columns },
    updatePlugin: { path: installed, body: { protected: false, priority: 3 } },
    installPlugin: { path: available },
    uninstallPlugin: { path: installed },
    listPlugins: {},
    updateSettings: { body: profile.settings },
  }
}

/** Existing names for the parameters of paths. */
export function namesOf(db: Collections): Readonly<Record<string, readonly string[]>> {
  return {
    user_id: db.users.rows.map(({ username }) => username),
    field_id: db.customFields.rows.map(({ id }) => String(id)),
    recipient_id: db.recipients.rows.map(({ id }) => String(id)),
    plugin_name: db.plugins.rows.map(({ basename }) => basename),
  }
}
