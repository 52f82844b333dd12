/** The records that a tracker stores. */
import { z } from 'zod'

const id = z.int().positive()
const date = z.iso.datetime()

/** An object with the same value for each name. */
export const each = <T, Name extends string>(value: T, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, T>

export const user = z.object({
  id,
  username: z.string().min(1),
  ...each(z.string(), 'realname', 'email'),
  /** A new address that the user has not confirmed yet. */
  email_pending: z.string().nullable(),
  /** Plain text, since the emulator has nothing to protect and tests compare passwords. Never part of an answer. */
  password: z.string(),
  access_level: z.int().min(0).max(100),
  ...each(z.boolean(), 'enabled', 'protected'),
  client_preferred: z.boolean().nullable(),
  avatar: z.string().nullable(),
  failed_logins: z.int().min(0),
  created_at: date,
  last_visit: date.nullable(),
})

export const token = z.object({
  id,
  user_id: id,
  name: z.string(),
  secret: z.string().min(1),
  /** `api`: created by a person; the others are sessions that an impersonation started. */
  kind: z.enum(['api', 'cookie', 'bearer']),
  created_at: date,
  used_at: date.nullable(),
  /** The user as whom the token acts, if an impersonation switched it. */
  acting_as: id.nullable().optional(),
})

export const project = z.object({
  id,
  name: z.string().min(1),
  description: z.string(),
  ...each(z.boolean(), 'enabled', 'public'),
})

export const membership = z.object({ user_id: id, project_id: id, access_level: z.int().min(0).max(100) })

export const customField = z.object({
  id,
  name: z.string().min(1),
  type: z.int().min(0).max(10),
  ...each(z.string(), 'possible_values', 'default_value', 'valid_regexp'),
  ...each(z.int(), 'access_level_r', 'access_level_rw', 'length_min', 'length_max'),
  ...each(z.boolean(), 'display_report', 'display_update', 'display_resolved', 'display_closed'),
  ...each(z.boolean(), 'require_report', 'require_update', 'require_resolved', 'require_closed'),
  filter_by: z.boolean(),
})

export const customFieldLink = z.object({ field_id: id, project_id: id, sequence: z.int() })

const versions = z.record(z.string(), z.string())

export const plugin = z.object({
  basename: z.string().min(1),
  ...each(z.string(), 'name', 'version', 'description', 'author', 'contact', 'url', 'page'),
  /** The lowest version of each required plugin, by its name. */
  requires: versions,
  uses: versions,
  ...each(z.boolean(), 'installed', 'enabled', 'protected'),
  priority: z.int(),
  /** A part of the tracker: always installed, and cannot be managed. */
  forced: z.boolean(),
  needs_upgrade: z.boolean(),
})

export const recipient = z.object({ id, name: z.string(), email: z.string() })

export const columnConfiguration = z.object({
  user_id: id,
  /** 0: all projects. */
  project_id: z.int().min(0),
  type: z.enum(['view', 'print', 'csv', 'excel']),
  columns: z.array(z.string()),
})

export const userSetting = z.object({ user_id: id, option: z.string().min(1), value: z.string() })

export const extensionSetting = z.object({
  option: z.string().min(1),
  default: z.json(),
  value: z.json(),
  /** Only the configuration file on the server may set it. */
  file_only: z.boolean(),
})

/** Mail that a real tracker would have sent. Nothing is sent. */
export const notification = z.object({
  id,
  at: date,
  kind: z.enum(['registration', 'account-changed', 'address-verification', 'password-reset']),
  user_id: id,
  to: z.string(),
  changes: z.array(z.object({ field: z.string(), from: z.string(), to: z.string() })),
})

export type User = z.infer<typeof user>
export type Token = z.infer<typeof token>
export type Project = z.infer<typeof project>
export type CustomField = z.infer<typeof customField>
export type Plugin = z.infer<typeof plugin>
export type Recipient = z.infer<typeof recipient>
export type UserSetting = z.infer<typeof userSetting>
export type ExtensionSetting = z.infer<typeof extensionSetting>
export type Notification = z.infer<typeof notification>

/** The highest ids ever used: an id is never used twice. */
export const lastIds = z.strictObject(each(z.int().min(0), 'user', 'token', 'customField', 'notification'))

export type LastIds = z.infer<typeof lastIds>
