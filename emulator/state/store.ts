/** The collections of one tracker, and its state as a whole. */
import type { z } from 'zod'
import type { Collation, CollectionName, collections, Key, KeyOf } from './collections.js'
import { collectionNames, hasIds, rowOf } from './collections.js'
import type { LastIds } from './records.js'
import type { Image } from './state.js'
import { Table, type Write } from './table.js'

export { type CollectionName, columnsPlace, pair, type State } from './collections.js'
export type * from './records.js'
export { type Image, imageOf, parseState, stateOf } from './state.js'

type TableOf<Row> = Row extends {
  readonly schema: infer S
  readonly indexes: (by: Collation) => Readonly<Record<infer I, unknown>>
  readonly fill: (...given: never[]) => infer F
}
  ? S extends z.ZodObject
    ? Table<z.infer<S>, I & string, WithId<S, F> & object>
    : never
  : never

/** The fields that a new record may lack: those with defaults, and its id if such records have one. */
type WithId<S, F> = S extends { readonly shape: { readonly id: unknown } } ? F & { id: number } : F

/**
 * The collections, for tests to fill and to check. Direct writes keep the indexes right, and absent fields of a new
 * record get the defaults of starting states.
 */
export type Collections = { readonly [C in CollectionName]: TableOf<(typeof collections)[C]> }

export type Store = ReturnType<typeof createStore>

export interface Watch {
  /** Called before a change of a record that affects more than incidental members. */
  beforeChange(): void
  /** Called before a record is removed or gets another key. */
  beforeLoss(collection: CollectionName): void
  readonly look?: Look | undefined
}

/** Called before each look at the records of a collection: at those with a key of an index, or at all where both are null. */
export type Look = (collection: CollectionName, index: string | null, key: Key | null) => void

export type AnyTable = Table<Record<string, unknown>, string>

export function createStore(initial: Collation, watch?: Watch) {
  const collation = { ...initial }
  const lastIds: LastIds = { user: 0, token: 0, customField: 0, notification: 0 }
  /** The writes of the current operation; null if none is running. */
  let writes: { readonly name: CollectionName; readonly write: Write }[] | null = null
  let idsBefore: LastIds = lastIds
  const usernameOf = (id: unknown) => db.users.find('id', Number(id))?.username
  const tables = {} as Record<CollectionName, AnyTable>
  const db = tables as unknown as Collections
  for (const name of collectionNames) tables[name] = tableOf(name)

  function tableOf(name: CollectionName): AnyTable {
    const row = rowOf(name)
    const idOf = row.counter ? () => nextId(name) : idsOf(() => tables[name].rows)
    const incidental = new Set<string>(row.incidental)
    return new Table({
      schema: row.schema,
      indexes: row.indexes(collation) as Readonly<Record<string, KeyOf<Record<string, unknown>>>>,
      fill(given: { readonly id?: unknown }) {
        const id = hasIds(row) ? { id: given.id ?? idOf() } : {}
        return { ...id, ...row.fill({ ...given, ...id } as never, usernameOf) }
      },
      look: watch?.look && ((index, key) => watch.look?.(name, index, key)),
      before(write, moves) {
        const matters = incidental.size === 0 || write.kind !== 'changed'
        if (matters || differsBesides(incidental, write.from, write.to)) watch?.beforeChange()
        if (moves) watch?.beforeLoss(name)
        writes?.push({ name, write })
      },
    })
  }

  /** A new id in a collection that has a counter. */
  function nextId(name: CollectionName, step = 1): number {
    const counter = rowOf(name).counter as keyof LastIds
    lastIds[counter] += step
    // A test may have inserted a record with this id.
    while (tables[name].find('id', lastIds[counter])) lastIds[counter] += step
    return lastIds[counter]
  }

  /** The state after the last complete operation. */
  function image(): Image {
    const rowsOf = (name: CollectionName) => {
      const done = (writes ?? []).filter((one) => one.name === name)
      return tables[name].without(done.map(({ write }) => write as Write<never>))
    }
    return {
      lastIds: { ...(writes ? idsBefore : lastIds) },
      tables: Object.fromEntries(collectionNames.map((name) => [name, rowsOf(name)])) as Image['tables'],
    }
  }

  function put(image: Image): void {
    Object.assign(lastIds, image.lastIds)
    for (const name of collectionNames) tables[name].put(image.tables[name] as never)
  }

  return {
    db,
    /** The same collections, whatever their records are. */
    tables: tables as Readonly<Record<CollectionName, AnyTable>>,
    collation,
    /** Compares names differently from now on. The caller has checked that stored names stay unique. */
    collate(next: Collation): void {
      Object.assign(collation, next)
      for (const name of collectionNames) if (rowOf(name).unique?.collation) tables[name].reindex()
    },
    nextId,
    /** Runs `work` as a whole: until it ends, `image` shows the former state; if it throws, its writes are undone. */
    whole<T>(work: () => T): T {
      writes = []
      idsBefore = { ...lastIds }
      try {
        return work()
      } catch (error) {
        const before = image()
        writes = null
        put(before)
        throw error
      } finally {
        writes = null
      }
    },
    image,
    put,
  }
}

/** Returns new ids, above the existing ones and those that it returned before. */
function idsOf(rows: () => readonly object[]): () => number {
  let last = 0
  return () => {
    last = rows().reduce<number>((most, row) => Math.max(most, Number(Reflect.get(row, 'id'))), last) + 1
    return last
  }
}

const differsBesides = (incidental: ReadonlySet<string>, from: object, to: object) =>
  Object.entries(to).some(([name, value]) => !incidental.has(name) && value !== Reflect.get(from, name))
