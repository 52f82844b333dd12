/**
 * The records of one collection. Finding a record by key, creating, changing and removing one take constant time;
 * queries take linear time, since the collection tests each record. All records are deeply frozen, so an image of a
 * table is a list of references, which other tables may share.
 */
import { z } from 'zod'
import { noSuch } from '../../conformance/contract/nearest.js'
import type { KeyOf } from './collections.js'
import { frozen, type TableImage } from './image.js'
import { KeyedRows } from './keyed-rows.js'
import { type Filled, type Given, SynchronousCollection } from './synchronous-collection.js'
import type { Key } from './table-index.js'

/** A write before it happens, with what is needed to undo it: a change, a creation, a removal, or a replacement of all. */
export type Write<R = object> =
  | { readonly kind: 'created'; readonly record: R }
  | { readonly kind: 'changed'; readonly from: R; readonly to: R }
  | { readonly kind: 'removed'; readonly record: R; readonly position: number }
  | { readonly kind: 'replaced'; readonly rows: TableImage<R & object> }

interface TableOptions<S extends z.ZodObject, I extends string, F extends object> {
  readonly schema: S
  /** The first key identifies a record. */
  readonly indexes: Readonly<Record<I, KeyOf<z.infer<S>>>>
  /** The fields that a new record may lack. */
  readonly fill: (given: Readonly<Partial<z.infer<S>>>) => F
  /** Called before each write. `moves`: a record is removed or gets another key. */
  readonly before?: (write: Write<z.infer<S>>, moves: boolean) => void
}

export class Table<
  S extends z.ZodObject,
  I extends string,
  F extends object = object,
> extends SynchronousCollection<S, F> {
  readonly #options: TableOptions<S, I, F>
  readonly #records: KeyedRows<z.infer<S>, I>
  /** The last image, if nothing was written since. */
  #image: TableImage<z.infer<S>> | null = null

  constructor(options: TableOptions<S, I, F>) {
    super({ schema: options.schema as unknown as Filled<S, F> })
    this.#options = options
    this.#records = new KeyedRows(this.all() as unknown as z.infer<S>[], options.indexes)
  }

  /** The first record with a key, or undefined. It is frozen; `change` makes a new one. */
  find(index: I, key: Key): z.infer<S> | undefined {
    return this.#records.find(index, key)
  }

  /** All records with a key, in the order of their creation. */
  having(index: I, key: Key): z.infer<S>[] {
    return this.#records.having(index, key)
  }

  /** The records in the order of their creation. Live: it changes with the collection. */
  override get rows(): readonly z.infer<S>[] {
    return this.#records.rows
  }

  /** Adds a record with defaults for absent fields. Throws one line if it is invalid. */
  override insert(given: Given<z.infer<S>, F>): z.infer<S> {
    const { schema, fill } = this.#options
    if (typeof given !== 'object' || given === null) throw new TypeError('create: a record is an object')
    const stranger = Object.keys(given).find((name) => !Object.hasOwn(schema.shape, name))
    if (stranger) throw new TypeError(`create: ${noSuch('field', stranger, Object.keys(schema.shape))}`)
    return this.add(this.#checked('create', Object.assign(fill(given as Partial<z.infer<S>>), given)), given)
  }

  /** Adds a complete record that the caller made for the table; it is neither checked nor copied. */
  add(record: z.infer<S>, initialValues: object = record): z.infer<S> {
    this.tell('create', { record, initialValues })
    frozen(record)
    this.#note({ kind: 'created', record }, false)
    this.#records.add(record)
    return record
  }

  /** Changes fields of a record and returns the new record. Throws one line if it would be invalid. */
  override change(record: z.infer<S>, changes: Partial<z.infer<S>>): z.infer<S> {
    const position = this.positionOf(record)
    if (position < 0) throw new Error('The record to change is gone')
    const from = this.rows[position] as z.infer<S>
    const to = frozen(this.#checked('update', this.#permitted(from, { ...from, ...changes })))
    this.#note({ kind: 'changed', from, to }, this.#records.moves(from, to))
    this.#records.change(position, from, to)
    return to
  }

  /** Does nothing if the record is not there, or a hook prevents the removal. */
  override remove(record: z.infer<S>): void {
    const position = this.positionOf(record)
    if (position < 0 || this.tell('delete', { deletedRecord: record })) return
    this.#note({ kind: 'removed', record, position }, true)
    this.#records.remove(position, record)
  }

  /** The current content, which costs one copy of the list after each write. */
  image(): TableImage<z.infer<S>> {
    this.#image ??= this.rows.slice()
    return this.#image
  }

  /** Replaces the content by that of the image. */
  put(image: TableImage<z.infer<S>>): void {
    if (image === this.#image) return
    this.replaceAll(image)
    this.#image = image
  }

  /** The content before these writes, which are the latest. */
  without(writes: readonly Write<z.infer<S>>[]): TableImage<z.infer<S>> {
    if (writes.length === 0) return this.image()
    let rows = this.rows.slice()
    for (const write of writes.toReversed()) {
      if (write.kind === 'replaced') rows = write.rows.slice()
      else if (write.kind === 'created') rows.splice(rows.lastIndexOf(write.record), 1)
      else if (write.kind === 'removed') rows.splice(write.position, 0, write.record)
      else rows[rows.lastIndexOf(write.to)] = write.from
    }
    return rows
  }

  reindex(): void {
    this.#records.reindex()
  }

  #checked(method: string, values: unknown): z.infer<S> {
    const result = this.#options.schema.safeParse(values)
    if (result.success) return result.data
    const [issue] = result.error.issues
    throw new TypeError(`${method}: ${z.core.toDotPath(issue?.path ?? []) || 'it'}: ${issue?.message}`)
  }

  /** The record with only the changes that no hook prevents. */
  #permitted(from: z.infer<S>, to: z.infer<S>): z.infer<S> {
    if (this.hooks.listenerCount('update') === 0) return to
    const permitted: Record<string, unknown> = { ...to }
    for (const [name, nextValue] of Object.entries(to)) {
      const prevValue = from[name as keyof typeof from]
      if (prevValue === nextValue) continue
      if (this.tell('update', { prevRecord: from, nextRecord: to, path: [name], prevValue, nextValue }))
        permitted[name] = prevValue
    }
    return permitted as z.infer<S>
  }

  #note(write: Write<z.infer<S>>, moves: boolean): void {
    this.#options.before?.(write, moves)
    this.#image = null
  }

  protected override replaceAll(rows: readonly z.infer<S>[]): void {
    this.#note({ kind: 'replaced', rows: this.rows.slice() }, true)
    this.#records.replaceAll(rows)
  }

  protected override positionOf(record: z.infer<S>): number {
    return this.#records.positionOf(record)
  }
}
