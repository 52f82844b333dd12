/** The records of a collection, deeply frozen, so that tables may share them. All but queries takes constant time. */
import type { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { noSuch } from '../../conformance/contract/nearest.js'
import type { Key, KeyOf } from './collections.js'
import { frozen } from './image.js'
import { type Filled, type Given, SynchronousCollection } from './synchronous-collection.js'

/** A write before it happens, with what is needed to undo it: a change, a creation, a removal, or a replacement of all. */
export type Write<R = object> =
  | { readonly kind: 'created'; readonly record: R }
  | { readonly kind: 'changed'; readonly from: R; readonly to: R }
  | { readonly kind: 'removed'; readonly record: R; readonly position: number }
  | { readonly kind: 'replaced'; readonly rows: readonly R[] }

interface TableOptions<R extends object, I extends string, F extends object> {
  readonly schema: z.ZodObject & z.ZodType<R>
  /** The first key identifies a record. */
  readonly indexes: Readonly<Record<I, KeyOf<R>>>
  readonly fill: (given: Readonly<Partial<R>>) => F
  /** Called before each write. `moves`: a record is removed or gets another key. */
  readonly before?: (write: Write<R>, moves: boolean) => void
  /** Called before each look at the records: at those with a key, or at all where both are null. */
  readonly look?: ((index: I | null, key: Key | null) => void) | undefined
}

/** After more removals than this, the positions are computed again. */
const MOST_MOVED = 1000

export class Table<
  R extends object,
  I extends string,
  F extends object = object,
> extends SynchronousCollection<R, F> {
  readonly #options: TableOptions<R, I, F>
  /** The records in the order of their creation. */
  readonly #rows: R[]
  readonly #indexes: Readonly<Record<I, Index<R>>>
  readonly #all: readonly Index<R>[]
  readonly #primary: KeyOf<R>
  /** Positions by primary key, which may date from before the last `#moved` removals. */
  readonly #places = new Map<Key | null, number>()
  #moved = 0
  /** How many records the indexes cover; -1 if the next use must make them again. */
  #covered = 0
  /** The last image, if nothing was written since. */
  #image: readonly R[] | null = null

  constructor(options: TableOptions<R, I, F>) {
    super({ schema: options.schema as unknown as Filled<R, F> })
    this.#options = options
    this.#rows = this.all() as unknown as R[]
    const keys = Object.entries<KeyOf<R>>(options.indexes)
    const entries = keys.map(([name, keyOf]) => [name, new Index(keyOf)] as const)
    this.#indexes = Object.fromEntries(entries) as Record<I, Index<R>>
    this.#all = entries.map(([, index]) => index)
    this.#primary = keys[0]?.[1] ?? (() => null)
  }

  /** The records in the order of their creation. Live: it changes with the collection. */
  override get rows(): readonly R[] {
    this.#options.look?.(null, null)
    return this.#rows
  }

  /** The first record with a key, or undefined. It is frozen; `change` makes a new one. */
  find(index: I, key: Key): R | undefined {
    return this.#list(index, key)[0]
  }

  /** All records with a key, in the order of their creation. */
  having(index: I, key: Key): R[] {
    return [...this.#list(index, key)]
  }

  #list(index: I, key: Key): readonly R[] {
    this.#cover()
    this.#options.look?.(index, key)
    return this.#indexes[index].list(key)
  }

  /** Whether a record in place of another changes what a look finds. */
  affects(record: R, index: I | null, key: Key | null): boolean {
    return index === null || this.#indexes[index].keyOf(record) === key
  }

  /** Adds a record with defaults for absent fields. Throws one line if it is invalid. */
  override insert(given: Given<R, F>): R {
    if (typeof given !== 'object' || given === null) throw new TypeError('create: a record is an object')
    const { schema } = this.#options
    const stranger = Object.keys(given).find((name) => !Object.hasOwn(schema.shape, name))
    if (stranger) throw new TypeError(`create: ${noSuch('field', stranger, Object.keys(schema.shape))}`)
    return this.add(checked(schema, this.filled(given), 'create'), given)
  }

  /** The record with defaults for absent fields, which is not checked. */
  filled(given: Given<R, F>): R {
    return Object.assign(this.#options.fill(given as Partial<R>), given) as unknown as R
  }

  /** The record of this table with the same identity. */
  same(record: R): R | undefined {
    this.#cover()
    return this.#all[0]?.list(this.#primary(record))[0]
  }

  /** Adds a complete record that the caller made for the table; it is neither checked nor copied. */
  add(record: R, initialValues: object = record): R {
    this.tell('create', { record, initialValues })
    frozen(record)
    this.#note({ kind: 'created', record }, false)
    this.#rows.push(record)
    this.#cover()
    return record
  }

  /** Changes fields of a record and returns the new record. Throws one line if it would be invalid. */
  override change(record: R, changes: Partial<R>): R {
    const position = this.positionOf(record)
    if (position < 0) throw new Error('The record to change is gone')
    const from = this.#rows[position] as R
    const to = frozen(checked(this.#options.schema, this.#permitted(from, { ...from, ...changes }), 'update'))
    const moves = this.#all.some((index) => index.moves(from, to))
    this.#note({ kind: 'changed', from, to }, moves)
    this.#rows[position] = to
    for (const index of this.#all) index.change(from, to)
    if (!moves) return to
    this.#places.delete(this.#primary(from))
    this.#places.set(this.#primary(to), position)
    return to
  }

  /** Does nothing if the record is not there, or a hook prevents the removal. */
  override remove(record: R): void {
    const position = this.positionOf(record)
    if (position < 0 || this.tell('delete', { deletedRecord: record })) return
    this.#note({ kind: 'removed', record, position }, true)
    this.#rows.splice(position, 1)
    for (const index of this.#all) index.remove(record)
    this.#places.delete(this.#primary(record))
    this.#covered -= 1
    this.#moved += 1
    if (this.#moved > MOST_MOVED) this.reindex()
  }

  /** The current content, which costs one copy of the list after each write. */
  image(): readonly R[] {
    this.#image ??= this.#rows.slice()
    return this.#image
  }

  put(image: readonly R[]): void {
    if (image === this.#image) return
    const rows = this.#rows
    const changed = image.flatMap((to, at) => (to === rows[at] ? [] : [{ at, from: rows[at] ?? to, to }]))
    const isAsLong = image.length === rows.length && this.#covered === rows.length
    if (isAsLong && !changed.some(({ from, to }) => this.#all.some((index) => index.moves(from, to)))) {
      this.#note({ kind: 'replaced', rows: rows.slice() }, true)
      for (const { at, from, to } of changed) {
        rows[at] = to
        for (const index of this.#all) index.change(from, to)
      }
    } else this.replaceAll(image)
    this.#image = image
  }

  /** The content before these writes, which are the latest. */
  without(writes: readonly Write<R>[]): readonly R[] {
    if (writes.length === 0) return this.image()
    let rows = this.#rows.slice()
    for (const write of writes.toReversed())
      if (write.kind === 'replaced') rows = write.rows.slice()
      else if (write.kind === 'created') rows.splice(rows.lastIndexOf(write.record), 1)
      else if (write.kind === 'removed') rows.splice(write.position, 0, write.record)
      else rows[rows.lastIndexOf(write.to)] = write.from
    return rows
  }

  /** The next use makes the indexes again. */
  reindex(): void {
    this.#covered = -1
  }

  /** The record with only the changes that no hook prevents. */
  #permitted(from: R, to: R): R {
    if (this.hooks.listenerCount('update') === 0) return to
    const permitted = { ...to }
    for (const [name, nextValue] of Object.entries(to)) {
      const prevValue = from[name as keyof typeof from]
      if (prevValue === nextValue) continue
      if (this.tell('update', { prevRecord: from, nextRecord: to, path: [name], prevValue, nextValue }))
        Object.assign(permitted, { [name]: prevValue })
    }
    return permitted
  }

  #note(write: Write<R>, moves: boolean): void {
    this.#options.before?.(write, moves)
    this.#image = null
  }

  protected override replaceAll(rows: readonly R[]): void {
    this.#note({ kind: 'replaced', rows: this.#rows.slice() }, true)
    this.#rows.length = 0
    for (const record of rows) this.#rows.push(record)
    this.reindex()
  }

  protected override positionOf(record: R): number {
    this.#cover()
    const key = this.#primary(record)
    const last = this.#places.get(key) ?? -1
    // Each later removal has moved the record by at most one position.
    for (let position = last; position >= Math.max(0, last - this.#moved); position--)
      if (this.#rows[position] === record) return position
    // The record was changed in the meantime, or a test put another one with its key there.
    const same = this.#rows.indexOf(record)
    return same >= 0 ? same : this.#rows.findIndex((row) => this.#primary(row) === key)
  }

  /** Extends the indexes to the last record, or makes them again. */
  #cover(): void {
    const rows = this.#rows
    if (this.#covered === rows.length) return
    if (this.#covered < 0) {
      for (const index of this.#all) index.clear()
      this.#places.clear()
      this.#moved = 0
      this.#covered = 0
    }
    for (; this.#covered < rows.length; this.#covered++) {
      const record = rows[this.#covered] as R
      for (const index of this.#all) index.add(record)
      const key = this.#primary(record)
      if (!this.#places.has(key)) this.#places.set(key, this.#covered)
    }
  }
}

/** The records with a key, in the order of insertion. */
class Index<R extends object> {
  readonly #records = new Map<Key | null, R[]>()

  constructor(readonly keyOf: (record: R) => Key | null) {}

  list(key: Key | null): readonly R[] {
    return this.#records.get(key) ?? []
  }

  add(record: R): void {
    const key = this.keyOf(record)
    if (key === null) return
    const found = this.#records.get(key)
    if (found) found.push(record)
    else this.#records.set(key, [record])
  }

  remove(record: R): void {
    const key = this.keyOf(record)
    const others = this.list(key).filter((one) => one !== record)
    if (others.length > 0) this.#records.set(key, others)
    else this.#records.delete(key)
  }

  moves(from: R, to: R): boolean {
    return this.keyOf(from) !== this.keyOf(to)
  }

  /** Replaces a record, at the same position if the key is the same. */
  change(from: R, to: R): void {
    const found = this.#records.get(this.keyOf(to))
    if (this.moves(from, to)) {
      this.remove(from)
      this.add(to)
    } else if (found) found[found.indexOf(from)] = to
  }

  clear(): void {
    this.#records.clear()
  }
}
