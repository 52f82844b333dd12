/** Builds the starting state of an emulator that simulates a live tracker, from what is known of that tracker. */

import { seeds } from '../../../emulator/index.js'
import { conditions, languages } from '../../../emulator/request/conditions.js'
import { defaults } from '../../../emulator/state/defaults.js'
import { fieldTypes } from '../../../emulator/state/field-types.js'
import { levelNumbers, levels } from '../../../emulator/state/levels.js'
import type { CustomField, Plugin, State, Token, User } from '../../../emulator/state/store.js'
import { isObject } from '../../oracle/json.js'
import type { Mirror, Person, Shown } from '../trace/mirror.js'
import { secretOf } from '../trace/recorded.js'

export function stateOf(mirror: Mirror): State {
  const { people } = mirror
  const users = usersOf(people)
  const isNumbered = mirror.projects.every((id) => /^[1-9]\d{0,14}$/.test(id))
  const projects = mirror.projects.map((id, index) => (isNumbered ? Number(id) : index + 1))
  const fields = fieldsOf(mirror)
  return {
    schema: 'tracker-kit/state@1',
    lastIds: {
      user: Math.max(0, ...users.map(({ id }) => id)),
      token: people.length + 10,
      customField: Math.max(1, ...fields.map(({ id }) => id)),
      notification: 0,
    },
    users,
    tokens: people.flatMap(({ label }, index) => (label === null ? [] : tokenOf(label, users[index], index))),
    projects: projects.map((id) => ({
      id,
      name: namesOf(mirror).get(id) ?? `Project ${id}`,
      description: '',
      enabled: true,
      public: true,
    })),
    memberships: [],
    customFields: fields,
    customFieldLinks: fields.flatMap(({ id }) => linksOf(mirror, id, projects)),
    plugins: pluginsOf(mirror),
    recipients: mirror.recipients.map((id) => ({
      id,
      name: `Recipient ${id}`,
      email: `r${id}@example.org`,
    })),
    columnConfigurations: [],
    userSettings: people.flatMap((person, index) => preferencesOf(person, users[index] as User)),
    extensionSettings: settingsOf(mirror.settings),
    notifications: [],
  }
}

/** The id of the user behind each label of a caller. */
export function idsOf(mirror: Mirror): ReadonlyMap<string, number> {
  const users = usersOf(mirror.people)
  return new Map(
    mirror.people.flatMap(({ label }, index) => (label === null ? [] : [[label, users[index]?.id ?? 0]])),
  )
}

/** Errors use the language of the caller's account. The account page shows it, or else the errors show it. */
function preferencesOf({ record, localized }: Person, { id }: User): State['userSettings'] {
  const language = record.language ?? languageOf(localized)
  return Object.entries({ language, timezone: record.timezone }).flatMap(([option, value]) =>
    typeof value === 'string' && value !== '' && value !== 'UTC' && value !== 'english'
      ? [{ user_id: id, option, value }]
      : [],
  )
}

const languageOf = (text: string | undefined) =>
  languages.find((language) =>
    Object.values(conditions).some((condition) => condition.text[language] === text),
  )

/** The names of projects, by id, where records of fields show them. */
function namesOf({ fields }: Mirror): Map<number, string> {
  const linked = fields.flatMap(({ projects }) => (Array.isArray(projects) ? projects.filter(isObject) : []))
  return new Map(linked.map(({ id, name }) => [Number(id), String(name)]))
}

function usersOf(people: readonly Person[]): User[] {
  const taken = new Set<number>()
  const free = (from: number): number => (taken.has(from) ? free(from + 1) : from)
  const names = new Set<string>()
  return people.map((person, index) => {
    const { id } = person
    const own = id !== null && id > 0 && !taken.has(id) ? id : free(index + 1)
    taken.add(own)
    const user = userOf(own, person)
    // Two tokens may belong to one account.
    const isTwice = names.has(user.username.toLowerCase())
    names.add(user.username.toLowerCase())
    return isTwice ? { ...user, username: `${user.username} ${own}`, email: '' } : user
  })
}

function userOf(id: number, { label, username, record, isAdministrator, isEnabled, password }: Person): User {
  const text = (...names: string[]) =>
    names.map((name) => record[name]).find((value): value is string => typeof value === 'string')
  const name = username ?? `the ${label}`
  return {
    ...defaults.user({ username: name }),
    id,
    username: name,
    realname: text('realname', 'real_name', 'displayName') ?? '',
    email: text('email', 'mail') ?? `${name.replace(/\W/g, '.')}@example.org`,
    password: password ?? `unknown of ${id}`,
    access_level: isAdministrator ? 90 : (levelIn(record.access_level) ?? 25),
    enabled: isEnabled && record.enabled !== false,
    protected: record.protected === true,
    client_preferred: typeof record.client_preferred === 'boolean' ? record.client_preferred : null,
    avatar: text('avatar') ?? null,
    created_at: '2024-03-05T09:30:00Z',
  }
}

