/** The records of a starting state that is being put together, found by their members without a search. */
import { type CollectionName, collectionNames } from '../state/store.js'

export type Row = Readonly<Record<string, unknown>>

export interface Draft {
  readonly rows: Readonly<Record<CollectionName, readonly Row[]>>
  /** An id above all that are there. */
  nextId(name: CollectionName): number
  /** The records that have these values in these members. */
  having(name: CollectionName, members: readonly string[], row: Row): Row[]
  add(name: CollectionName, row: Row): void
  replace(name: CollectionName, row: Row, by: Row): void
}

/** Holds its own lists of the given records. */
export function draftOf(lists: Readonly<Record<CollectionName, readonly Row[]>>): Draft {
  const copies = collectionNames.map((name): [string, Row[]] => [name, [...lists[name]]])
  const rows = Object.fromEntries(copies) as Record<CollectionName, Row[]>
  // Made on first use: most seeds touch few collections, and those by few members.
  const lookups = new Map<string, Lookup>()
  const highest = new Map<CollectionName, number>()

  function lookup(name: CollectionName, members: readonly string[]): Lookup {
    const id = [name, ...members].join()
    const found = lookups.get(id) ?? createLookup(name, members, rows[name])
    lookups.set(id, found)
    return found
  }

  const lookupsOf = (name: CollectionName) => [...lookups.values()].filter((each) => each.name === name)

  function noteId(name: CollectionName, { id }: Row): void {
    const known = highest.get(name)
    if (known !== undefined) highest.set(name, Math.max(known, Number(id)))
  }

  return {
    rows,
    nextId(name) {
      const known = highest.get(name) ?? rows[name].reduce((most, { id }) => Math.max(most, Number(id)), 0)
      highest.set(name, known)
      return known + 1
    },
    having: (name, members, row) => lookup(name, members).having(row),
    add(name, row) {
      rows[name].push(row)
      noteId(name, row)
      for (const each of lookupsOf(name)) each.add(row)
    },
    replace(name, row, by) {
      rows[name][rows[name].indexOf(row)] = by
      noteId(name, by)
      for (const each of lookupsOf(name)) {
        each.remove(row)
        each.add(by)
      }
    },
  }
}

interface Lookup {
  readonly name: CollectionName
  having(row: Row): Row[]
  add(row: Row): void
  remove(row: Row): void
}

function createLookup(name: CollectionName, members: readonly string[], rows: readonly Row[]): Lookup {
  const byValues = new Map<string, Set<Row>>()
  const valuesOf = (row: Row) => JSON.stringify(members.map((member) => row[member]))
  const add = (row: Row) => {
    const values = valuesOf(row)
    const found = byValues.get(values)
    if (found) found.add(row)
    else byValues.set(values, new Set([row]))
  }
  for (const row of rows) add(row)
  return {
    name,
    having: (row) => [...(byValues.get(valuesOf(row)) ?? [])],
    add,
    remove: (row) => void byValues.get(valuesOf(row))?.delete(row),
  }
}
