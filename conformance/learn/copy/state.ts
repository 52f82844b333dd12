/** Builds the starting state of an emulator that simulates a tracker, from what a trace and a profile show of it. */
import { highest } from '../../../emulator/arrange/seed.js'
import { type AnyRecord, type CollectionName, collections } from '../../../emulator/state/collections.js'
import { fieldTypes } from '../../../emulator/state/field-types.js'
import { writableCopy } from '../../../emulator/state/image.js'
import { levelNumbers, levels } from '../../../emulator/state/levels.js'
import { exact } from '../../../emulator/state/state.js'
import { createStore, type State, stateOf as stateIn } from '../../../emulator/state/store.js'
import { isInstalled } from '../../client/disposables.js'
import { idOf } from '../../client/look.js'
import { SUCCESS } from '../../contract/index.js'
import { folded, isObject, type JsonObject, listsIn, scalars } from '../../oracle/json.js'
import { isServed, membersOf, type Request } from '../../oracle/request.js'
import { secretOf } from '../trace/recorded.js'
import type { Mirror } from '../trace/trace.js'
import { type Person, peopleOf } from './people.js'
import { settingsOf } from './settings.js'

/** The lowest id of users whose id no answer shows: other users have the lower ones. */
const UNSHOWN_USERS = 1_600_000_000

export function stateOf(mirror: Mirror): State {
  const { tables, image } = createStore(exact)
  // They are not checked, since a live tracker may show what the emulator would refuse.
  const add = (name: CollectionName, row: AnyRecord) =>
    tables[name].add(writableCopy(tables[name].filled(row)))
  const users = usersOf(mirror)
  for (const { row, person } of users) {
    const { label } = person
    add('users', row)
    // Without `used_at`, the first call with the token would change the state.
    const token = { user_id: row.id, secret: secretOf(label ?? ''), used_at: '2026-01-01T00:00:00Z' }
    if (label !== null) add('tokens', token)
    for (const [option, value] of preferencesOf(person))
      add('userSettings', { user_id: row.id, option, value })
  }
  const fields = fieldsOf(mirror)
  const names = new Map(
    fields.flatMap(({ projects }) =>
      projects.map(({ id, name = `Project ${id}` }) => [Number(id), String(name)]),
    ),
  )
  const isNumbered = mirror.projects.every((id) => /^[1-9]\d{0,14}$/.test(id))
  const projects = isNumbered
    ? [...new Set([...mirror.projects.map(Number), ...[...names.keys()].filter(isPositive)])]
    : mirror.projects.map((_, index) => index + 1)
  for (const [index, id] of projects.entries()) {
    const { isPublic, members } = audienceOf(mirror, mirror.projects[index] ?? '')
    add('projects', { id, name: names.get(id) ?? `Project ${id}`, public: isPublic })
    for (const { row, person } of isPublic ? [] : users)
      if (members.has(person.label ?? ''))
        add('memberships', { user_id: row.id, project_id: id, access_level: row.access_level })
  }
  for (const { row } of fields) add('customFields', row)
  for (const [sequence, { row, projects: linked }] of fields.entries())
    for (const id of linked.map((project) => Number(project.id)))
      if (projects.includes(id)) add('customFieldLinks', { field_id: row.id, project_id: id, sequence })
  for (const row of pluginsOf(mirror)) add('plugins', row)
  for (const id of recipientsOf(mirror)) add('recipients', { id })
  const changes = served(mirror, 'updateSettings').map(({ body }) => body)
  for (const row of settingsOf(mirror.knowledge.settings ?? [], changes)) add('extensionSettings', row)
  const lastIds = {
    user: Math.max(0, ...users.flatMap(({ row: { id } }) => (id < UNSHOWN_USERS ? id : []))),
    token: users.length + 10,
    customField: highest(tables, 'customFields', 1),
    notification: 0,
  }
  return { ...stateIn(image()), lastIds }
}

