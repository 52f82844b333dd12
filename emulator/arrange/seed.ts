/** Starting states: a built-in one by its name, a whole state, a file of either, or what differs from the default. */
import { z } from 'zod'
import { nearest, noSuch } from '../../conformance/contract/nearest.js'
import { small } from '../../fixtures/seeds/small.js'
import { defaults } from '../state/defaults.js'
import * as record from '../state/records.js'
import { type Collation, checkReferences } from '../state/references.js'
import { type CollectionName, collectionNames, parseState, type State } from '../state/store.js'
import { type Draft, draftOf, type Row } from './draft.js'

/** Starting states by name. */
export const seeds: Readonly<Record<string, State>> = { small }

type Names = 'user_id' | 'project_id' | 'field_id'

/** Some fields of a record. It refers to users, projects and custom fields by id or by name. */
type Some<R> = { readonly [K in keyof R]?: K extends Names ? number | string : R[K] }

/**
 * What a starting state has besides the default one, or otherwise. A record with the id or the name of one that is there
 * changes its fields; any other is added, and what it leaves out is filled in. A new user has the level 25, an address at
 * example.org and the password of all the others; a new token has the secret `token-of-USERNAME`.
 */
export type PartialSeed = {
  readonly [C in CollectionName]?: readonly Some<State[C][number]>[]
}

export type Seed = string | State | PartialSeed

/**
 * The whole state that is meant, fit for a tracker that compares names so. Rejects with one line that names what does
 * not fit.
 */
export async function stateOfSeed(seed: Seed, collation: Collation): Promise<State> {
  if (typeof seed === 'string')
    return Object.hasOwn(seeds, seed) ? named(seed) : stateOfSeed(await file(seed), collation)
  if (typeof seed !== 'object' || seed === null || Array.isArray(seed))
    throw new TypeError('The seed must be the name of a starting state, a file, a state or a part of one')
  if ('schema' in seed) return parseState(seed, collation)
  // Each of its records has been checked, one by one.
  const state = merged(small, seed)
  checkReferences(state, collation)
  return state
}

const named = (name: string) => seeds[name] as State

async function file(path: string): Promise<State | PartialSeed> {
  if (/[/\\.]/.test(path)) {
    // Loaded on demand: the rest runs in a browser too.
    const { readSeed } = await import('./seed-file.js')
    return (await readSeed(path)) as State | PartialSeed
  }
  const near = nearest(path, Object.keys(seeds))
  const hint = near
    ? `did you mean "${near}"?`
    : `there is ${Object.keys(seeds).join(', ')}, and a file has a dot or a slash: ./${path}`
  throw new RangeError(`No starting state is called "${path}"; ${hint}`)
}

interface Kind {
  readonly schema: z.ZodObject
  /** Members of which each, or all together where there is `together`, tell which record is meant. */
  readonly keys: readonly string[]
  readonly together?: true
  /** What a new record has that says nothing else; made anew for each. */
  fill(row: Row, draft: Draft): Row
}

export const kinds: Readonly<Record<CollectionName, Kind>> = {
  users: {
    schema: record.user,
    keys: ['id', 'username'],
    fill: (row, draft) => ({ id: draft.nextId('users'), ...defaults.user(row) }),
  },
  tokens: {
    schema: record.token,
    keys: ['id', 'secret'],
    fill: ({ user_id }, draft) => ({
      id: draft.nextId('tokens'),
      ...defaults.token(draft.having('users', ['id'], { id: user_id })[0]?.username ?? user_id),
    }),
  },
  projects: {
    schema: record.project,
    keys: ['id', 'name'],
    fill: (_, draft) => ({ id: draft.nextId('projects'), ...defaults.project() }),
  },
  memberships: {
    schema: record.membership,
    keys: ['user_id', 'project_id'],
    together: true,
    fill: defaults.membership,
  },
  customFields: {
    schema: record.customField,
    keys: ['id', 'name'],
    fill: (_, draft) => ({ id: draft.nextId('customFields'), ...defaults.customField() }),
  },
  customFieldLinks: {
    schema: record.customFieldLink,
    keys: ['field_id', 'project_id'],
    together: true,
    fill: defaults.customFieldLink,
  },
  plugins: { schema: record.plugin, keys: ['basename'], fill: defaults.plugin },
  recipients: {
    schema: record.recipient,
    keys: ['id', 'email'],
    fill: ({ name }, draft) => {
      const id = draft.nextId('recipients')
      return { id, ...defaults.recipient({ id, name }) }
    },
  },
  columnConfigurations: {
    schema: record.columnConfiguration,
    keys: ['user_id', 'project_id', 'type'],
    together: true,
    fill: defaults.columnConfiguration,
  },
  userSettings: { schema: record.userSetting, keys: ['user_id', 'option'], together: true, fill: () => ({}) },
  extensionSettings: { schema: record.extensionSetting, keys: ['option'], fill: defaults.extensionSetting },
  notifications: {
    schema: record.notification,
    keys: ['id'],
    fill: (_, draft) => ({ id: draft.nextId('notifications'), ...defaults.notification() }),
  },
}

