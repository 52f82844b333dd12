/** The state for people: rows with what became of each since the start, and nothing that is secret; and their changes. */
import { z } from 'zod'
import { identityIn } from '../observe/diff.js'
import { rowOf, type ShownCollection, type State, shownCollections } from '../state/collections.js'
import type { Tracker } from '../types.js'

export type Cells = Readonly<Record<string, unknown>>

export interface TableRow {
  readonly key: string
  readonly cells: Cells
  readonly change: 'added' | 'changed' | 'removed' | null
  /** The former values of what has changed. */
  readonly before: Cells
}

export type Tables = Readonly<Record<ShownCollection, readonly TableRow[]>>

const MASK = '***'

/** By collection. What is gone stands at the end. */
export function tablesOf(tracker: Tracker): Tables {
  const state = tracker.snapshot()
  const diff = tracker.diff(undefined, state)
  const tables = shownCollections.map((collection) => {
    const { added = [], changed = [], removed = [] } = diff[collection] ?? {}
    const keyOf = identityIn(collection)
    const isNew = new Set<string>(added.map(keyOf))
    const changes = new Map(changed.map((change) => [keyOf(change.after), change]))
    const shown = (cells: Cells): Cells => {
      const { secret } = rowOf(collection)
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
    return [collection, [...present, ...gone]]
  })
  return Object.fromEntries(tables) as Tables
}

const edit = z.strictObject({
  collection: z.enum(shownCollections),
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
    copy.db[collection].insert(cells as never)
    return tracker.restore(copy.snapshot())
  }
  const keyOf = identityIn(collection)
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
function secretOf(collection: ShownCollection, row: Cells, cells: Cells): Cells {
  const { secret } = rowOf(collection)
  return secret === undefined || cells[secret] !== MASK ? {} : { [secret]: row[secret] }
}
