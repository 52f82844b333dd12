/**
 * The emulator's success bodies under its default decisions. The document shows no success bodies, so other decisions
 * and other trackers have other ones.
 */
import type { OperationId } from '../conformance/contract/operations.js'
import type { CustomField, Plugin } from './state/records.js'

interface Named {
  readonly id: number
  readonly name: string
}

/** A level, the type of a field, or the visibility of a project. */
interface Choice extends Named {
  readonly label: string
}

/** `real_name` and `email` are there for the user and for callers who manage users, unless they are empty. */
interface UserAnswer extends Named {
  readonly real_name?: string
  readonly email?: string
  readonly access_level: Choice
  readonly language: string
  readonly timezone: string
  /** ISO 8601, as are all times. */
  readonly created_at: string
  readonly email_pending?: string
  readonly client_preferred?: boolean
  readonly avatar?: string
}

interface WrittenUser extends UserAnswer {
  readonly enabled: boolean
  readonly protected: boolean
}

interface UserForm {
  readonly access_levels: readonly Choice[]
  readonly languages: readonly string[]
  readonly timezones: readonly string[]
  readonly limits: { readonly username: number; readonly realname: number }
}

interface FieldAnswer extends Omit<CustomField, 'type' | 'access_level_r' | 'access_level_rw'> {
  readonly type: Choice
  readonly access_level_r: Choice
  readonly access_level_rw: Choice
  readonly projects: readonly Named[]
}

interface FieldForm {
  readonly types: readonly Choice[]
  readonly access_levels: readonly Choice[]
  readonly projects: readonly Named[]
  readonly limits: { readonly name: number; readonly default_value: number }
}

type PluginAnswer = Omit<Plugin, 'installed' | 'forced'>
type Flags<Name extends string> = { readonly flags: Readonly<Record<Name, boolean>> }
type Of<Name extends string, Value> = { readonly [K in Name]: Value }
type Options<Value> = readonly { readonly option: string; readonly value: Value }[]

/** Answers by operation: `Responses['getUser']`. */
export interface Responses extends Record<OperationId, object> {
  getAccountPage: Of<'user', WrittenUser> &
    Of<'projects', readonly (Named & { description: string; view_state: Choice; level: Choice })[]> &
    Of<'limits', { password: number }> &
    Flags<
      | 'can_change_password'
      | 'can_change_email'
      | 'can_change_realname'
      | 'can_delete'
      | 'email_needs_verification'
    >
  changeOwnPassword: Of<'user', Named>
  getTokensPage: Of<'tokens', readonly (Named & { created_at: string; last_used_at: string | null })[]> &
    Of<'limits', { name: number }> &
    Flags<'can_create' | 'can_revoke'>
  getUserSettingsPage: Of<'configs', Options<string>> &
    Of<'languages' | 'timezones' | 'fonts', readonly string[]> &
    Of<'limits', { min_refresh_delay: number }>
  updateUserSettings: Of<'configs', Options<string>>
  createUser: Of<'user', WrittenUser & { projects: readonly Named[] }>
  getUserCreatePage: Of<'user', Pick<WrittenUser, 'access_level' | 'enabled' | 'protected'>> &
    UserForm &
    Flags<'can_set_password' | 'can_notify'>
  getUser: Of<'users', readonly UserAnswer[]>
  updateUser: Of<'user', WrittenUser>
  impersonateUser: Of<'user', Named & { access_level: Choice; impersonated_by: string }>
  getUserEditPage: Of<'user', WrittenUser & { projects: readonly Named[] }> &
    UserForm & { failed_logins: number; last_visit: string | null; other_projects: readonly Named[] } & Of<
      'project_levels',
      readonly { project: Named; level: number; view_state: Choice }[]
    > &
    Flags<'can_reset' | 'can_disable' | 'can_impersonate' | 'can_notify' | 'is_locked'>
  addUserToProjects: Of<'projects', readonly { id: number; access_level: Choice }[]>
  resetUser: Of<'user', Named & { action: 'reset' | 'unlock' }>
  listCustomFields: Of<'custom_fields', readonly FieldAnswer[]>
  createCustomField: Of<'custom_field', FieldAnswer>
  getCustomFieldCreatePage: Of<'custom_field', Omit<CustomField, 'id'>> & FieldForm & Flags<'can_link'>
  updateCustomField: Of<'custom_field', FieldAnswer>
  deleteCustomField: Of<'custom_field', { id: number }>
  getCustomFieldUpdatePage: Of<'custom_field', FieldAnswer> &
    FieldForm &
    Flags<'can_delete' | 'can_change_type'>
  deleteHelpdeskRecipient: Of<'recipient', { id: number }>
  /** Project 0 stands for all projects. `available_columns` is there if the request has no `columns`. */
  manageColumns: Of<
    'columns',
    { project: Named; type: string; columns: readonly string[]; available_columns?: readonly string[] }
  >
  updatePlugin: Of<'plugin', PluginAnswer>
  installPlugin: Of<'plugin', PluginAnswer>
  uninstallPlugin: Of<'plugin', { basename: string; installed: boolean }>
  listPlugins: Of<'plugins', readonly PluginAnswer[]>
  updateSettings: Of<'configs', Options<unknown>>
}
