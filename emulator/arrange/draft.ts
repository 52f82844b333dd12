/** A starting state under construction, whose records are found by their members without a search. */
import { type CollectionName, collectionNames } from '../state/collections.js'
import { Index, type Key } from '../state/table-index.js'

export type Row = Readonly<Record<string, unknown>>

export type Draft = ReturnType<typeof draftOf>

/** A draft with its own lists of the given records. */
export function draftOf(lists: Readonly<Record<CollectionName, readonly Row[]>>) {
  const copies = collectionNames.map((name): [string, Row[]] => [name, [...lists[name]]])
  const rows = Object.fromEntries(copies) as Record<CollectionName, Row[]>
  // Made on first use: most seeds touch few collections, and use few members to find records.
  const indexes = new Map<CollectionName, Map<string, Index<Row>>>()
  const highest = new Map<CollectionName, number>()

  function indexOf(name: CollectionName, members: readonly string[]): Index<Row> {
    const ofName = indexes.get(name) ?? new Map<string, Index<Row>>()
    const found = ofName.get(members.join())
    if (found) return found
    const index = new Index((row: Row) => valuesOf(row, members))
    for (const row of rows[name]) index.add(row)
    indexes.set(name, ofName.set(members.join(), index))
    return index
  }

  const indexesOf = (name: CollectionName) => indexes.get(name)?.values() ?? []

  function noteId(name: CollectionName, { id }: Row): void {
    const known = highest.get(name)
    if (known !== undefined) highest.set(name, Math.max(known, Number(id)))
  }

  return {
    rows: rows as Readonly<Record<CollectionName, readonly Row[]>>,
    /** An id above all existing ones. */
    nextId(name: CollectionName): number {
      const known = highest.get(name) ?? rows[name].reduce((most, { id }) => Math.max(most, Number(id)), 0)
      highest.set(name, known)
      return known + 1
    },
    /** The records that have these values in these members. */
    having: (name: CollectionName, members: readonly string[], row: Row): readonly Row[] =>
      indexOf(name, members).list(valuesOf(row, members)),
    add(name: CollectionName, row: Row): void {
      rows[name].push(row)
      noteId(name, row)
      for (const index of indexesOf(name)) index.add(row)
    },
    replace(name: CollectionName, row: Row, by: Row): void {
      rows[name][rows[name].indexOf(row)] = by
      noteId(name, by)
      for (const index of indexesOf(name)) {
        index.remove(row)
        index.add(by)
      }
    },
  }
}

/** The key for some members. A single text or number is its own key; a member of a key has no other type. */
function valuesOf(row: Row, members: readonly string[]): Key {
  const [first = ''] = members
  const value = row[first]
  const isKey = members.length === 1 && (typeof value === 'string' || typeof value === 'number')
  return isKey ? value : JSON.stringify(members.map((member) => row[member]))
}
