/** One row for each collection, used by the store, starting states, images, differences and the inspector. */
import type { z } from 'zod'
import { levels } from './levels.js'
import * as record from './records.js'

export type Collation = Readonly<Record<'username' | 'customField', (name: string) => string>>

export type Key = string | number

/** The key of a record, or null if the index omits it. Several records may have the same key. */
export type KeyOf<R> = (record: R) => Key | null

export type UsernameOf = (id: unknown) => string | undefined

/** Members with the id of a record of another collection: that collection, its name member, and a word for its kind. */
export const references = {
  user_id: { collection: 'users', name: 'username', kind: 'user' },
  project_id: { collection: 'projects', name: 'name', kind: 'project' },
  field_id: { collection: 'customFields', name: 'name', kind: 'custom field' },
} as const

export type Reference = keyof typeof references

export type AnyRecord = Readonly<Record<string, unknown>>

interface Row<S extends z.ZodObject, I extends string, F extends object> {
  readonly schema: S
  /** The members that together identify a record. */
  readonly identity: readonly (keyof z.infer<S> & string)[]
  /** Another member by which a starting state identifies a record, for collections without `unique`. */
  readonly alias?: keyof z.infer<S> & string
  /** A unique member, and how its values are compared. */
  readonly unique?: { readonly member: keyof z.infer<S> & string; readonly collation?: keyof Collation }
  /** The counter of the highest id ever used; without it, a new id is one above the existing ones. */
  readonly counter?: keyof record.LastIds
  /** Indexes by name; the first is that of the identity. */
  readonly indexes: (by: Collation) => Readonly<Record<I, KeyOf<z.infer<S>>>>
  /** A reference that may be 0, which stands for all. */
  readonly refersToAll?: Reference
  /** The defaults of a new record except its id, made anew for each record. */
  readonly fill: (given: Readonly<Partial<z.infer<S>>>, usernameOf?: UsernameOf) => F
  /** Members whose changes are not part of differences and do not affect explanations of refusals. */
  readonly incidental?: readonly (keyof z.infer<S> & string)[]
  readonly secret?: keyof z.infer<S> & string
  /** The inspector's table and its usual columns. Null: in no table and no difference. */
  readonly shown: { readonly title: string; readonly columns: readonly (keyof z.infer<S> & string)[] } | null
}

const row = <S extends z.ZodObject, I extends string, F extends object>(one: Row<S, I, F>) => one

export const pair = (left: number, right: number | string) => `${left}/${right}`
export const columnsPlace = (user: number, project: number, type: string) => `${user}/${project}/${type}`

const START = '2025-01-01T00:00:00Z'

/** Made once, since a creation copies it. */
const plainField = {
  type: 0,
  ...record.each('', 'possible_values', 'default_value', 'valid_regexp'),
  access_level_r: levels.viewer as number,
  access_level_rw: levels.reporter as number,
  ...record.each(0, 'length_min', 'length_max'),
  display_report: false,
  display_update: true,
  ...record.each(false, 'display_resolved', 'display_closed'),
  ...record.each(false, 'require_report', 'require_update', 'require_resolved', 'require_closed'),
  filter_by: true,
}

