/** The record of a user in answers. */
import { dateValue, idsAndNames, levelValue, managesUsers, maySee } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { languageOf, preference, timezoneOf } from '../request/preferences.js'
import type { User } from '../state/store.js'

const shownValue = {
  id: (_, user) => user.id,
  name: (_, user) => user.username,
  real_name: (c, user) =>
    personal(c, user, user.realname, c.decisions['get-user-sensitive'] === 'real-name-to-all'),
  email: (c, user) => personal(c, user, user.email, false),
  access_level: (c, user) => levelValue(c, user.access_level),
  language: (c, user) =>
    c.decisions['user-language-value'] === 'raw'
      ? (preference(c.store, user, 'language') ?? 'auto')
      : languageOf(c.store, user),
  timezone: timezoneOf,
  created_at: (c, user) => dateValue(c, user.created_at),
  email_pending: (c, user) => extra(c, user, user.email_pending),
  client_preferred: (c, user) => extra(c, user, user.client_preferred),
  avatar: (c, user) => extra(c, user, user.avatar),
  enabled: (_, user) => user.enabled,
  protected: (_, user) => user.protected,
  projects: (c, user) => idsAndNames(c.store.db.projects.rows.filter((project) => maySee(c, user, project))),
} satisfies Record<string, (c: AdmittedCall, user: User) => unknown>

export type UserField = keyof typeof shownValue

const allFields = Object.keys(shownValue) as UserField[]
const standard = allFields.slice(0, allFields.indexOf('email_pending'))
const extras = ['email_pending', 'client_preferred', 'avatar'] as const
const flags = ['enabled', 'protected'] as const

const requestNames: Readonly<Partial<Record<UserField, string>>> = { name: 'username', real_name: 'realname' }

export const fieldCalled = (name: string) =>
  allFields.find((field) => field === name || requestNames[field] === name)

const fieldsByDefault: Readonly<Record<string, readonly UserField[]>> = {
  standard: [...standard, ...extras],
  everything: allFields,
  'with-flags': [...standard, ...flags, ...extras],
  'with-projects': [...standard, 'projects', ...extras],
}

export const defaultFields = (c: AdmittedCall): readonly UserField[] =>
  fieldsByDefault[c.decisions['select-default']] ?? allFields

/** The fields in the answers to creations and updates: all that these can set. */
export const writtenFields: readonly UserField[] = [...standard, ...flags, ...extras]

export function userRecord(c: AdmittedCall, user: User, fields: readonly UserField[]) {
  const record: Record<string, unknown> = {}
  for (const field of fields) {
    const value = shownValue[field](c, user)
    if (value === undefined) continue
    const requested = requestNames[field]
    const how = requested === undefined ? 'family' : c.decisions['user-field-names']
    if (how !== 'request') record[field] = value
    if (requested !== undefined && how !== 'family') record[requested] = value
  }
  return record
}

const knows = (c: AdmittedCall, user: User) => c.caller.id === user.id || managesUsers(c)

function personal(c: AdmittedCall, user: User, value: string, open: boolean): unknown {
  if (!open && !knows(c, user))
    return c.decisions['get-user-sensitive'] === 'null-for-others' ? null : undefined
  if (value !== '') return value
  return { omitted: undefined, 'empty-string': '', null: null }[c.decisions['user-empty-fields']]
}

function extra(c: AdmittedCall, user: User, value: unknown): unknown {
  if (!knows(c, user)) return undefined
  const shown = { 'when-present': value ?? undefined, always: value, never: undefined }
  return shown[c.decisions['user-extra-fields']]
}
