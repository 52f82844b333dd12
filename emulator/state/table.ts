/**
 * A collection of `@mswjs/data` with unique indexes, so that reads take the same time however many records there are.
 * The indexes cannot hang on the collection's hooks (they fire before validation, with an object that is not the one
 * stored, or not at all), so the writing methods themselves are wrapped: whoever writes, also directly to
 * `tracker.db`, keeps the indexes right. Updates and deletes stay linear, as the collection has them.
 *
 * Records are frozen through and through, so that what a table holds at one moment is a list of references: an image,
 * which other tables may share.
 */
import { Collection } from '@mswjs/data'
import { z } from 'zod'

type Key = string | number
type RecordSchema = z.ZodObject

/** What a table holds at one moment. Never written to. */
export type Image<R extends object = object> = readonly R[]

export class Table<S extends RecordSchema, I extends string = never> extends Collection<S> {
  readonly #keys: Readonly<Record<I, (record: z.infer<S>) => Key>>
  readonly #positions: Record<I, Map<Key, number>>
  /** How many records an index covers; -1 once it has to be made anew, which the next read does. */
  readonly #covered: Record<I, number>
  /** The last image, as long as nothing was written since. */
  #image: Image<z.infer<S>> | null = null

  constructor(schema: S, keys: Readonly<Record<I, (record: z.infer<S>) => Key>>) {
    super({ schema })
    this.#keys = keys
    this.#positions = Object.fromEntries(this.#names().map((name) => [name, new Map()])) as never
    this.#covered = Object.fromEntries(this.#names().map((name) => [name, 0])) as never
    // Assigned rather than overridden, because their types hang on a type parameter of their own.
    this.create = async (values) => {
      const record = frozen(await super.create(values))
      this.#image = null
      const position = this.rows.length - 1
      for (const name of this.#names()) {
        // Two creations at once may end in either order; then the next read counts anew.
        if (position === this.#covered[name] && this.rows[position] === (record as unknown))
          this.#add(name, record as unknown as z.infer<S>, position)
      }
      return record
    }
    this.update = (async (which, options) => {
      try {
        return frozen(await super.update(which, options))
      } finally {
        this.#stale()
      }
    }) as typeof this.update
    this.updateMany = async (which, options) => {
      try {
        return (await super.updateMany(which, options)).map(frozen)
      } finally {
        this.#stale()
      }
    }
    this.delete = ((which, options) => {
      this.#stale()
      return super.delete(which, options)
    }) as typeof this.delete
    this.deleteMany = (which, options) => {
      this.#stale()
      return super.deleteMany(which, options)
    }
  }

  /** The record with a key, or undefined. The record is frozen; `change` makes a new one. */
  find(index: I, key: Key): z.infer<S> | undefined {
    const rows = this.rows
    if (this.#covered[index] !== rows.length) this.#index(index)
    const position = this.#positions[index].get(key)
    return position === undefined ? undefined : rows[position]
  }

  /** The records in the order of their creation. Live: it changes with the collection. */
  get rows(): readonly z.infer<S>[] {
    return this.all() as unknown as readonly z.infer<S>[]
  }

  /** Replaces fields of a record; returns the new one. */
  async change(record: z.infer<S>, changes: Partial<z.infer<S>>): Promise<z.infer<S>> {
    const data = (draft: object) => {
      Object.assign(draft, changes)
    }
    const changed = frozen(
      await super.update(record as never, { strict: true, data }),
    ) as unknown as z.infer<S>
    this.#image = null
    // Positions stay; only another key makes an index wrong.
    for (const name of this.#names()) {
      if (this.#keys[name](record) !== this.#keys[name](changed)) this.#covered[name] = -1
    }
    return changed
  }

  /** What the table holds now, at the cost of one copy of the list after each write. */
  image(): Image<z.infer<S>> {
    this.#image ??= this.rows.slice()
    return this.#image
  }

  /** Holds what is in the image, and nothing else. */
  put(image: Image<z.infer<S>>): void {
    if (image === this.#image) return
    this.#stale()
    const rows = this.all()
    rows.length = 0
    for (const record of image) rows.push(record as never)
    this.#image = image
  }

  /** An image of records that are known to fit the schema. The collection takes copies. */
  static async imageOf<R extends object>(records: readonly R[]): Promise<Image<R>> {
    const collection = new Collection({ schema: anything })
    for (const record of records) frozen(await collection.create(record))
    return collection.all() as unknown as Image<R>
  }

  override clear() {
    // The collection's own `clear` skips records while it walks over them.
    this.deleteMany((query) => query.where(() => true))
  }

  /** Makes the indexes anew, when the keys of the same records have become others. */
  reindex(): void {
    for (const name of this.#names()) this.#covered[name] = -1
  }

  #stale() {
    this.#image = null
    this.reindex()
  }

  #index(name: I) {
    this.#positions[name].clear()
    this.#covered[name] = 0
    for (const [position, record] of this.rows.entries()) this.#add(name, record, position)
  }

  #add(name: I, record: z.infer<S>, position: number) {
    const key = this.#keys[name](record)
    // The first of two records with one key is the one that is found, as in a search from the start.
    if (!this.#positions[name].has(key)) this.#positions[name].set(key, position)
    this.#covered[name] = position + 1
  }

  #names(): I[] {
    return Object.keys(this.#keys) as I[]
  }
}

/** Takes any record: checking once is enough, and the first check of a schema takes a while. */
const anything = z.custom<object>()

/** Freezes a record with all that it holds. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
