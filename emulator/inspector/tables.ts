/** The state for people: rows with what became of each since the start, and nothing that is secret; and their changes. */
import { z } from 'zod'
import { identities } from '../observe/diff.js'
import type { CollectionName, State } from '../state/store.js'
import type { Tracker } from '../types.js'

export type Cells = Readonly<Record<string, unknown>>

export interface TableRow {
  readonly key: string
  readonly cells: Cells
  readonly change: 'added' | 'changed' | 'removed' | null
  /** The former values of what has changed. */
  readonly before: Cells
}

export type Tables = Readonly<Record<Exclude<CollectionName, 'notifications'>, readonly TableRow[]>>

const MASK = '***'
const hidden: Readonly<Record<string, string>> = { users: 'password', tokens: 'secret' }

/** By collection. What is gone stands at the end. */
export function tablesOf(tracker: Tracker): Tables {
  const state = tracker.snapshot()
  const diff = tracker.diff(undefined, state)
  const tables = Object.entries(identities).map(([name, keys]) => {
    const collection = name as keyof Tables
    const { added = [], changed = [], removed = [] } = diff[collection] ?? {}
    const keyOf = keyBy(keys)
    const isNew = new Set<string>(added.map(keyOf))
    const changes = new Map(changed.map((change) => [keyOf(change.after), change]))
    const shown = (cells: Cells): Cells => {
      const secret = hidden[name]
      return secret === undefined || !(secret in cells) ? cells : { ...cells, [secret]: MASK }
    }
    const present = state[collection].map((cells): TableRow => {
      const key = keyOf(cells)
      const change = changes.get(key)
      const old: Cells = change?.before ?? {}
      const before = Object.fromEntries(change?.fields.map((field) => [field, old[field]]) ?? [])
      return {
        key,
        cells: shown(cells),
        change: isNew.has(key) ? 'added' : change ? 'changed' : null,
        before: shown(before),
      }
    })
    const gone = removed.map((cells: Cells): TableRow => {
      return { key: keyOf(cells), cells: shown(cells), change: 'removed', before: {} }
    })
    return [name, [...present, ...gone]]
  })
  return Object.fromEntries(tables) as Tables
}

const keyBy = (keys: readonly string[]) => (cells: Cells) => JSON.stringify(keys.map((key) => cells[key]))

const edit = z.strictObject({
  collection: z.enum(Object.keys(identities) as [keyof Tables, ...(keyof Tables)[]]),
  /** Of the row; null adds one, which needs no more than its keys. */
  key: z.string().nullable(),
  /** Null takes the row away. */
  cells: z.record(z.string(), z.unknown()).nullable(),
})

/** Adds, changes or removes a row. Throws one line where the state would not be one, and changes nothing then. */
export async function editRow(tracker: Tracker, value: unknown): Promise<void> {
  const result = edit.safeParse(value)
  if (!result.success) throw new TypeError('A change has collection, key and cells')
  const { collection, key, cells } = result.data
  const copy = tracker.fork()
  if (key === null) {
    await copy.db[collection].create(cells as never)
    return tracker.restore(copy.snapshot())
  }
  const keyOf = keyBy(identities[collection])
  const state = tracker.snapshot()
  const rows: readonly Cells[] = state[collection]
  if (!rows.some((row) => keyOf(row) === key)) throw new RangeError('The row is gone')
  const changed = rows.flatMap((row) => {
    if (keyOf(row) !== key) return [row]
    return cells === null ? [] : [{ ...cells, ...secretOf(collection, row, cells) }]
  })
  await tracker.restore({ ...state, [collection]: changed } as State)
}

/** What was not shown stays as it was. */
function secretOf(collection: string, row: Cells, cells: Cells): Cells {
  const secret = hidden[collection]
  return secret === undefined || cells[secret] !== MASK ? {} : { [secret]: row[secret] }
}
