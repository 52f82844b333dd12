/** The differences between two states of the emulator, and the calls that they can affect. */
import { isDeepStrictEqual } from 'node:util'
import { type CollectionName, collectionNames, rowOf } from '../../../emulator/state/collections.js'
import type { Image } from '../../../emulator/state/store.js'
import type { OperationId } from '../../contract/index.js'
import { folded, scalars } from '../../oracle/json.js'
import type { Sent } from '../trace/recorded.js'
import { memoised } from '../trace/shape.js'

type Row = Readonly<Record<string, unknown>>

export interface Change {
  /** The changed records of each table, by key; null for a record that has gone. */
  readonly tables: ReadonlyMap<CollectionName, ReadonlyMap<string, Row | null>>
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

const rowsIn = ({ tables }: Image, name: CollectionName) => tables[name] as readonly Row[]

/** The changes from one state to another; null where the states are equal. */
export function changeBetween(before: Image, after: Image): Change | null {
  const tables = new Map<CollectionName, ReadonlyMap<string, Row | null>>()
  const [users, names] = [new Set<number>(), new Set<string>()]
  for (const name of compared) {
    const { old, rows } = changedRows(name, rowsIn(before, name), rowsIn(after, name))
    if (rows.size === 0) continue
    tables.set(name, rows)
    for (const row of [...old, ...rows.values()]) {
      const id = name === 'users' ? row?.id : row?.user_id
      if (typeof id === 'number') users.add(id)
    }
  }
  if (tables.size === 0) return null
  for (const user of [...rowsIn(before, 'users'), ...rowsIn(after, 'users')])
    if (users.has(Number(user.id)))
      for (const member of ['id', 'username', 'email', 'realname'])
        if (user[member] !== '') names.add(folded(user[member]))
  return { tables, users, names }
}

/** The changed records by key, and the former ones. */
function changedRows(name: CollectionName, before: readonly Row[], after: readonly Row[]) {
  const gone = new Set(before === after ? [] : before)
  const fresh = before === after ? [] : after.filter((row) => !gone.delete(row))
  const old = new Map([...gone].map((row) => [keyOf(name, row), row]))
  const rows = new Map<string, Row | null>([...old.keys()].map((key) => [key, null]))
  for (const row of fresh) {
    const key = keyOf(name, row)
    if (isDeepStrictEqual(old.get(key), row)) {
      old.delete(key)
      rows.delete(key)
    } else rows.set(key, row)
  }
  return { old: old.values(), rows }
}

/** Applies the change to a state. */
export function changed(state: Image, { tables }: Change): Image {
  const patched = [...tables].map(([name, rows]) => {
    const left = new Map(rows)
    const kept = rowsIn(state, name).flatMap((row) => {
      const key = keyOf(name, row)
      const other = left.get(key)
      left.delete(key)
      return other === undefined ? [row] : (other ?? [])
    })
    return [name, [...kept, ...[...left.values()].flatMap((row) => row ?? [])]]
  })
  return { ...state, tables: { ...state.tables, ...Object.fromEntries(patched) } }
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