function merged(base: State, seed: PartialSeed): State {
  const unknown = Object.keys(seed).find((name) => !collectionNames.some((known) => known === name))
  if (unknown !== undefined) throw new TypeError(`seed: ${noSuch('collection', unknown, collectionNames)}`)
  const draft = draftOf(base)
  // Users and projects come first in this order, so that others can refer to those that the seed adds.
  for (const name of collectionNames) {
    const given: unknown = seed[name] ?? []
    if (!Array.isArray(given)) throw new TypeError(`seed.${name}: it must be a list of records`)
    for (const [index, row] of given.entries()) merge(draft, name, row, `seed.${name}[${index}]`)
  }
  const last = (kind: keyof State['lastIds'], name: CollectionName) =>
    Math.max(base.lastIds[kind], draft.nextId(name) - 1)
  const lastIds = {
    user: last('user', 'users'),
    token: last('token', 'tokens'),
    customField: last('customField', 'customFields'),
    notification: last('notification', 'notifications'),
  }
  return { schema: base.schema, lastIds, ...draft.rows } as unknown as State
}

function merge(draft: Draft, name: CollectionName, given: unknown, place: string): void {
  const { schema, keys, together, fill } = kinds[name]
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`${place}: it must be an object`)
  const stranger = Object.keys(given).find((key) => !Object.hasOwn(schema.shape, key))
  if (stranger !== undefined)
    throw new TypeError(`${place}: ${noSuch('field', stranger, Object.keys(schema.shape))}`)
  const row = resolved(draft, given as Row, place)
  const filled = Object.assign(fill(row, draft), row)
  const matches = together
    ? draft.having(name, keys, filled)
    : keys.flatMap((key) => (key in row ? draft.having(name, [key], row) : []))
  if (matches.some((match) => match !== matches[0]))
    throw new TypeError(`${place}: it has the ${keys.join(' and the ')} of two different records`)
  const [present] = matches
  const whole = present ? { ...present, ...row } : filled
  const checked = schema.safeParse(whole)
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw new TypeError(`${place}: ${z.core.toDotPath(issue?.path ?? [])}: ${issue?.message}`)
  }
  if (present) draft.replace(name, present, whole)
  else draft.add(name, whole)
}

const referred = {
  user_id: ['users', 'username', 'user'],
  project_id: ['projects', 'name', 'project'],
  field_id: ['customFields', 'name', 'custom field'],
} as const
const referring = Object.keys(referred) as (keyof typeof referred)[]

/** The record with ids in the place of names. */
function resolved(draft: Draft, given: Row, place: string): Row {
  let row = given
  for (const key of referring) {
    const text = row[key]
    if (text === undefined) continue
    const [collection, name, kind] = referred[key]
    if (typeof text === 'number' && !(key === 'project_id' && text === 0)) {
      if (draft.having(collection, ['id'], { id: text }).length === 0)
        throw new TypeError(`${place}: ${key}: there is no ${kind} ${text}`)
    }
    if (typeof text !== 'string') continue
    const [found] = draft.having(collection, [name], { [name]: text })
    if (!found) {
      const names = draft.rows[collection].map((candidate) => String(candidate[name]))
      throw new TypeError(`${place}: ${key}: ${noSuch(kind, text, names)}`)
    }
    row = { ...row, [key]: found.id }
  }
  return row
}