/** The number of a level that a page shows; undefined unless it is a level of the family, where its meaning is known. */
function levelIn(shown: unknown): number | undefined {
  const level = isObject(shown)
    ? shown.id
    : typeof shown === 'string'
      ? new Map<string, number>(Object.entries(levels)).get(shown)
      : shown
  return typeof level === 'number' && levelNumbers.includes(level) ? level : undefined
}

const tokenOf = (label: string, user: User | undefined, index: number): Token[] =>
  user === undefined
    ? []
    : [
        {
          id: index + 1,
          user_id: user.id,
          name: 'command line',
          secret: secretOf(label),
          kind: 'api' as const,
          created_at: '2025-01-10T10:00:00Z',
          // Without this, the first call with the token would change the state.
          used_at: '2026-01-01T00:00:00Z',
        },
      ]

function fieldsOf({ fieldIds, fields }: Mirror): CustomField[] {
  const found = new Map<number, CustomField>()
  for (const id of fieldIds) found.set(id, fieldOf(id, {}))
  for (const shown of fields) {
    const id = shown.id ?? shown.fieldId ?? shown.field_id
    if (typeof id === 'number' && id > 0) found.set(id, fieldOf(id, shown))
  }
  const names = new Set<string>()
  return [...found.values()].map((field) => {
    const name = names.has(field.name.toLowerCase()) ? `Field ${field.id}` : field.name
    names.add(name.toLowerCase())
    return { ...field, name }
  })
}

function fieldOf(id: number, shown: Shown): CustomField {
  const text = (name: string) => (typeof shown[name] === 'string' ? String(shown[name]) : '')
  const type = isObject(shown.type)
    ? shown.type.id
    : typeof shown.type === 'string'
      ? (fieldTypes as readonly string[]).indexOf(shown.type)
      : shown.type
  const flag = (name: string, fallback: boolean) =>
    typeof shown[name] === 'boolean' ? Boolean(shown[name]) : fallback
  return {
    ...defaults.customField(),
    id,
    name: text('name') || text('label') || `Field ${id}`,
    type: typeof type === 'number' && type >= 0 && type <= 10 ? type : 0,
    possible_values: text('possible_values'),
    default_value: text('default_value'),
    access_level_r: levelIn(shown.access_level_r) ?? levels.viewer,
    access_level_rw: levelIn(shown.access_level_rw) ?? levels.reporter,
    display_report: flag('display_report', false),
    display_update: flag('display_update', true),
  }
}

function linksOf({ fields }: Mirror, id: number, projects: readonly number[]): State['customFieldLinks'] {
  const shown = fields.find((field) => (field.id ?? field.fieldId) === id)
  const linked = Array.isArray(shown?.projects) ? shown.projects : []
  const ids = linked.map((project: unknown) => Number(isObject(project) ? project.id : project))
  return ids
    .filter((project) => projects.includes(project))
    .map((project_id) => ({ field_id: id, project_id, sequence: 0 }))
}

function pluginsOf({ available, plugins }: Mirror): Plugin[] {
  const [sample] = (seeds.small as State).plugins
  const found = new Map<string, Plugin>()
  const add = (basename: string, rest: Partial<Plugin>) =>
    found.set(basename, {
      ...(sample as Plugin),
      forced: false,
      protected: false,
      requires: {},
      basename,
      name: basename,
      ...rest,
    })
  for (const name of available) add(name, { installed: false, enabled: false, priority: 3 })
  for (const shown of plugins) {
    const basename = shown.basename ?? shown.pluginName ?? shown.name
    if (typeof basename !== 'string' || basename === '') continue
    const name = typeof shown.name === 'string' ? shown.name : basename
    const same = Object.entries(sample as Plugin).filter(
      ([key, value]) => typeof shown[key] === typeof value && !isObject(value),
    )
    add(basename, {
      ...Object.fromEntries(same.map(([key]) => [key, shown[key]])),
      name,
      installed: shown.installed !== false,
      enabled: shown.installed !== false,
      protected: shown.protected === true,
      priority: typeof shown.priority === 'number' ? shown.priority : 3,
      forced: /core$/i.test(basename),
    })
  }
  return [...found.values()]
}

function settingsOf(elements: readonly unknown[]): State['extensionSettings'] {
  const found = new Map<string, State['extensionSettings'][number]>()
  for (const element of elements) {
    if (!isObject(element)) continue
    const [pair] = Object.entries(element)
    const named = element.option ?? element.name ?? element.key
    const option = typeof named === 'string' ? named : pair?.[0]
    const value = (typeof named === 'string' ? element.value : pair?.[1]) ?? ''
    if (option !== undefined)
      found.set(option, { option, default: value as never, value: value as never, file_only: false })
  }
  return [...found.values()]
}
