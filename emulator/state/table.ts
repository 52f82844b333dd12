/**
 * A collection of `@mswjs/data` that writes synchronously, and finds records by keys. Reading a record by a key, creating,
 * changing and removing one take the same time however many there are; queries stay linear, as the collection asks each
 * record. The collection's own writing methods wait, so the table has its own, `insert`, `change` and `remove`; those of
 * the collection are overridden by them, and what they promise has been done when they return.
 *
 * The collection keeps the records, and hands out the list of them: `all`. They are frozen through and through, so that
 * what a table holds at one moment is a list of references: an image, which other tables may share.
 */
import { Collection, Query } from '@mswjs/data'
import { z } from 'zod'
import { noSuch } from '../../conformance/contract/nearest.js'
import type { KeyOf } from './collections.js'
import { draftOf, frozen, type Image } from './image.js'
import { Index, type Key } from './table-index.js'
import {
  type Filled,
  type Given,
  HookEvent,
  type Options,
  type Predicate,
  type Result,
  type Step,
  type Stored,
  type TableOptions,
  type Which,
} from './table-types.js'

export type { Step } from './table-types.js'

/** More removals than this, and the places are counted anew. */
const MOST_MOVED = 1000

export class Table<S extends z.ZodObject, I extends string, F extends object = object> extends Collection<
  Filled<S, F>
