/** Success bodies under the default decisions. The document shows none, so other trackers have other ones. */
import type { OperationId } from '../conformance/contract/operations.js'
import type { CustomField, Plugin } from './state/records.js'

type Named = { id: number; name: string }

/** A level, the type of a field, or the visibility of a project. */
type Choice = Named & { label: string }

type Texts<Name extends string> = Record<Name, string>
type Limits<Name extends string> = { limits: Record<Name, number> }
type Flags<Name extends string> = { flags: Record<Name, boolean> }
type Options<Value> = { configs: { option: string; value: Value }[] }

/** The times are ISO 8601. */
type ShownUser = Named & { access_level: Choice } & Texts<'language' | 'timezone' | 'created_at'>

/** The user and callers who manage users see these members, unless they are empty. */
type Personal = Partial<Texts<'real_name' | 'email' | 'email_pending' | 'avatar'>> & {
  client_preferred?: boolean
}

type UserFlags = Record<'enabled' | 'protected', boolean>
type UserAnswer = ShownUser & Personal
type WrittenUser = { user: UserAnswer & UserFlags }
type UserInProjects = { user: UserAnswer & UserFlags & { projects: Named[] } }

type UserForm = { access_levels: Choice[] } & Record<'languages' | 'timezones', string[]> &
  Limits<'username' | 'realname'>

type Leveled = 'type' | 'access_level_r' | 'access_level_rw'
type FieldRecord = Omit<CustomField, Leveled> & Record<Leveled, Choice> & { projects: Named[] }
type FieldAnswer = { custom_field: FieldRecord }
type FieldForm = Record<'types' | 'access_levels', Choice[]> & { projects: Named[] } & Limits<
    'name' | 'default_value'
  >

type PluginRecord = Omit<Plugin, 'installed' | 'forced'>
type PluginAnswer = { plugin: PluginRecord }

type OwnFlag = 'can_change_password' | 'can_change_email' | 'can_change_realname' | 'can_delete'
type EditFlag = 'can_reset' | 'can_disable' | 'can_impersonate' | 'can_notify' | 'is_locked'

/** Answers by operation: `Responses['getUser']`. */
export interface Responses extends Record<OperationId, object> {
  getAccountPage: WrittenUser & {
    projects: (Named & { description: string; view_state: Choice; level: Choice })[]
  } & Limits<'password'> &
    Flags<OwnFlag | 'email_needs_verification'>
  changeOwnPassword: { user: Named }
  getTokensPage: {
    tokens: (Named & { created_at: string; last_used_at: string | null })[]
  } & Limits<'name'> &
    Flags<'can_create' | 'can_revoke'>
  getUserSettingsPage: Options<string> &
    Record<'languages' | 'timezones' | 'fonts', string[]> &
    Limits<'min_refresh_delay'>
  updateUserSettings: Options<string>
  createUser: UserInProjects
  getUserCreatePage: UserForm & {
    user: UserFlags & { access_level: Choice }
  } & Flags<'can_set_password' | 'can_notify'>
  getUser: { users: UserAnswer[] }
  updateUser: WrittenUser
  impersonateUser: { user: Named & { access_level: Choice; impersonated_by: string } }
  getUserEditPage: UserInProjects &
    UserForm & {
      failed_logins: number
      last_visit: string | null
      other_projects: Named[]
      project_levels: { project: Named; level: number; view_state: Choice }[]
    } & Flags<EditFlag>
  addUserToProjects: { projects: { id: number; access_level: Choice }[] }
  resetUser: { user: Named & { action: 'reset' | 'unlock' } }
  listCustomFields: { custom_fields: FieldRecord[] }
  createCustomField: FieldAnswer
  getCustomFieldCreatePage: { custom_field: Omit<CustomField, 'id'> } & FieldForm & Flags<'can_link'>
  updateCustomField: FieldAnswer
  deleteCustomField: { custom_field: { id: number } }
  getCustomFieldUpdatePage: FieldAnswer & FieldForm & Flags<'can_delete' | 'can_change_type'>
  deleteHelpdeskRecipient: { recipient: { id: number } }
  /** Project 0 stands for all projects. `available_columns` is there if the request has no `columns`. */
  manageColumns: {
    columns: { project: Named; type: string; columns: string[]; available_columns?: string[] }
  }
  updatePlugin: PluginAnswer
  installPlugin: PluginAnswer
  uninstallPlugin: { plugin: { basename: string; installed: boolean } }
  listPlugins: { plugins: PluginRecord[] }
  updateSettings: Options<unknown>
}
