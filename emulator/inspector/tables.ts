/** The state for people: rows with what became of each since the start, and nothing that is secret. */
import { identities } from '../observe/diff.js'
import type { CollectionName } from '../state/store.js'
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

const hidden: Readonly<Record<string, string>> = { users: 'password', tokens: 'secret' }

/** By collection. What is gone stands at the end. */
export function tablesOf(tracker: Tracker): Tables {
  const state = tracker.snapshot()
  const diff = tracker.diff(undefined, state)
  const tables = Object.entries(identities).map(([name, keys]) => {
    const collection = name as keyof Tables
    const { added = [], changed = [], removed = [] } = diff[collection] ?? {}
    const keyOf = (cells: Cells) => JSON.stringify(keys.map((key) => cells[key]))
    const isNew = new Set<string>(added.map(keyOf))
    const changes = new Map(changed.map((change) => [keyOf(change.after), change]))
    const shown = (cells: Cells): Cells => {
      const secret = hidden[name]
      return secret === undefined || !(secret in cells) ? cells : { ...cells, [secret]: '***' }
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
