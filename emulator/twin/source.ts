/** The values that a learnt text or the form of a learnt body may contain: from the call, its answer and its subject. */
import { operation as contractOf } from '../../conformance/contract/operations.js'
import type { Parameters } from '../../conformance/contract/templates.js'
import { isOffered, offered } from '../operations/account.js'
import { knownColumns } from '../operations/columns.js'
import type { AdmittedCall } from '../request/call.js'
import type { Refused } from '../request/errors.js'
import { isObject, type Json, kind, valueAt } from '../request/json.js'
import type { Answer } from '../request/operation.js'
import { languageOf, timezoneOf } from '../request/preferences.js'
import { decode } from '../request/router.js'
import { givenSetting, ownSetting } from '../request/translate.js'
import { fieldTypes } from '../state/field-types.js'
import { levelName, levelNumbers } from '../state/levels.js'
import type { CustomField, User } from '../state/store.js'
import { optionOf } from './features.js'

/** `body` is the original one, before accepted values were translated to those of the family. */
export function sourceOf(c: AdmittedCall, answer: Answer, body: Json): Json {
  const { db } = c.store
  return {
    value: answer.value,
    ...(answer.rest ? { rest: answer.rest } : {}),
    subject: subjectOf(c),
    caller: userView(c, db.users.find('id', c.caller.id)),
    body: body ?? null,
    path: c.path,
    lists: {
      fields: db.customFields.rows.map((field) => fieldView(c, field)),
      plugins: db.plugins.rows.filter(({ installed }) => installed),
      settings: db.extensionSettings.rows,
      preferences: db.userSettings.rows
        .filter(({ user_id, option }) => user_id === c.caller.id && Object.hasOwn(offered(c), option))
        .map((row) => givenSetting(row, c.decisions['accepted-values'])),
      projects: db.projects.rows,
      types: fieldTypes,
      levels: levelNumbers,
    },
  }
}

function subjectOf(c: AdmittedCall): Json {
  const { user_id, field_id, plugin_name } = c.path
  const { db, collation } = c.store
  const called = (name: string) => db.users.find('username', collation.username(name))
  if (c.operation === 'createUser' && db.users.rows.length > 0) return userView(c, db.users.rows.at(-1))
  if (user_id !== undefined) {
    const renamed = isObject(c.body) && typeof c.body.username === 'string' ? c.body.username.trim() : ''
    return userView(c, db.users.find('id', Number(user_id)) ?? called(user_id) ?? called(renamed))
  }
  if (field_id !== undefined) return fieldView(c, db.customFields.find('id', Number(field_id)))
  if (c.operation === 'createCustomField') return fieldView(c, db.customFields.rows.at(-1))
  return plugin_name === undefined ? null : (db.plugins.find('folded', plugin_name.toLowerCase()) ?? null)
}

function userView(c: AdmittedCall, user: User | undefined): Json {
  if (!user) return null
  const { password: _, ...shown } = user
  return {
    ...shown,
    level_name: levelName(user.access_level),
    language: languageOf(c.store, user),
    timezone: timezoneOf(c, user),
    projects: c.store.db.memberships.having('user', user.id).map((row) => ({
      ...{ ...row, ...projectView(c, row.project_id), level_name: levelName(row.access_level) },
    })),
  }
}

/** The ids of a live tracker replace those of the emulator. */
const projectView = (c: AdmittedCall, id: number) => ({
  given_id: c.decisions['accepted-values'].project?.[id - 1] ?? String(id),
  project: c.store.db.projects.find('id', id)?.name,
})

function fieldView(c: AdmittedCall, field: CustomField | undefined): Json {
  if (!field) return null
  const links = c.store.db.customFieldLinks.having('field', field.id)
  return {
    ...field,
    type_name: fieldTypes[field.type] ?? 'string',
    project_ids: links.map(({ project_id }) => String(project_id)),
    projects: links.map(({ project_id }) => ({ project_id, ...projectView(c, project_id) })),
  }
}

