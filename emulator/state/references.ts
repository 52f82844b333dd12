import type { State } from './records.js'

/** How texts that must be unique are compared. */
export interface Collation {
  username(name: string): string
  customField(name: string): string
}

const same = (text: string) => text

/** Each text is another one. */
export const exact: Collation = { username: same, customField: same }

/** Throws at the first record that refers to nothing, or that repeats what must be unique. */
export function checkReferences(state: State, collation: Collation): void {
  const users = unique('users', 'id', state.users, ({ id }) => id)
  const projects = unique('projects', 'id', state.projects, ({ id }) => id)
  const fields = unique('customFields', 'id', state.customFields, ({ id }) => id)
  checkNames(state, collation)
  unique('tokens', 'id', state.tokens, ({ id }) => id)
  unique('tokens', 'secret', state.tokens, ({ secret }) => secret, true)
  unique('plugins', 'basename', state.plugins, ({ basename }) => basename)
  unique('recipients', 'id', state.recipients, ({ id }) => id)
  unique('extensionSettings', 'option', state.extensionSettings, ({ option }) => option)
  unique('notifications', 'id', state.notifications, ({ id }) => id)
  unique('memberships', 'user and project', state.memberships, (row) => `${row.user_id}, ${row.project_id}`)
  unique(
    'customFieldLinks',
    'field and project',
    state.customFieldLinks,
    (row) => `${row.field_id}, ${row.project_id}`,
  )
  unique('userSettings', 'user and option', state.userSettings, (row) => `${row.user_id}, ${row.option}`)
  unique(
    'columnConfigurations',
    'user, project and type',
    state.columnConfigurations,
    (row) => `${row.user_id}, ${row.project_id}, ${row.type}`,
  )
  const owned = ['tokens', 'memberships', 'columnConfigurations', 'userSettings', 'notifications'] as const
  for (const name of owned) refer(name, 'user_id', state[name], users)
  refer('memberships', 'project_id', state.memberships, projects)
  refer('customFieldLinks', 'project_id', state.customFieldLinks, projects)
  refer('customFieldLinks', 'field_id', state.customFieldLinks, fields)
  refer('columnConfigurations', 'project_id', state.columnConfigurations, new Set([0, ...projects]))
  known('user', state.lastIds.user, users)
  known('customField', state.lastIds.customField, fields)
}

/** Throws at the first name that is there twice, by this comparison. */
export function checkNames(
  { users, customFields }: Pick<State, 'users' | 'customFields'>,
  collation: Collation,
): void {
  unique('users', 'username', users, ({ username }) => collation.username(username))
  unique('customFields', 'name', customFields, ({ name }) => collation.customField(name))
}

function unique<R>(
  name: string,
  what: string,
  rows: readonly R[],
  key: (row: R) => string | number,
  secret = false,
): Set<string | number> {
  const seen = new Set<string | number>()
  for (const row of rows) {
    if (seen.has(key(row)))
      throw new TypeError(
        `Not a tracker's state: ${name}: the ${what} ${secret ? 'of one token' : `"${key(row)}"`} is there twice`,
      )
    seen.add(key(row))
  }
  return seen
}

function refer<K extends string>(
  name: string,
  key: K,
  rows: readonly Record<K, number>[],
  ids: ReadonlySet<string | number>,
): void {
  for (const row of rows) {
    if (!ids.has(row[key]))
      throw new TypeError(`Not a tracker's state: ${name}: ${key} ${row[key]} does not exist`)
  }
}

function known(kind: string, last: number, ids: ReadonlySet<string | number>): void {
  for (const id of ids) {
    if (Number(id) > last)
      throw new TypeError(`Not a tracker's state: lastIds.${kind} is ${last}, and ${id} is in use`)
  }
}
