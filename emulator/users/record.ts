/** How a user is shown. */

import { levelValue, managesUsers, maySee } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { dateValue } from '../request/dates.js'
import { languageOf, preference, timezoneOf } from '../request/preferences.js'
import type { User } from '../state/store.js'

const standard = [
  'id',
  'name',
  'real_name',
  'email',
  'access_level',
  'language',
  'timezone',
  'created_at',
] as const
const extras = ['email_pending', 'client_preferred', 'avatar'] as const
const flags = ['enabled', 'protected'] as const

export type UserField =
  | (typeof standard)[number]
  | (typeof extras)[number]
  | (typeof flags)[number]
  | 'projects'

const allFields: readonly UserField[] = [...standard, ...extras, ...flags, 'projects']

/** Names of fields that a selection may use, those of requests included. */
const aliases = new Map<string, UserField>([
  ...allFields.map((field) => [field, field] as const),
  ['username', 'name'],
  ['realname', 'real_name'],
])

export const fieldCalled = (name: string) => aliases.get(name)

const fieldsByDefault = {
  standard: [...standard, ...extras],
  everything: allFields,
  'with-flags': [...standard, ...flags, ...extras],
  'with-projects': [...standard, 'projects', ...extras],
} as const

/** What a read shows that selects nothing. */
export const defaultFields = (c: AdmittedCall): readonly UserField[] =>
  fieldsByDefault[c.decisions['select-default']]

/** What creation and update show: all that they can set. */
export const writtenFields: readonly UserField[] = [...standard, ...flags, ...extras]

export function userRecord(
  c: AdmittedCall,
  user: User,
  fields: readonly UserField[],
): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const field of fields) {
    const value = valueOfField(c, user, field)
    if (value === undefined) continue
    const requested = requestNames[field]
    const how = requested === undefined ? 'family' : c.decisions['user-field-names']
    if (how !== 'request') record[field] = value
    if (requested !== undefined && how !== 'family') record[requested] = value
  }
  return record
}

const requestNames: Readonly<Partial<Record<UserField, string>>> = { name: 'username', real_name: 'realname' }

/** The value to show, or undefined where the field is left out. */
function valueOfField(c: AdmittedCall, user: User, field: UserField): unknown {
  switch (field) {
    case 'id':
      return user.id
    case 'name':
      return user.username
    case 'real_name':
      return personal(c, user, user.realname, c.decisions['get-user-sensitive'] === 'real-name-to-all')
    case 'email':
      return personal(c, user, user.email, false)
    case 'access_level':
      return levelValue(c, user.access_level)
    case 'language':
      return c.decisions['user-language-value'] === 'raw'
        ? (preference(c.store, user, 'language') ?? 'auto')
        : languageOf(c.store, user)
    case 'timezone':
      return timezoneOf(c, user)
    case 'created_at':
      return dateValue(c, user.created_at)
    case 'enabled':
    case 'protected':
      return user[field]
    case 'email_pending':
    case 'client_preferred':
    case 'avatar':
      return extra(c, user, user[field])
    case 'projects':
      return c.store.db.projects.rows
        .filter((project) => maySee(c, user, project))
        .map(({ id, name }) => ({ id, name }))
  }
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
  switch (c.decisions['user-extra-fields']) {
    case 'when-present':
      return value ?? undefined
    case 'always':
      return value
    case 'never':
      return undefined
  }
}
