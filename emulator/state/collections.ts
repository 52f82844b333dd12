/** One row for each collection, which the store, starting states, images, differences and the inspector read. */
import type { z } from 'zod'
import { defaults } from './defaults.js'
import { levels } from './levels.js'
import * as record from './records.js'
import type { Key } from './table-index.js'

/** How texts that must be unique are compared. */
export interface Collation {
  username(name: string): string
  customField(name: string): string
}

/** A record's key, or null where the index leaves it out. Several records may have the same. */
export type KeyOf<R> = (record: R) => Key | null

/** What a new record may ask about the others. */
export interface Others {
  /** The username of a user; undefined where nobody has the id. */
  usernameOf(id: unknown): string | undefined
}

/** Members that refer to a record of another collection by its id: the collection, its name member, and its kind in words. */
export const references = {
  user_id: { collection: 'users', name: 'username', kind: 'user' },
  project_id: { collection: 'projects', name: 'name', kind: 'project' },
  field_id: { collection: 'customFields', name: 'name', kind: 'custom field' },
} as const

export type Reference = keyof typeof references

/** A record without the types of its members. */
export type AnyRecord = Readonly<Record<string, unknown>>

interface Row<S extends z.ZodObject, I extends string, F extends object> {
  readonly schema: S
  /** The members that together tell a record from all others. */
  readonly identity: readonly (keyof z.infer<S> & string)[]
  /** Another member that tells which record a starting state means, where none is `unique`. */
  readonly alias?: keyof z.infer<S> & string
  /** A member that no two records share, and how two values of it are compared. `hidden`: it is not told. */
  readonly unique?: {
    readonly member: keyof z.infer<S> & string
    readonly collation?: keyof Collation
    readonly hidden?: true
  }
  /** Where the highest id ever given out is kept; without it a new id is one above those that are there. */
  readonly counter?: keyof record.LastIds
  /** By name, the first by the identity. */
  readonly indexes: (by: Collation) => Readonly<Record<I, KeyOf<z.infer<S>>>>
  /** The reference may be 0, which stands for all. */
  readonly refersToAll?: Reference
  /** What a new record has that says nothing else, besides its id. Made anew for each. */
  readonly fill: (given: Readonly<Partial<z.infer<S>>>, others: Others) => F
  /** Changes of these are part of no difference, and explain no refusal. */
  readonly incidental?: readonly (keyof z.infer<S> & string)[]
  readonly secret?: keyof z.infer<S> & string
  /** Where the inspector shows it, and which members at first. Null: not as a table, and no part of a difference. */
  readonly shown: {
    readonly group: string
    /** Of the table, where it is not the group. */
    readonly title?: string
    readonly columns: readonly (keyof z.infer<S> & string)[]
  } | null
}

const row = <S extends z.ZodObject, I extends string, F extends object>(one: Row<S, I, F>) => one

export const pair = (left: number, right: number | string) => `${left}/${right}`
export const columnsPlace = (user: number, project: number, type: string) => `${user}/${project}/${type}`

