/**
 * A collection of `@mswjs/data` with indexes, so that reading a record by a key, creating, changing and removing one take
 * the same time however many there are. The indexes cannot hang on the collection's hooks (they fire before validation,
 * with an object that is not the one stored, or not at all), so the writing methods themselves are wrapped: whoever
 * writes, also directly to `tracker.db`, keeps the indexes right.
 *
 * The collection looks for each record from the start, also for the one that it is handed. So what changes or removes a
 * single record is done in a collection in which that record is alone, and its result is put in the record's place.
 * Queries stay linear: the collection asks each record.
 *
 * Records are frozen through and through, so that what a table holds at one moment is a list of references: an image,
 * which other tables may share.
 */
import { Collection } from '@mswjs/data'
import type { z } from 'zod'
import { noSuch } from '../../conformance/contract/nearest.js'
import { frozen, type Image } from './image.js'
import { Index, type Key } from './table-index.js'

type RecordSchema = z.ZodObject

/** A record's key, or null where the index leaves it out. Several records may have the same. */
type KeyOf<R> = (record: R) => Key | null

/** What was done, to undo it: another record in a place, a new one, one less, or something else. */
type Step<R> =
  | { readonly kind: 'created'; readonly record: R }
  | { readonly kind: 'changed'; readonly from: R; readonly to: R }
  | { readonly kind: 'removed'; readonly record: R; readonly position: number }
  | { readonly kind: 'replaced'; readonly rows: Image<R & object> }

/** More removals than this, and the places are counted anew. */
const MOST_MOVED = 1000

/** The fields of a record, of which those in `F` may be left out. */
type Given<R, F> = Omit<R, keyof F> & Partial<Pick<R, keyof F & keyof R>>

/** What the collection sees: it takes a record that lacks some fields, and holds a whole one. */
type Filled<S extends RecordSchema, F> = z.ZodType<z.infer<S>, Given<z.infer<S>, F>>

export class Table<S extends RecordSchema, I extends string, F extends object = object> extends Collection<
  Filled<S, F>