/** Errors use the language of the caller's account. */
function preferencesOf({ record: { language, timezone } }: Person): [option: string, value: string][] {
  return Object.entries({ language, timezone }).flatMap(([option, value]) =>
    typeof value === 'string' && !['', 'UTC', 'english'].includes(value) ? [[option, value]] : [],
  )
}

function usersOf(mirror: Mirror) {
  const taken = new Set<number>()
  const names = new Set<string>()
  return peopleOf(mirror).map((person, index) => {
    const isTold = person.id !== null && person.id > 0 && !taken.has(person.id)
    const id = isTold ? Number(person.id) : UNSHOWN_USERS + index
    taken.add(id)
    const row = { id, ...userOf(person) }
    // Two tokens may belong to one account.
    const isTwice = names.has(row.username.toLowerCase())
    names.add(row.username.toLowerCase())
    return { person, row: isTwice ? { ...row, username: `${row.username} ${id}`, email: '' } : row }
  })
}

function userOf({ label, username, record, password }: Person) {
  const text = (...names: string[]) =>
    names.map((name) => record[name]).find((value): value is string => typeof value === 'string')
  const name = username ?? `the ${label}`
  return {
    username: name,
    realname: text('realname', 'real_name', 'displayName') ?? '',
    email: text('email', 'mail') ?? `${name.replace(/\W/g, '.')}@example.org`,
    password: password ?? `unknown of ${name}`,
    access_level: levelIn(record.access_level) ?? levels.reporter,
    enabled: (record.enabled ?? record.active) !== false,
    protected: record.protected === true,
    client_preferred: typeof record.client_preferred === 'boolean' ? record.client_preferred : null,
    avatar: text('avatar') ?? null,
  }
}

export const isFamilyLevel = (level: unknown): level is number =>
  (levelNumbers as readonly unknown[]).includes(level)

/** The number of a level that a page shows; undefined unless it is a level of the family, where its meaning is known. */
function levelIn(shown: unknown): number | undefined {
  const named = new Map<unknown, unknown>(Object.entries(levels))
  const level = isObject(shown) ? shown.id : (named.get(shown) ?? shown)
  return isFamilyLevel(level) ? level : undefined
}

const served = ({ world }: Mirror, op: Request['op']) =>
  world.requests.filter((one) => one.op === op && one.status === SUCCESS)

/** The records in the first answer of a list: the objects of the outermost list in it that has most of them. */
function listed(mirror: Mirror, op: Request['op']): JsonObject[] {
  return listsIn(served(mirror, op).find(isServed)?.answer)
    .map((list) => list.filter(isObject))
    .reduce((best, records) => (records.length > best.length ? records : best), [])
}

/** A project is private if a caller is refused its columns, and another caller, who is a member, is not. */
function audienceOf({ world }: Mirror, id: string) {
  const idIn = ({ project }: JsonObject) => String(isObject(project) ? project.id : project)
  const asked = world.requests.filter((one) => one.op === 'manageColumns' && idIn(membersOf(one)) === id)
  const members = new Set(asked.filter(({ status }) => status === SUCCESS).map(({ caller }) => caller))
  const isOutsider = ({ status, caller }: Request) =>
    (status === 403 || status === 404) && !members.has(caller)
  return { isPublic: members.size === 0 || !asked.some(isOutsider), members }
}

const isPositive = (id: number) => Number.isSafeInteger(id) && id > 0

