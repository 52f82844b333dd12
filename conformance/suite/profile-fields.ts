/** Fields of the profile that a check may need. */
import type { Profile } from '../contract/index.js'

/** The dotted names of profile fields, as reasons of a skip give them. */
export const profileFields = {
  'tokens.restricted': (profile: Profile) => profile.tokens.restricted,
  'tokens.password': (profile: Profile) => profile.tokens.password,
  'tokens.disabled': (profile: Profile) => profile.tokens.disabled,
  passwordAccount: (profile: Profile) => profile.passwordAccount,
  user: (profile: Profile) => profile.user,
  'password.valid': (profile: Profile) => profile.password?.valid,
  emailDomain: (profile: Profile) => profile.emailDomain,
  accessLevel: (profile: Profile) => profile.accessLevel,
  projectAccessLevel: (profile: Profile) => profile.projectAccessLevel,
  projects: (profile: Profile) => (profile.projects?.length ? profile.projects : undefined),
  'customField.type': (profile: Profile) => profile.customField?.type,
  'customField.nameLimit': (profile: Profile) => profile.customField?.nameLimit,
  'customField.ids': (profile: Profile) =>
    profile.customField?.ids?.length ? profile.customField.ids : undefined,
  plugin: (profile: Profile) => profile.plugin,
  'plugin.priority': (profile: Profile) => profile.plugin?.priority,
  recipients: (profile: Profile) => (profile.recipients?.length ? profile.recipients : undefined),
  columns: (profile: Profile) => profile.columns,
  userSetting: (profile: Profile) => profile.userSetting,
  settings: (profile: Profile) => (profile.settings?.length ? profile.settings : undefined),
  'password.invalid': (profile: Profile) => profile.password?.invalid,
} as const

export type ProfileFields = typeof profileFields
export type ProfileField = keyof ProfileFields