/** In the order in which records of one may refer to records of another. */
export const collections = {
  users: row({
    schema: record.user,
    identity: ['id'],
    unique: { member: 'username', collation: 'username' },
    counter: 'user',
    indexes: (by) => ({
      id: ({ id }) => id,
      username: ({ username }) => by.username(username),
      realname: ({ realname }) => (realname === '' ? null : by.username(realname)),
      email: ({ email }) => (email === '' ? null : email.toLowerCase()),
      administrator: (user) => (user.enabled && user.access_level >= levels.administrator ? 'enabled' : null),
    }),
    fill: defaults.user,
    secret: 'password',
    shown: {
      group: 'Users',
      columns: ['id', 'username', 'realname', 'email', 'access_level', 'enabled', 'protected'],
    },
  }),
  tokens: row({
    schema: record.token,
    identity: ['id'],
    unique: { member: 'secret', hidden: true },
    counter: 'token',
    indexes: () => ({ id: ({ id }) => id, secret: ({ secret }) => secret, user: ({ user_id }) => user_id }),
    fill: ({ user_id = 0 }, { usernameOf }) => defaults.token(usernameOf(user_id) ?? user_id),
    incidental: ['used_at'],
    secret: 'secret',
    shown: {
      group: 'Tokens',
      columns: ['id', 'user_id', 'name', 'kind', 'created_at', 'used_at', 'secret'],
    },
  }),
  projects: row({
    schema: record.project,
    identity: ['id'],
    alias: 'name',
    indexes: () => ({ id: ({ id }) => id }),
    fill: defaults.project,
    shown: { group: 'Projects', columns: ['id', 'name', 'description', 'enabled', 'public'] },
  }),
  memberships: row({
    schema: record.membership,
    identity: ['user_id', 'project_id'],
    indexes: () => ({
      pair: ({ user_id, project_id }) => pair(user_id, project_id),
      user: ({ user_id }) => user_id,
    }),
    fill: defaults.membership,
    shown: { group: 'Projects', title: 'Members', columns: ['project_id', 'user_id', 'access_level'] },
  }),
  customFields: row({
    schema: record.customField,
    identity: ['id'],
    unique: { member: 'name', collation: 'customField' },
    counter: 'customField',
    indexes: (by) => ({ id: ({ id }) => id, name: ({ name }) => by.customField(name) }),
    fill: defaults.customField,
    shown: {
      group: 'Custom fields',
      columns: ['id', 'name', 'type', 'possible_values', 'default_value', 'display_report', 'display_update'],
    },
  }),
  customFieldLinks: row({
    schema: record.customFieldLink,
    identity: ['field_id', 'project_id'],
    indexes: () => ({
      pair: ({ field_id, project_id }) => pair(field_id, project_id),
      field: ({ field_id }) => field_id,
    }),
    fill: defaults.customFieldLink,
    shown: {
      group: 'Custom fields',
      title: 'Links to projects',
      columns: ['field_id', 'project_id', 'sequence'],
    },
  }),
  plugins: row({
    schema: record.plugin,
    identity: ['basename'],
    indexes: () => ({
      basename: ({ basename }) => basename,
      folded: ({ basename }) => basename.toLowerCase(),
    }),
    fill: defaults.plugin,
    shown: {
      group: 'Plugins',
      columns: ['basename', 'name', 'version', 'installed', 'enabled', 'protected', 'priority'],
    },
  }),
  recipients: row({
    schema: record.recipient,
    identity: ['id'],
    alias: 'email',
    indexes: () => ({ id: ({ id }) => id }),
    fill: defaults.recipient,
    shown: { group: 'Recipients', title: 'Helpdesk recipients', columns: ['id', 'name', 'email'] },
  }),
  columnConfigurations: row({
    schema: record.columnConfiguration,
    identity: ['user_id', 'project_id', 'type'],
    indexes: () => ({ place: (one) => columnsPlace(one.user_id, one.project_id, one.type) }),
    refersToAll: 'project_id',
    fill: defaults.columnConfiguration,
    shown: {
      group: 'Columns',
      title: 'Issue-list columns',
      columns: ['user_id', 'project_id', 'type', 'columns'],
    },
  }),
  userSettings: row({
    schema: record.userSetting,
    identity: ['user_id', 'option'],
    indexes: () => ({ pair: ({ user_id, option }) => pair(user_id, option) }),
    fill: () => ({}),
    shown: { group: 'Settings', title: 'Of users', columns: ['user_id', 'option', 'value'] },
  }),
  extensionSettings: row({
    schema: record.extensionSetting,
    identity: ['option'],
    indexes: () => ({ option: ({ option }) => option }),
    fill: defaults.extensionSetting,
    shown: {
      group: 'Settings',
      title: 'Of the extension',
      columns: ['option', 'value', 'default', 'file_only'],
    },
  }),
  notifications: row({
    schema: record.notification,
    identity: ['id'],
    counter: 'notification',
    indexes: () => ({ id: ({ id }) => id }),
    fill: defaults.notification,
    shown: null,
  }),
}

export type CollectionName = keyof typeof collections

export type RecordOf<C extends CollectionName> = z.infer<(typeof collections)[C]['schema']>

export type State = {
  schema: 'tracker-kit/state@1'
  /** The highest ids ever given out: an id is never used twice. */
  lastIds: record.LastIds
} & { [C in CollectionName]: RecordOf<C>[] }

export const collectionNames = Object.keys(collections) as CollectionName[]

/** A row without the types of its records. */
export type AnyRow = Omit<Row<z.ZodObject, string, object>, 'indexes' | 'fill'> & {
  readonly indexes: (by: Collation) => Readonly<Record<string, KeyOf<never>>>
  readonly fill: (given: never, others: Others) => object
}

export const rowOf = (name: CollectionName): AnyRow => collections[name] as unknown as AnyRow

/** The members that refer to a record of another collection. */
export const referencesOf = ({ schema }: AnyRow): Reference[] =>
  (Object.keys(references) as Reference[]).filter((member) => Object.hasOwn(schema.shape, member))

export const hasIds = ({ identity }: AnyRow): boolean => identity[0] === 'id'

/** Those that differences and the inspector's tables show: mail is looked at in the outbox. */
export type ShownCollection = Exclude<CollectionName, 'notifications'>

export const shownCollections = collectionNames.filter((name) => collections[name].shown) as ShownCollection[]