/** The fields that the trace has not created, in the order of their list, with the projects that records show. */
function fieldsOf(mirror: Mirror) {
  const { world } = mirror
  const things = world.of('field')
  const made = things.filter(({ born }) => born > 0)
  const madeIds = new Set(made.flatMap(({ id, candidates }) => [id, ...candidates]))
  const isMade = (record: JsonObject) => {
    const texts = new Set(scalars(record).map(folded))
    return made.some(({ name }) => name !== '' && texts.has(folded(name)))
  }
  const ids = [
    ...things.flatMap(({ born, id }) => (born === 0 && id !== undefined ? [Number(id)] : [])),
    ...world.requests
      .filter(({ kind, status, address }) => kind === 'field' && status === SUCCESS && !madeIds.has(address))
      .map(({ address }) => Number(address))
      .filter(isPositive),
  ]
  const found = new Map<number, JsonObject>(ids.map((id) => [id, {}]))
  for (const [index, record] of listed(mirror, 'listCustomFields').entries()) {
    const id = idOf(record, 'field') ?? 0
    // A name that no answer shows stands where the list has the field, so that it rules out no order by name.
    const name = `Field ${String(index).padStart(4, '0')}`
    if (id <= 0 || isMade(record)) continue
    // They stand in the order of the list.
    found.delete(id)
    found.set(id, { name: record.label ?? name, ...record })
  }
  const names = new Set<string>()
  return [...found].map(([id, { projects, ...shown }]) => {
    const row = fieldOf(id, shown)
    const name = names.has(row.name.toLowerCase()) ? `Field ${id}` : row.name
    names.add(name.toLowerCase())
    const linked: JsonObject[] = (Array.isArray(projects) ? projects : []).map((one) =>
      isObject(one) ? one : { id: one },
    )
    return { row: { ...row, name }, projects: linked }
  })
}

function fieldOf(id: number, shown: JsonObject) {
  const text = (name: string) => (typeof shown[name] === 'string' ? String(shown[name]) : '')
  const named = new Map<unknown, unknown>(fieldTypes.map((name, index) => [name, index]))
  const type = isObject(shown.type) ? shown.type.id : (named.get(shown.type) ?? shown.type)
  const flags = ['display_report', 'display_update'].filter((name) => typeof shown[name] === 'boolean')
  return {
    id,
    name: text('name') || `Field ${id}`,
    type: typeof type === 'number' && type >= 0 && type <= 10 ? type : 0,
    possible_values: text('possible_values'),
    default_value: text('default_value'),
    access_level_r: levelIn(shown.access_level_r) ?? levels.viewer,
    access_level_rw: levelIn(shown.access_level_rw) ?? levels.reporter,
    ...Object.fromEntries(flags.map((name) => [name, shown[name]])),
  }
}

/** The plugins in the list, and those that existed but were not installed. */
function pluginsOf(mirror: Mirror): AnyRecord[] {
  const { plugin } = mirror.knowledge
  const { requests } = mirror.world
  const records = listed(mirror, 'listPlugins')
  const addressed = new Set(requests.flatMap(({ kind, address }) => (kind === 'plugin' ? address : [])))
  const keys = records.flatMap((one) => Object.keys(one).filter((key) => addressed.has(String(one[key]))))
  const isListed = (name: string) => records.some((one) => scalars(one).includes(name))
  const installed = served(mirror, 'installPlugin').flatMap(({ address }) => address ?? [])
  const available = [...(plugin ? [plugin.name] : []), ...installed.filter((name) => !isListed(name))]
  const found = new Map(available.map((basename): [string, AnyRecord] => [basename, { basename }]))
  for (const shown of records) {
    // A request shows which member has the name.
    const basename = shown[keys[0] ?? 'basename'] ?? shown.pluginName ?? shown.name
    if (typeof basename !== 'string' || basename === '') continue
    const own = Object.entries(collections.plugins.fill({ basename })).filter(
      ([key, value]) => typeof shown[key] === typeof value && !isObject(value),
    )
    const installed = isInstalled({ status: SUCCESS, json: shown }, basename)
    found.set(basename, {
      ...Object.fromEntries(own.map(([key]) => [key, shown[key]])),
      ...{ basename, installed, enabled: installed },
      forced: /core$/i.test(basename),
    })
  }
  return [...found.values()]
}

function recipientsOf(mirror: Mirror): Set<number> {
  const deleted = served(mirror, 'deleteHelpdeskRecipient').map(({ address }) => Number(address))
  return new Set([...(mirror.knowledge.recipients ?? []), ...deleted].filter(isPositive))
}