> {
  readonly #options: TableOptions<S, I, F>
  readonly #rows: z.infer<S>[]
  readonly #indexes: Readonly<Record<I, Index<z.infer<S>>>>
  readonly #all: readonly Index<z.infer<S>>[]
  readonly #primary: KeyOf<z.infer<S>>
  /** By the primary key, where a record is, or was before some of the last `#moved` removals. */
  readonly #places = new Map<Key | null, number>()
  #moved = 0
  /** How many records the indexes cover; -1 once they have to be made anew, which the next use does. */
  #covered = 0
  /** The last image, as long as nothing was written since. */
  #image: Image<z.infer<S>> | null = null

  constructor(options: TableOptions<S, I, F>) {
    super({ schema: options.schema as unknown as Filled<S, F> })
    this.#options = options
    this.#rows = this.all() as unknown as z.infer<S>[]
    const names = Object.keys(options.indexes) as I[]
    const entries = names.map((name) => [name, new Index(options.indexes[name])] as const)
    this.#indexes = Object.fromEntries(entries) as Record<I, Index<z.infer<S>>>
    this.#all = entries.map(([, index]) => index)
    this.#primary = options.indexes[names[0] as I]
  }

  /** The first record with a key, or undefined. The record is frozen; `change` makes a new one. */
  find(index: I, key: Key): z.infer<S> | undefined {
    this.#cover()
    return this.#indexes[index].first(key)
  }

  /** All records with a key, in the order of their creation. */
  having(index: I, key: Key): z.infer<S>[] {
    this.#cover()
    return this.#indexes[index].list(key)
  }

  /** The records in the order of their creation. Live: it changes with the collection. */
  get rows(): readonly z.infer<S>[] {
    return this.#rows
  }

  /** Adds a record; what it leaves out is filled in. Throws one line where it is none. */
  insert(given: Given<z.infer<S>, F>): z.infer<S> {
    const { schema, fill } = this.#options
    if (typeof given !== 'object' || given === null) throw new TypeError('create: a record is an object')
    const stranger = Object.keys(given).find((name) => !Object.hasOwn(schema.shape, name))
    if (stranger) throw new TypeError(`create: ${noSuch('field', stranger, Object.keys(schema.shape))}`)
    const record = this.#checked('create', Object.assign(fill(given as Partial<z.infer<S>>), given))
    if (this.hooks.listenerCount('create') > 0) this.#tell('create', { record, initialValues: given })
    frozen(record)
    this.#note({ kind: 'created', record }, false)
    this.#rows.push(record)
    this.#cover()
    return record
  }

  /** Replaces fields of a record; returns the new one. Throws one line where it would be none. */
  change(record: z.infer<S>, changes: Partial<z.infer<S>>): z.infer<S> {
    const position = this.#positionOf(record)
    if (position < 0) throw new Error('The record to change is gone')
    const from = this.#rows[position] as z.infer<S>
    const to = frozen(this.#checked('update', this.#permitted(from, { ...from, ...changes })))
    this.#note(
      { kind: 'changed', from, to },
      this.#all.some((index) => index.moves(from, to)),
    )
    this.#rows[position] = to
    for (const index of this.#all) index.change(from, to)
    const [before, after] = [this.#primary(from), this.#primary(to)]
    if (before !== after) {
      this.#places.delete(before)
      this.#places.set(after, position)
    }
    return to
  }

  /** Does nothing where the record is no longer there, or a hook prevents it. */
  remove(record: z.infer<S>): void {
    const position = this.#positionOf(record)
    if (position < 0 || this.#tell('delete', { deletedRecord: record })) return
    this.#note({ kind: 'removed', record, position }, true)
    this.#rows.splice(position, 1)
    for (const index of this.#all) index.remove(record)
    this.#places.delete(this.#primary(record))
    this.#covered -= 1
    this.#moved += 1
    if (this.#moved > MOST_MOVED) this.#covered = -1
  }

  /** What the table holds now, at the cost of one copy of the list after each write. */
  image(): Image<z.infer<S>> {
    this.#image ??= this.#rows.slice()
    return this.#image
  }

  /** Holds what is in the image, and nothing else. */
  put(image: Image<z.infer<S>>): void {
    if (image === this.#image) return
    this.#replace(image)
    this.#image = image
  }

  /** What the table held before these steps, the last of which is the present. */
  without(steps: readonly Step<z.infer<S>>[]): Image<z.infer<S>> {
    if (steps.length === 0) return this.image()
    let rows = this.#rows.slice()
    for (const step of steps.toReversed()) {
      if (step.kind === 'replaced') rows = step.rows.slice()
      else if (step.kind === 'created') rows.splice(rows.lastIndexOf(step.record), 1)
      else if (step.kind === 'removed') rows.splice(step.position, 0, step.record)
      else rows[rows.lastIndexOf(step.to)] = step.from
    }
    return rows
  }

  /** Makes the indexes anew, when the keys of the same records have become others. */
  reindex(): void {
    this.#covered = -1
  }

  override async create(given: Given<z.infer<S>, F>): Promise<Stored<Filled<S, F>>> {
    return this.insert(given) as never
  }

  override async createMany(
    count: number,
    valuesOf: (index: number) => Given<z.infer<S>, F>,
  ): Promise<Stored<Filled<S, F>>[]> {
    return Array.from({ length: count }, (_, index) => this.insert(valuesOf(index))) as never
  }

  override async update<Strict extends boolean>(
    which: Which<Filled<S, F>>,
    options: Options<Filled<S, F>, 'update'> & { strict?: Strict },
  ): Promise<Result<Filled<S, F>, Strict>> {
    const record = this.#one(which, options.strict)
    return (record && this.#rewritten(record, options.data)) as never
  }

  override async updateMany(
    which: Predicate<Filled<S, F>>,
    options: Options<Filled<S, F>, 'updateMany'>,
  ): Promise<Stored<Filled<S, F>>[]> {
    const records: readonly z.infer<S>[] = this.findMany(which, options as never)
    return records.map((record) => this.#rewritten(record, options.data)) as never
  }

  override delete<Strict extends boolean>(
    which: Which<Filled<S, F>>,
    options?: { strict?: Strict },
  ): Result<Filled<S, F>, Strict> {
    const record = this.#one(which, options?.strict)
    if (record) this.remove(record)
    return record as never
  }

  override deleteMany(
    which: Predicate<Filled<S, F>>,
    options?: Options<Filled<S, F>, 'deleteMany'>,
  ): Stored<Filled<S, F>>[] {
    const records = this.findMany(which, options as never)
    const gone = new Set<unknown>(
      records.filter((record) => !this.#tell('delete', { deletedRecord: record })),
    )
    this.#replace(this.#rows.filter((record) => !gone.has(record)))
    return records
  }

  override clear(): void {
    this.deleteMany((query) => query.where(() => true))
  }

  /** The collection knows the record at a cursor by a mark that these records do not have. */
  override findMany(
    which?: Predicate<Filled<S, F>>,
    options?: Options<Filled<S, F>, 'findMany'>,
  ): Stored<Filled<S, F>>[] {
    const { cursor, ...rest } = options ?? {}
    if (cursor === undefined) return super.findMany(which, rest as never)
    const position = this.#positionOf(cursor)
    const backwards = (rest.take ?? 1) < 0
    const behind = new Set<unknown>(
      backwards ? this.#rows.slice(0, position + 1) : this.#rows.slice(position),
    )
    const query = typeof which === 'function' ? which(new Query()) : (which ?? new Query(() => true))
    return super.findMany(new Query((record) => behind.has(record) && query.test(record)), rest as never)
  }

  #rewritten(record: z.infer<S>, data: Options<Filled<S, F>, 'update'>['data']): z.infer<S> {
    const draft = draftOf(record)
    if (data(draft as never) !== undefined) throw new TypeError('update: data must change the record at once')
    return this.change(record, draft)
  }

  /** The record that is meant by itself or by a query. */
  #one(which: Which<Filled<S, F>>, strict = false): z.infer<S> | undefined {
    const isQuery = typeof which === 'function' || which instanceof Query
    return (isQuery ? this.findFirst(which as never, { strict }) : which) as z.infer<S> | undefined
  }

  /** A copy that fits the schema. */
  #checked(method: string, values: unknown): z.infer<S> {
    const result = this.#options.schema.safeParse(values)
    if (result.success) return result.data
    const [issue] = result.error.issues
    throw new TypeError(`${method}: ${z.core.toDotPath(issue?.path ?? []) || 'it'}: ${issue?.message}`)
  }

  /** The changes that no hook prevents. */
  #permitted(from: z.infer<S>, to: z.infer<S>): z.infer<S> {
    if (this.hooks.listenerCount('update') === 0) return to
    const permitted: Record<string, unknown> = { ...to }
    for (const [name, nextValue] of Object.entries(to)) {
      const prevValue = from[name as keyof typeof from]
      if (prevValue === nextValue) continue
      if (this.#tell('update', { prevRecord: from, nextRecord: to, path: [name], prevValue, nextValue }))
        permitted[name] = prevValue
    }
    return permitted as z.infer<S>
  }

  /** Whether a hook prevents what is about to be done. Hooks are called at once, and what they throw ends the work. */
  #tell(type: 'create' | 'update' | 'delete', data: object): boolean {
    if (this.hooks.listenerCount(type) === 0) return false
    const event = new HookEvent(type, data)
    this.hooks.emit(event as never)
    return event.defaultPrevented
  }

  #note(step: Step<z.infer<S>>, moves: boolean): void {
    this.#options.before?.(step, moves)
    this.#image = null
  }

  #replace(rows: readonly z.infer<S>[]): void {
    this.#note({ kind: 'replaced', rows: this.#rows.slice() }, true)
    this.#rows.length = 0
    for (const record of rows) this.#rows.push(record)
    this.#covered = -1
  }

  /** -1 where it is not there. */
  #positionOf(record: z.infer<S>): number {
    this.#cover()
    const rows = this.#rows
    const key = this.#primary(record)
    const last = this.#places.get(key) ?? -1
    // Each removal since has moved it by one at most.
    for (let position = last; position >= Math.max(0, last - this.#moved); position--)
      if (rows[position] === record) return position
    // Changed by somebody else meanwhile, or put there by hand under the key of another.
    const same = rows.indexOf(record)
    return same >= 0 ? same : rows.findIndex((row) => this.#primary(row) === key)
  }

  /** Brings the indexes up to the last record, or makes them anew. */
  #cover() {
    const rows = this.#rows
    if (this.#covered === rows.length) return
    if (this.#covered < 0 || this.#covered > rows.length) {
      for (const index of this.#all) index.clear()
      this.#places.clear()
      this.#moved = 0
      this.#covered = 0
    }
    for (; this.#covered < rows.length; this.#covered++) {
      const record = rows[this.#covered] as z.infer<S>
      for (const index of this.#all) index.add(record)
      const key = this.#primary(record)
      if (!this.#places.has(key)) this.#places.set(key, this.#covered)
    }
  }
}