> {
  readonly #schema: Filled<S, F>
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
  #steps: Step<z.infer<S>>[] | null = null
  /** Called before a record goes, or is found by another key. */
  beforeLoss: () => void = () => undefined

  /** The first key tells a record from all others. `fill` gives what a new record may leave out. */
  constructor(
    schema: S,
    keys: Readonly<Record<I, KeyOf<z.infer<S>>>>,
    fill?: (given: Readonly<Partial<z.infer<S>>>) => F,
  ) {
    const whole = schema as unknown as Filled<S, F>
    super({ schema: whole })
    this.#schema = whole
    const names = Object.keys(keys) as I[]
    const entries = names.map((name) => [name, new Index(keys[name])] as const)
    this.#indexes = Object.fromEntries(entries) as Record<I, Index<z.infer<S>>>
    this.#all = entries.map(([, index]) => index)
    this.#primary = keys[names[0] as I]
    // Assigned rather than overridden, because their types hang on a type parameter of their own.
    this.create = async (values) => {
      const stranger =
        isRecord(values) && Object.keys(values).find((name) => !Object.hasOwn(schema.shape, name))
      if (stranger) throw new TypeError(`create: ${noSuch('field', stranger, Object.keys(schema.shape))}`)
      const record = await super.create(
        fill && isRecord(values) ? Object.assign(fill(values as never), values) : values,
      )
      this.#image = null
      this.#steps?.push({ kind: 'created', record: record as unknown as z.infer<S> })
      this.#cover()
      return frozen(record)
    }
    // The collection's own hides why one of them was refused.
    this.createMany = (count, valuesOf) =>
      Promise.all(Array.from({ length: count }, (_, index) => this.create(valuesOf(index))))
    this.update = (async (which, options) => {
      const record = this.#one(which)
      return record ? this.#replace(record, options.data) : super.update(which, options)
    }) as typeof this.update
    this.updateMany = async (which, options) => {
      this.#rewrite()
      try {
        return (await super.updateMany(which, options)).map(frozen)
      } finally {
        this.#rewrite()
      }
    }
    this.delete = ((which, options) => {
      const record = this.#one(which)
      if (!record) return super.delete(which, options)
      this.remove(record)
      return record
    }) as typeof this.delete
    this.deleteMany = (which, options) => {
      this.#rewrite()
      const removed = super.deleteMany(which, options)
      this.#rewrite()
      return removed
    }
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
    return this.all() as unknown as readonly z.infer<S>[]
  }

  /** Replaces fields of a record; returns the new one. */
  change(record: z.infer<S>, changes: Partial<z.infer<S>>): Promise<z.infer<S>> {
    return this.#replace(record, (draft: object) => {
      Object.assign(draft, changes)
    })
  }

  /** Does nothing where the record is no longer there. */
  remove(record: z.infer<S>): void {
    const alone = this.#alone(record)
    const position = this.#positionOf(record)
    if (position < 0) return
    alone.delete(record as never)
    // A hook may have prevented it.
    if (alone.count() > 0) return
    this.beforeLoss()
    this.#image = null
    this.#steps?.push({ kind: 'removed', record, position })
    this.all().splice(position, 1)
    for (const index of this.#all) index.remove(record)
    this.#places.delete(this.#primary(record))
    this.#covered -= 1
    this.#moved += 1
    if (this.#moved > MOST_MOVED) this.#covered = -1
  }

  /** What the table holds now, at the cost of one copy of the list after each write. */
  image(): Image<z.infer<S>> {
    this.#image ??= this.rows.slice()
    return this.#image
  }

  /** Holds what is in the image, and nothing else. */
  put(image: Image<z.infer<S>>): void {
    if (image === this.#image) return
    this.#rewrite()
    const rows = this.all()
    rows.length = 0
    for (const record of image) rows.push(record as never)
    this.#image = image
  }

  /** From now on each step is noted, until `end`. */
  begin(): void {
    this.#steps = []
  }

  end(): void {
    this.#steps = null
  }

  /** What the table held at `begin`. */
  before(): Image<z.infer<S>> {
    if (!this.#steps || this.#steps.length === 0) return this.image()
    let rows = this.rows.slice()
    for (const step of this.#steps.toReversed()) {
      if (step.kind === 'replaced') rows = step.rows.slice() as z.infer<S>[]
      else if (step.kind === 'created') rows.splice(rows.lastIndexOf(step.record), 1)
      else if (step.kind === 'removed') rows.splice(step.position, 0, step.record)
      else rows[rows.lastIndexOf(step.to)] = step.from
    }
    return rows
  }

  override clear() {
    // The collection's own `clear` skips records while it walks over them.
    this.deleteMany((query) => query.where(() => true))
  }

  /** Makes the indexes anew, when the keys of the same records have become others. */
  reindex(): void {
    this.#covered = -1
  }

  async #replace(record: z.infer<S>, data: (draft: never) => unknown): Promise<z.infer<S>> {
    const alone = this.#alone(record)
    const options = { strict: true, data: data as never } as const
    const changed = frozen(await alone.update(record as never, options)) as unknown as z.infer<S>
    const position = this.#positionOf(record)
    if (position < 0) throw new Error('A record was removed while it was changed')
    const from = this.rows[position] as z.infer<S>
    if (this.#all.some((index) => index.moves(from, changed))) this.beforeLoss()
    this.#image = null
    this.#steps?.push({ kind: 'changed', from, to: changed })
    this.all()[position] = changed as never
    for (const index of this.#all) index.change(from, changed)
    const [before, after] = [this.#primary(from), this.#primary(changed)]
    if (before !== after) {
      this.#places.delete(before)
      this.#places.set(after, position)
    }
    return changed
  }

  /** A collection of this record alone, whose hooks are the table's. */
  #alone(record: z.infer<S>): Collection<Filled<S, F>> {
    const alone = new Collection({ schema: this.#schema })
    alone.hooks = this.hooks
    alone.all().push(record as never)
    return alone
  }

  /** The record that is meant by itself or by a query. */
  #one(which: Parameters<Collection<Filled<S, F>>['delete']>[0]): z.infer<S> | undefined {
    const isQuery = typeof which === 'function' || 'where' in which
    return (isQuery ? this.findFirst(which as never) : which) as unknown as z.infer<S> | undefined
  }

  /** -1 where it is not there. */
  #positionOf(record: z.infer<S>): number {
    this.#cover()
    const { rows } = this
    const key = this.#primary(record)
    const last = this.#places.get(key) ?? -1
    // Each removal since has moved it by one at most.
    for (let position = last; position >= Math.max(0, last - this.#moved); position--)
      if (rows[position] === record) return position
    // Changed by somebody else meanwhile, or put there by hand under the key of another.
    const same = rows.indexOf(record)
    return same >= 0 ? same : rows.findIndex((row) => this.#primary(row) === key)
  }

  /** Many records are about to become others, or have become so. */
  #rewrite() {
    this.beforeLoss()
    this.#steps?.push({ kind: 'replaced', rows: this.rows.slice() as never })
    this.#image = null
    this.#covered = -1
  }

  /** Brings the indexes up to the last record, or makes them anew. */
  #cover() {
    const { rows } = this
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

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null
