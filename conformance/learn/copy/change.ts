/** What one state of the emulator has otherwise than another, and which calls that can concern. */
import { isDeepStrictEqual } from 'node:util'
import { type CollectionName, collectionNames, rowOf } from '../../../emulator/state/collections.js'
import type { Image } from '../../../emulator/state/store.js'
import type { OperationId } from '../../contract/index.js'
import { folded, scalars } from '../../oracle/json.js'
import type { Sent } from '../trace/recorded.js'
import { memoised } from '../trace/shape.js'

type Row = Readonly<Record<string, unknown>>

/** By key, the record as it was, and as it is in the other state; null where there is none. */
type Rows = ReadonlyMap<string, { readonly was: Row | null; readonly now: Row | null }>

export interface Change {
  readonly tables: ReadonlyMap<CollectionName, Rows>
  /** Ids of the users that it concerns, and all by which a request may name them. */
  readonly users: ReadonlySet<number>
  readonly names: ReadonlySet<string>
}

/** Written at each sign-in or mail, and shown by no answer that is compared. */
const unseen: readonly CollectionName[] = ['notifications']
const compared = collectionNames.filter((name) => !unseen.includes(name))

const keyOf = (name: CollectionName, row: Row) =>
  rowOf(name)
    .identity.map((one) => row[one])
    .join('/')

/** Null where the two are alike. */
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

/** A state with the change. */
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

/** Operations that show or use what is in a table, whomever they are about. */
const readers: Partial<Record<CollectionName, RegExp>> = {
  customFields: /CustomField|manageColumns/,
  customFieldLinks: /CustomField/,
  plugins: /Plugin/,
  recipients: /Recipient/,
  columnConfigurations: /manageColumns/,
  extensionSettings: /updateSettings/,
  projects: /Project|CustomField|manageColumns/,
}

/** Texts of a request by which it may be about somebody. */
const wordsOf = memoised(
  ({ address = '', body }: Sent): ReadonlySet<string> => new Set([address, ...scalars(body)].map(folded)),
)

/** Whether a call may find something else. `callerId`: the user behind its credentials, if that is known. */
export function concerns({ tables, users, names }: Change, call: Sent, callerId: number | null): boolean {
  const isRead = (operation: OperationId) => [...tables.keys()].some((name) => readers[name]?.test(operation))
  if (isRead(call.operation)) return true
  if (users.size === 0) return false
  // Whom a session speaks for, and what a page shows of all users, is not told by the request.
  if (callerId === null || users.has(callerId) || /CreatePage/.test(call.operation)) return true
  const own = wordsOf(call)
  for (const name of names) if (own.has(name)) return true
  return false
}
