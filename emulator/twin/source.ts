/** All values that the emulator could show in an answer, for forms that were learnt from a live tracker. */
import { offered } from '../operations/account.js'
import type { Answer } from '../request/answers.js'
import type { AdmittedCall } from '../request/call.js'
import { isObject, type Json } from '../request/json.js'
import { languageOf, timezoneOf } from '../request/preferences.js'
import { givenSetting } from '../request/translate.js'
import { fieldTypes } from '../state/field-types.js'
import { levelName, levelNumbers } from '../state/levels.js'
import type { CustomField, User } from '../state/store.js'

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

export function subjectOf(c: AdmittedCall): Json {
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
  if (plugin_name !== undefined) return db.plugins.find('folded', plugin_name.toLowerCase()) ?? null
  return null
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
