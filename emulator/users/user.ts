/** A user: how the path names it, an id or a username in one segment, and its record in answers. */
import { dateValue, idsAndNames, levelValue, managesUsers, maySee } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse, refuseBy, refuseFor } from '../request/errors.js'
import { languageOf, preference, timezoneOf } from '../request/preferences.js'
import type { User } from '../state/store.js'

/** Refuses because there is no such user, or none that the caller may know about; `hidden` says why it may not. */
export function refuseUnknownUser(c: AdmittedCall, segment: string, hidden?: string): never {
  const how = c.decisions['user-not-found-number']
  const condition = /^\d+$/.test(segment) ? 'user-not-found-by-id' : 'user-not-found-by-name'
  const number = how === 'by-form' ? {} : { number: how === 'none' ? null : 811 }
  const one = { condition, with: [segment], ...number } as const
  if (hidden !== undefined) refuseFor('id-existence-leak', one, hidden)
  if (how === 'by-form') refuse(condition, { with: [segment] })
  refuseFor('user-not-found-number', one)
}

function userAt(c: AdmittedCall, segment: string): User | undefined {
  const { users } = c.store.db
  const named = users.find('username', c.store.collation.username(segment))
  const digits = /^\d+$/.test(segment)
  const numbered = digits ? users.find('id', Number(segment)) : undefined
  return {
    'digits-are-id': digits ? numbered : named,
    'id-then-username': numbered ?? named,
    'username-first': named ?? numbered,
  }[c.decisions['user-segment-rule']]
}

export function findUser(c: AdmittedCall): User {
  const segment = c.path.user_id ?? ''
  if (segment === 'me' && c.decisions['user-segment-me'] === 'caller') return c.caller
  const found = userAt(c, segment)
  if (found) return found

  const leaky = c.operation === 'getUser' || c.operation === 'updateUser'
  if (leaky && !managesUsers(c))
    refuseBy(c, 'id-existence-leak', `No such user, which ${c.caller.username} may not know`, {
      forbidden: 'access-denied',
    })
  if (/^0+$/.test(segment)) {
    const invalid = ['invalid-value', 'user_id'] as const
    refuseBy(c, 'user-id-zero-negative', leaky ? { invalid, 'by-operation': invalid } : { invalid })
  }
  refuseUnknownUser(c, segment)
}

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

type UserField = keyof typeof shownValue

const allFields = Object.keys(shownValue) as UserField[]
const standard = allFields.slice(0, allFields.indexOf('email_pending'))
const extras = ['email_pending', 'client_preferred', 'avatar'] as const
const flags = ['enabled', 'protected'] as const

const requestNames: Readonly<Partial<Record<UserField, string>>> = { name: 'username', real_name: 'realname' }

const fieldsByDefault: Readonly<Record<string, readonly UserField[]>> = {
  standard: [...standard, ...extras],
  everything: allFields,
  'with-flags': [...standard, ...flags, ...extras],
  'with-projects': [...standard, 'projects', ...extras],
}

const defaultFields = (c: AdmittedCall): readonly UserField[] =>
  fieldsByDefault[c.decisions['select-default']] ?? allFields

/** The fields for which the caller asks, or the usual ones. */
export function selectedFields(c: AdmittedCall): readonly UserField[] {
  const asked = {
    query: () => c.query.get('select'),
    'query-list': () => (c.query.has('select[]') ? c.query.getAll('select[]').join(',') : null),
    header: () => c.headers.get('x-select'),
  }[c.decisions['select-location']]()
  if (asked === null) return defaultFields(c)
  if (asked.trim() === '') {
    refuseBy(c, 'select-empty', { refused: ['invalid-value', 'select'] })
    return c.decisions['select-empty'] === 'as-absent' ? defaultFields(c) : []
  }
  const exact = c.decisions['select-normalisation'] === 'sensitive'
  const fields = new Set<UserField>(c.decisions['select-without-id'] === 'id-always' ? ['id'] : [])
  for (const part of asked.split(',')) {
    const name = exact ? part : part.trim().toLowerCase()
    const field = allFields.find((one) => one === name || requestNames[one] === name)
    if (field) fields.add(field)
    else refuseBy(c, 'select-unknown', `No field is called ${part}`, { refused: ['invalid-value', 'select'] })
  }
  return [...fields]
}

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
