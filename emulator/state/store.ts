/** The collections of one tracker, and its state as a whole. The only folder that knows `@mswjs/data`. */
import { z } from 'zod'
import { defaults } from './defaults.js'
import { imageOf as imageOfRows, type Image as Rows } from './image.js'
import { levels } from './levels.js'
import { checkRealm } from './realm.js'
import * as record from './records.js'
import { stateSchema } from './records.js'
import { type Collation, checkReferences } from './references.js'
import { Table } from './table.js'

export type * from './records.js'

function createCollections(collation: Collation, nextId: Store['nextId']) {
  const users = new Table(
    record.user,
    {
      id: ({ id }) => id,
      username: ({ username }) => collation.username(username),
      realname: ({ realname }) => (realname === '' ? null : collation.username(realname)),
      email: (user) => (user.email === '' ? null : user.email.toLowerCase()),
      administrator: (user) => (user.enabled && user.access_level >= levels.administrator ? 'enabled' : null),
    },
    (given) => ({ id: given.id ?? nextId('user'), ...defaults.user(given) }),
  )
  const projects = new Table(record.project, { id: ({ id }) => id }, (given) => ({
    id: given.id ?? projectId(),
    ...defaults.project(),
  }))
  const recipients = new Table(record.recipient, { id: ({ id }) => id }, (given) => {
    const id = given.id ?? recipientId()
    return { id, ...defaults.recipient({ ...given, id }) }
  })
  const projectId = idsOf(() => projects.rows)
  const recipientId = idsOf(() => recipients.rows)
  return {
    users,
    tokens: new Table(
      record.token,
      {
        id: ({ id }) => id,
        secret: ({ secret }) => secret,
        user: ({ user_id }) => user_id,
      },
      ({ id, user_id = 0 }) => ({
        id: id ?? nextId('token'),
        ...defaults.token(users.find('id', user_id)?.username ?? user_id),
      }),
    ),
    projects,
    memberships: new Table(
      record.membership,
      {
        pair: (row) => pair(row.user_id, row.project_id),
        user: ({ user_id }) => user_id,
      },
      defaults.membership,
    ),
    customFields: new Table(
      record.customField,
      {
        id: ({ id }) => id,
        name: ({ name }) => collation.customField(name),
      },
      ({ id }) => ({ id: id ?? nextId('customField'), ...defaults.customField() }),
    ),
    customFieldLinks: new Table(
      record.customFieldLink,
      {
        pair: (row) => pair(row.field_id, row.project_id),
        field: ({ field_id }) => field_id,
      },
      defaults.customFieldLink,
    ),
    plugins: new Table(
      record.plugin,
      {
        basename: ({ basename }) => basename,
        folded: ({ basename }) => basename.toLowerCase(),
      },
      defaults.plugin,
    ),
    recipients,
    columnConfigurations: new Table(
      record.columnConfiguration,
      { place: (row) => columnsPlace(row.user_id, row.project_id, row.type) },
      defaults.columnConfiguration,
    ),
    userSettings: new Table(record.userSetting, { pair: (row) => pair(row.user_id, row.option) }),
    extensionSettings: new Table(
      record.extensionSetting,
      { option: ({ option }) => option },
      defaults.extensionSetting,
    ),
    notifications: new Table(record.notification, { id: ({ id }) => id }, ({ id }) => ({
      id: id ?? nextId('notification'),
      ...defaults.notification(),
    })),
  }
}

/** Ids above those that are there and those that were given, for records that may be made at the same time. */
function idsOf(rows: () => readonly { readonly id: number }[]): () => number {
  let last = 0
  return () => {
    last = rows().reduce((most, { id }) => Math.max(most, id), last) + 1
    return last
  }
}

/**
 * The collections, to seed and to assert on. Written to directly, they keep their indexes right; what a new record
 * leaves out is filled in, as in a starting state.
 */
export type Collections = ReturnType<typeof createCollections>

export const pair = (left: number, right: number | string) => `${left}/${right}`
export const columnsPlace = (user: number, project: number, type: string) => `${user}/${project}/${type}`