/** In this order, records refer only to records of earlier collections. */
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
    fill: ({ username }) => ({
      realname: '',
      email: `${String(username).replace(/[^\w.-]/g, '.')}@example.org`,
      email_pending: null,
      password: 'Sunny-Day-2024',
      access_level: levels.reporter as number,
      enabled: true,
      protected: false,
      ...record.each(null, 'client_preferred', 'avatar'),
      failed_logins: 0,
      created_at: START,
      last_visit: null,
    }),
    secret: 'password',
    shown: {
      title: 'Users',
      columns: ['id', 'username', 'realname', 'email', 'access_level', 'enabled', 'protected'],
    },
  }),
  tokens: row({
    schema: record.token,
    identity: ['id'],
    unique: { member: 'secret' },
    counter: 'token',
    indexes: () => ({ id: ({ id }) => id, secret: ({ secret }) => secret, user: ({ user_id }) => user_id }),
    fill: ({ user_id = 0 }, usernameOf) => ({
      name: 'seed',
      secret: `token-of-${usernameOf?.(user_id) ?? user_id}`,
      kind: 'api' as const,
      created_at: START,
      used_at: null,
    }),
    incidental: ['used_at'],
    secret: 'secret',
    shown: { title: 'Tokens', columns: ['id', 'user_id', 'name', 'kind', 'created_at', 'used_at', 'secret'] },
  }),
  projects: row({
    schema: record.project,
    identity: ['id'],
    alias: 'name',
    indexes: () => ({ id: ({ id }) => id, name: ({ name }) => name }),
    fill: () => ({ description: '', enabled: true, public: true }),
    shown: { title: 'Projects', columns: ['id', 'name', 'description', 'enabled', 'public'] },
  }),
  memberships: row({
    schema: record.membership,
    identity: ['user_id', 'project_id'],
    indexes: () => ({ pair: (one) => pair(one.user_id, one.project_id), user: ({ user_id }) => user_id }),
    fill: () => ({ access_level: levels.reporter as number }),
    shown: { title: 'Members', columns: ['project_id', 'user_id', 'access_level'] },
  }),
  customFields: row({
    schema: record.customField,
    identity: ['id'],
    unique: { member: 'name', collation: 'customField' },
    counter: 'customField',
    indexes: (by) => ({ id: ({ id }) => id, name: ({ name }) => by.customField(name) }),
    fill: () => ({ ...plainField }),
    shown: {
      title: 'Custom fields',
      columns: ['id', 'name', 'type', 'possible_values', 'default_value', 'display_report', 'display_update'],
    },
  }),
  customFieldLinks: row({
    schema: record.customFieldLink,
    identity: ['field_id', 'project_id'],
    indexes: () => ({ pair: (one) => pair(one.field_id, one.project_id), field: (one) => one.field_id }),
    fill: () => ({ sequence: 0 }),
    shown: { title: 'Links to projects', columns: ['field_id', 'project_id', 'sequence'] },
  }),
  plugins: row({
    schema: record.plugin,
    identity: ['basename'],
    indexes: () => ({ basename: ({ basename }) => basename, folded: (one) => one.basename.toLowerCase() }),
    fill: ({ basename, installed }) => ({
      name: String(basename),
      version: '1.0.0',
      ...record.each('', 'description', 'author', 'contact', 'url', 'page'),
      requires: {},
      uses: {},
      installed: false,
      enabled: installed === true,
      protected: false,
      priority: 3,
      ...record.each(false, 'forced', 'needs_upgrade'),
    }),
    shown: {
      title: 'Plugins',
      columns: ['basename', 'name', 'version', 'installed', 'enabled', 'protected', 'priority'],
    },
  }),
  recipients: row({
    schema: record.recipient,
    identity: ['id'],
    alias: 'email',
    indexes: () => ({ id: ({ id }) => id, email: ({ email }) => email }),
    fill: ({ id, name }) => ({
      name: `Recipient ${id}`,
      email: `${name ?? `recipient.${id}`}@helpdesk.example.org`,
    }),
    shown: { title: 'Helpdesk recipients', columns: ['id', 'name', 'email'] },
  }),
  columnConfigurations: row({
    schema: record.columnConfiguration,
    identity: ['user_id', 'project_id', 'type'],
    indexes: () => ({ place: (one) => columnsPlace(one.user_id, one.project_id, one.type) }),
    refersToAll: 'project_id',
    fill: () => ({ project_id: 0, type: 'view' as const }),
    shown: { title: 'Issue-list columns', columns: ['user_id', 'project_id', 'type', 'columns'] },
  }),
  userSettings: row({
    schema: record.userSetting,
    identity: ['user_id', 'option'],
    indexes: () => ({ pair: ({ user_id, option }) => pair(user_id, option) }),
    fill: () => ({}),
    shown: { title: 'Settings of users', columns: ['user_id', 'option', 'value'] },
  }),
  extensionSettings: row({
    schema: record.extensionSetting,
    identity: ['option'],
    indexes: () => ({ option: ({ option }) => option }),
    fill: ({ value = null }) => ({ default: value, value: null, file_only: false }),
    shown: { title: 'Settings of the extension', columns: ['option', 'value', 'default', 'file_only'] },
  }),
  notifications: row({
    schema: record.notification,
    identity: ['id'],
    counter: 'notification',
    indexes: () => ({ id: ({ id }) => id }),
    fill: () => ({ at: START, changes: [] }),
    shown: null,
  }),
}

export type CollectionName = keyof typeof collections

export type RecordOf<C extends CollectionName> = z.infer<(typeof collections)[C]['schema']>

export type State = {
  schema: 'tracker-kit/state@1'
  lastIds: record.LastIds
} & { [C in CollectionName]: RecordOf<C>[] }

export const collectionNames = Object.keys(collections) as CollectionName[]

export type AnyRow = Omit<Row<z.ZodObject, string, object>, 'indexes' | 'fill'> & {
  readonly indexes: (by: Collation) => Readonly<Record<string, KeyOf<never>>>
  readonly fill: (given: never, usernameOf: UsernameOf) => object
}

export const rowOf = (name: CollectionName): AnyRow => collections[name] as unknown as AnyRow

export const referencesOf = ({ schema }: AnyRow): Reference[] =>
  (Object.keys(references) as Reference[]).filter((member) => Object.hasOwn(schema.shape, member))

export const hasIds = ({ identity }: AnyRow): boolean => identity[0] === 'id'

/** The collections in differences and in the inspector's tables; mail is shown in the outbox. */
export type ShownCollection = Exclude<CollectionName, 'notifications'>

export const shownCollections = collectionNames.filter((name) => collections[name].shown) as ShownCollection[]
