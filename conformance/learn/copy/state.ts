/** The starting state of an emulator that stands for a live tracker, from what is known of that one. */

import { seeds } from '../../../emulator/index.js'
import { conditions, languages } from '../../../emulator/request/conditions.js'
import { defaults } from '../../../emulator/state/defaults.js'
import { fieldTypes } from '../../../emulator/state/field-types.js'
import { levelNumbers, levels } from '../../../emulator/state/levels.js'
import type { CustomField, Plugin, State, Token, User } from '../../../emulator/state/store.js'
import { isObject } from '../../client/look.js'
import type { Mirror, MirroredUser } from '../ask/mirror.js'

type Shown = Readonly<Record<string, unknown>>

type Role = keyof typeof levelOf

const rolesOf = ({ profile }: Mirror): Role[] =>
  (['user', 'administrator', 'restricted', 'password', 'disabled'] as const).filter((role) =>
    role === 'user' ? profile.user : profile.tokens[role],
  )

const levelOf = { administrator: 90, restricted: 25, password: 25, user: 25, disabled: 25 } as const

export function stateOf(mirror: Mirror): State {
  const { profile } = mirror
  const users = usersOf(mirror)
  const ids = (projects: readonly string[]) =>
    projects.every((id) => /^[1-9]\d{0,14}$/.test(id))
      ? projects.map(Number)
      : projects.map((_, index) => index + 1)
  const projects = ids(profile.projects ?? ['1', '2'])
  const fields = fieldsOf(mirror)
  return {
    schema: 'tracker-kit/state@1',
    lastIds: {
      user: Math.max(...users.map(({ id }) => id)),
      token: 10,
      customField: Math.max(1, ...fields.map(({ id }) => id)),
      notification: 0,
    },
    users,
    tokens: tokensOf(mirror, users),
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
    recipients: (profile.recipients ?? []).map((id) => ({
      id,
      name: `Recipient ${id}`,
      email: `r${id}@example.org`,
    })),
    columnConfigurations: [],
    userSettings: rolesOf(mirror).flatMap((role, index) => preferencesOf(mirror, users[index] as User, role)),
    extensionSettings: settingsOf(profile.settings ?? []),
    notifications: [],
  }
}

/** Errors speak the language of the caller, which its account shows, or else its errors. */
function preferencesOf({ accounts }: Mirror, { id }: User, role: Role): State['userSettings'] {
  const { record = {}, localized } = accounts[role] ?? {}
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

/** Names of projects, where records of fields tell. */
function namesOf({ fields }: Mirror): Map<number, string> {
  const linked = fields.flatMap(({ projects }) => (Array.isArray(projects) ? projects.filter(isObject) : []))
  return new Map(linked.map(({ id, name }) => [Number(id), String(name)]))
}

function usersOf(mirror: Mirror): User[] {
  const { profile, accounts } = mirror
  const taken = new Set<number>()
  return rolesOf(mirror).map((role, index) => {
    const known = accounts[role]
    const fresh =
      known?.id != null && known.id > 0 && !taken.has(known.id) ? known.id : firstFree(taken, index + 1)
    taken.add(fresh)
    return userOf(role, fresh, known, profile.passwordAccount?.current)
  })
}

const firstFree = (taken: ReadonlySet<number>, from: number): number =>
  taken.has(from) ? firstFree(taken, from + 1) : from

function userOf(
  role: keyof typeof levelOf,
  id: number,
  known: MirroredUser | undefined,
  password = 'Sunny-Day-2024',
): User {
  const shown = known?.record ?? {}
  const text = (...names: string[]) =>
    names.map((name) => shown[name]).find((value): value is string => typeof value === 'string')
  const username = known?.username ?? `the ${role}`
  return {
    ...defaults.user({ username }),
    id,
    username,
    realname: text('real_name', 'realname', 'displayName') ?? '',
    email: text('email', 'mail') ?? `${username.replace(/\W/g, '.')}@example.org`,
    password: role === 'password' ? password : `unknown of ${role}`,
    access_level: levelIn(shown.access_level) ?? levelOf[role],
    enabled: role !== 'disabled',
    protected: shown.protected === true,
    client_preferred: typeof shown.client_preferred === 'boolean' ? shown.client_preferred : null,
    avatar: text('avatar') ?? null,
    created_at: '2024-03-05T09:30:00Z',
  }
}

/** Only levels of the family mean the same here. */
function levelIn(shown: unknown): number | undefined {
  const level = isObject(shown)
    ? shown.id
    : typeof shown === 'string'
      ? new Map<string, number>(Object.entries(levels)).get(shown)
      : shown
  return typeof level === 'number' && levelNumbers.includes(level) ? level : undefined
}

function tokensOf(mirror: Mirror, users: readonly User[]): Token[] {
  return rolesOf(mirror).flatMap((role, index) => {
    const secret = role === 'user' ? undefined : mirror.profile.tokens[role]
    const user = users[index]
    if (secret === undefined || !user) return []
    return [
      {
        id: index + 1,
        user_id: user.id,
        name: 'command line',
        secret,
        kind: 'api' as const,
        created_at: '2025-01-10T10:00:00Z',
        // Now: else the first call with it would change what is stored.
        used_at: '2026-01-01T00:00:00Z',
      },
    ]
  })
}

function fieldsOf({ profile, fields }: Mirror): CustomField[] {
  const found = new Map<number, CustomField>()
  for (const id of profile.customField?.ids ?? []) found.set(id, fieldOf(id, {}))
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

function pluginsOf({ profile, plugins }: Mirror): Plugin[] {
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
  if (profile.plugin) add(profile.plugin.name, { installed: false, enabled: false, priority: 3 })
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
      installed: true,
      enabled: true,
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