type IdKind = keyof record.State['lastIds']

/** All that a tracker stores at one moment. Costs a few references; trackers may share it. */
export interface Image {
  readonly lastIds: record.State['lastIds']
  readonly tables: Readonly<Record<CollectionName, Rows>>
}

export interface Store {
  readonly db: Collections
  readonly collation: Collation
  /** Compares otherwise from now on. The caller has seen that what is stored stays unique. */
  collate(collation: Collation): void
  nextId(kind: IdKind, step?: number): number
  /** Runs `work` as a whole: until it has ended, `image` shows what was before; when it throws, nothing has happened. */
  whole<T>(work: () => Promise<T>): Promise<T>
  /** The state after the last whole piece of work. */
  image(): Image
  /** Puts an image back, at once. */
  put(image: Image): void
}

export type CollectionName = Exclude<keyof record.State, 'schema' | 'lastIds'>

export const collectionNames = Object.keys(stateSchema.shape).filter(
  (name) => name !== 'schema' && name !== 'lastIds',
) as CollectionName[]

export function createStore(initial: Collation): Store {
  checkRealm()
  let current = initial
  const collation: Collation = {
    username: (name) => current.username(name),
    customField: (name) => current.customField(name),
  }
  const nextId: Store['nextId'] = (kind, step = 1) => {
    do lastIds[kind] += step
    while (
      // A test may have put a record there by hand.
      counted[kind].find('id', lastIds[kind])
    )
    return lastIds[kind]
  }
  const db = createCollections(collation, nextId)
  const lastIds = { user: 0, token: 0, customField: 0, notification: 0 }
  const counted = {
    user: db.users,
    token: db.tokens,
    customField: db.customFields,
    notification: db.notifications,
  }
  const imageBy = (
    ids: record.State['lastIds'],
    rowsOf: (table: Collections[CollectionName]) => Rows,
  ): Image => ({
    lastIds: { ...ids },
    tables: Object.fromEntries(collectionNames.map((name) => [name, rowsOf(db[name])])) as Image['tables'],
  })
  const put = (image: Image) => {
    Object.assign(lastIds, image.lastIds)
    for (const name of collectionNames) db[name].put(image.tables[name] as never)
  }
  const before = () => (idsBefore ? imageBy(idsBefore, (table) => table.before()) : null)
  let idsBefore: record.State['lastIds'] | null = null

  return {
    db,
    collation,
    collate(next) {
      current = next
      db.users.reindex()
      db.customFields.reindex()
    },
    nextId,
    async whole(work) {
      idsBefore = { ...lastIds }
      for (const name of collectionNames) db[name].begin()
      let undone: Image | null = null
      try {
        return await work()
      } catch (error) {
        undone = before()
        throw error
      } finally {
        idsBefore = null
        for (const name of collectionNames) db[name].end()
        if (undone) put(undone)
      }
    },
    image: () => before() ?? imageBy(lastIds, (table) => table.image()),
    put,
  }
}

/** The image of a state that is known to be one: `parseState` tells. */
export async function imageOf({ lastIds, ...lists }: record.State): Promise<Image> {
  const tables: Record<string, Rows> = {}
  for (const name of collectionNames) tables[name] = await imageOfRows<object>(lists[name])
  return { lastIds: { ...lastIds }, tables: tables as Image['tables'] }
}

/** An image as plain JSON, which nobody else holds. */
export function stateOf({ lastIds, tables }: Image): record.State {
  return {
    schema: 'tracker-kit/state@1',
    lastIds: { ...lastIds },
    ...structuredClone(tables),
  } as record.State
}

/** The state in `input`; throws one line that says what is wrong with it. */
export function parseState(input: unknown, collation: Collation): record.State {
  const result = stateSchema.safeParse(input)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new TypeError(
      `Not a tracker's state: ${z.core.toDotPath(issue?.path ?? []) || 'it'}: ${issue?.message}`,
    )
  }
  checkReferences(result.data, collation)
  return result.data
}
