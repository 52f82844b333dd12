/** The differences between two states of the emulator, and the calls that they can affect. */
import { isDeepStrictEqual } from 'node:util'
import { type CollectionName, collectionNames, rowOf } from '../../../emulator/state/collections.js'
import type { Image } from '../../../emulator/state/store.js'
import type { OperationId } from '../../contract/index.js'
import { folded, scalars } from '../../oracle/json.js'
import type { Sent } from '../trace/recorded.js'
import { memoised } from '../trace/shape.js'

type Row = Readonly<Record<string, unknown>>

/** For each key, the record in the first state and in the other one; null where a state has none. */
type Rows = ReadonlyMap<string, { readonly was: Row | null; readonly now: Row | null }>

export interface Change {
  readonly tables: ReadonlyMap<CollectionName, Rows>
  /** Ids of the users that the change concerns, and every name by which a request may refer to them. */
  readonly users: ReadonlySet<number>
  readonly names: ReadonlySet<string>
}

/** Tables that each sign-in or mail changes, and that no compared answer shows. */
const unseen: readonly CollectionName[] = ['notifications']
const compared = collectionNames.filter((name) => !unseen.includes(name))

const keyOf = (name: CollectionName, row: Row) =>
  rowOf(name)
    .identity.map((one) => row[one])
    .join('/')

/** The changes from one state to another; null where the states are equal. */
export function changeBetween(before: Image, after: Image): Change | null {
  const tables = new Map<CollectionName, Rows>()
  for (const name of compared) {
    const rows = changedRows(
      name,
      before.tables[name] as readonly Row[],
      after.tables[name] as readonly Row[],
    )
    if (rows.size > 0) tables.set(name, rows)
  }
  return tables.size === 0 ? null : { tables, ...concerned(tables, before, after) }
}

function changedRows(name: CollectionName, before: readonly Row[], after: readonly Row[]): Rows {
  const found = new Map<string, { was: Row | null; now: Row | null }>()
  if (before === after) return found
  const known = new Set(before)
  const fresh = after.filter((row) => !known.delete(row))
  if (fresh.length === 0 && known.size === 0) return found
  const old = new Map([...known].map((row) => [keyOf(name, row), row]))
  for (const row of fresh) {
    const key = keyOf(name, row)
    const was = old.get(key) ?? null
    if (!isDeepStrictEqual(was, row)) found.set(key, { was, now: row })
    old.delete(key)
  }
  for (const [key, was] of old) found.set(key, { was, now: null })
  return found
}

/** Applies the change to a state. */
export function changed(state: Image, { tables }: Change): Image {
  const patched = [...tables].map(([name, rows]) => {
    const left = new Map(rows)
    const kept = (state.tables[name] as readonly Row[]).flatMap((row) => {
      const key = keyOf(name, row)
      const other = left.get(key)
      left.delete(key)
      return other === undefined ? [row] : (other.now ?? [])
    })
    return [name, [...kept, ...[...left.values()].flatMap(({ now }) => now ?? [])]]
  })
  return { ...state, tables: { ...state.tables, ...Object.fromEntries(patched) } }
}

function concerned(tables: Change['tables'], before: Image, after: Image): Pick<Change, 'users' | 'names'> {
  const users = new Set<number>()
  const names = new Set<string>()
  const add = (user: Row) => {
    users.add(Number(user.id))
    for (const member of ['id', 'username', 'email', 'realname'])
      if (user[member] !== '') names.add(folded(user[member]))
  }
  for (const [name, rows] of tables)
    for (const { was, now } of rows.values())
      for (const one of [was, now]) {
        if (one === null) continue
        if (name === 'users') add(one)
        const id = one.user_id
        if (typeof id !== 'number' || users.has(id)) continue
        for (const image of [before, after])
          for (const user of image.tables.users as readonly Row[]) if (user.id === id) add(user)
      }
  return { users, names }
}

/** For each table, the operations that show or use it, whichever user they are about. */
const readers: Partial<Record<CollectionName, RegExp>> = {
  customFields: /CustomField|manageColumns/,
  customFieldLinks: /CustomField/,
  plugins: /Plugin/,
  recipients: /Recipient/,
  columnConfigurations: /manageColumns/,
  extensionSettings: /updateSettings/,
  projects: /Project|CustomField|manageColumns/,
}

/** Texts of a request that may name a user. */
const wordsOf = memoised(
  ({ address = '', body }: Sent): ReadonlySet<string> => new Set([address, ...scalars(body)].map(folded)),
)

/** Whether a change can affect a call. `callerId`: the user behind its credentials, if that is known. */
export function concerns({ tables, users, names }: Change, call: Sent, callerId: number | null): boolean {
  const isRead = (operation: OperationId) => [...tables.keys()].some((name) => readers[name]?.test(operation))
  if (isRead(call.operation)) return true
  if (users.size === 0) return false
  // The request does not show the user of a session, nor what a page shows of all users.
  if (callerId === null || users.has(callerId) || /CreatePage/.test(call.operation)) return true
  const own = wordsOf(call)
  for (const name of names) if (own.has(name)) return true
  return false
}