/**
 * - `{url}`: the path of the request from `/plugins` on, `{url.sent}`: the same as it was sent, percent-encoded, and
 *   `{route}`: the path after the extension segment
 * - `{0}`, `{1}` of the condition, and `{first}` and `{last}`: the names at the ends of a path such as `custom_field.name`
 * - `{operation}`: its id, such as `create_user`
 * - `{path.user_id}`, `{query.sort_by}`, `{body.username}`, `{caller.username}`, `{subject.id}`
 * - `{odd}`: the first item of a list that the tracker does not know
 * - `{project}`: the project of a body, in any of its forms
 * - `{type.at}`, `{type.wanted}`, `{type.given}`: the first member with another type than the documented one; the
 *   documented type also with its article, as `{type.phrase}`
 */
export function parametersOf(path: string, refused: Refused | null, c: AdmittedCall | null, body: unknown) {
  const raw = path.slice(path.indexOf('/plugins/'))
  const url = decode(raw) ?? raw
  const found: Record<string, string> = { url, 'url.sent': raw, route: url.replace(/^\/plugins\/[^/]+/, '') }
  for (const [index, value] of (refused?.options.with ?? []).entries()) found[index] = String(value)
  const names = namesIn(found[0])
  if (names[0] !== undefined) Object.assign(found, { first: names[0], last: names.at(-1) })
  if (!c) return found
  found.operation = c.operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  for (const [name, value] of Object.entries(c.path)) found[`path.${name}`] = value
  for (const [name, value] of c.query) found[`query.${name}`] = value
  found['caller.username'] = c.caller.username
  leaves('body', body, found)
  const set = (name: string, value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number') found[name] = String(value)
  }
  const subject = subjectOf(c)
  if (isObject(subject))
    for (const name of ['id', 'username', 'realname', 'email', 'name', 'basename'])
      set(`subject.${name}`, subject[name])
  if (isObject(body)) set('project', isObject(body.project) ? body.project.id : body.project)
  const odd = Array.isArray(body) ? oddSetting(c, body) : isObject(body) ? oddItem(c, body) : undefined
  if (odd !== undefined) found.odd = odd
  return Object.assign(found, typeOf(c, body))
}

function oddItem(c: AdmittedCall, { columns, configs, project_ids, projects }: Record<string, unknown>) {
  const { column, project } = c.decisions['accepted-values']
  const isProject = (id: string) =>
    project ? project.includes(id) : c.store.db.projects.find('id', Number(id)) !== undefined
  const texts = (list: unknown) =>
    (Array.isArray(list) ? list : []).filter((item) => /string|number/.test(typeof item)).map(String)
  const options = Array.isArray(configs) ? configs.map((item) => (isObject(item) ? item.option : null)) : []
  return [
    ...texts(columns).filter((name) => !(column ?? knownColumns(c)).includes(name)),
    ...texts(options).filter((name) => !isOffered(c, name)),
    ...texts(project_ids ?? projects).filter((id) => !isProject(id)),
  ][0]
}

const oddSetting = (c: AdmittedCall, items: readonly unknown[]) =>
  items
    .filter(isObject)
    .map((item) => optionOf(ownSetting(item, c.decisions['accepted-values'])))
    .find((option) => option !== '' && !c.store.db.extensionSettings.find('option', option))

function leaves(name: string, value: unknown, into: Record<string, string>): void {
  if (/password/.test(name)) return
  if (typeof value === 'string' || typeof value === 'number') into[name] = String(value)
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) leaves(`${name}.${key}`, member, into)
}

/** The names in the path of a member, without the numbers of items. */
const namesIn = (path = ''): string[] =>
  /^[a-z_][a-z_\d.[\]]*$/.test(path) ? path.split(/[.[\]]+/).filter((word) => /\D/.test(word)) : []

function typeOf({ operation }: AdmittedCall, body: unknown): Parameters {
  const issue = contractOf(operation).body?.safeParse(body).error?.issues[0]
  if (issue?.code !== 'invalid_type') return {}
  const value = valueAt(body, issue.path)
  return {
    'type.at': issue.path.join('.'),
    'type.wanted': issue.expected,
    'type.phrase': `${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`,
    'type.given': value === undefined ? 'undefined' : Array.isArray(value) ? 'array' : kind(value),
  }
}
