/** A collection of `@mswjs/data` whose write methods are synchronous: they call `insert`, `change` and `remove`. */
import { Collection, Query } from '@mswjs/data'
import type { z } from 'zod'
import { writableCopy } from './image.js'

/** The fields of a new record; those in `F` may be absent. */
export type Given<R, F> = Omit<R, keyof F> & Partial<Pick<R, keyof F & keyof R>>

/** The schema for the collection: input may lack some fields, stored records have all. */
export type Filled<R, F> = z.ZodType<R, Given<R, F>>

// Types from the signatures of the collection's methods, which it does not export.
type Stored<S extends z.ZodType> = ReturnType<Collection<S>['all']>[number]
type Which<S extends z.ZodType> = Parameters<Collection<S>['delete']>[0]
type Predicate<S extends z.ZodType> = Parameters<Collection<S>['deleteMany']>[0]
type Result<S extends z.ZodType, Strict> = Strict extends true ? Stored<S> : Stored<S> | undefined
type Options<
  S extends z.ZodType,
  Method extends 'update' | 'updateMany' | 'deleteMany' | 'findMany',
> = NonNullable<Parameters<Collection<S>[Method]>[1]>

export abstract class SynchronousCollection<
  R extends object,
  F extends object,
  T extends Filled<R, F> = Filled<R, F>,
> extends Collection<T> {
  abstract get rows(): readonly R[]
  abstract insert(given: Given<R, F>): R
  abstract change(record: R, changes: Partial<R>): R
  abstract remove(record: R): void
  protected abstract replaceAll(rows: readonly R[]): void
  protected abstract positionOf(record: R): number

  override async create(given: Given<R, F>): Promise<Stored<T>> {
    return this.insert(given) as never
  }

  override async createMany(count: number, valuesOf: (index: number) => Given<R, F>): Promise<Stored<T>[]> {
    return Array.from({ length: count }, (_, index) => this.insert(valuesOf(index))) as Stored<T>[]
  }

  override async update<Strict extends boolean>(
    which: Which<T>,
    options: Options<T, 'update'> & { strict?: Strict },
  ): Promise<Result<T, Strict>> {
    const record = this.#one(which, options.strict)
    return (record && this.#rewritten(record, options.data)) as never
  }

  override async updateMany(which: Predicate<T>, options: Options<T, 'updateMany'>): Promise<Stored<T>[]> {
    const records: readonly R[] = this.findMany(which, options as never)
    return records.map((record) => this.#rewritten(record, options.data)) as Stored<T>[]
  }

  override delete<Strict extends boolean>(which: Which<T>, options?: { strict?: Strict }): Result<T, Strict> {
    const record = this.#one(which, options?.strict)
    if (record) this.remove(record)
    return record as never
  }

  override deleteMany(which: Predicate<T>, options?: Options<T, 'deleteMany'>): Stored<T>[] {
    const records = this.findMany(which, options as never)
    const gone = new Set<unknown>(records.filter((record) => !this.tell('delete', { deletedRecord: record })))
    this.replaceAll(this.rows.filter((record) => !gone.has(record)))
    return records
  }

  override clear(): void {
    this.deleteMany((query) => query.where(() => true))
  }

  /** The collection finds the record of a cursor by a symbol that these records do not have. */
  override findMany(which?: Predicate<T>, options?: Options<T, 'findMany'>): Stored<T>[] {
    const { cursor, ...rest } = options ?? {}
    if (cursor === undefined) return super.findMany(which, rest as never)
    const position = this.positionOf(cursor as R)
    const backwards = (rest.take ?? 1) < 0
    const behind = new Set<unknown>(backwards ? this.rows.slice(0, position + 1) : this.rows.slice(position))
    const query = typeof which === 'function' ? which(new Query()) : (which ?? new Query(() => true))
    return super.findMany(new Query((record) => behind.has(record) && query.test(record)), rest as never)
  }

  #rewritten(record: R, data: Options<T, 'update'>['data']): R {
    const draft = writableCopy(record)
    if (data(draft as never) !== undefined) throw new TypeError('update: data must change the record at once')
    return this.change(record, draft)
  }

  /** The given record, or the first that matches a query. */
  #one(which: Which<T>, strict = false): R | undefined {
    const isQuery = typeof which === 'function' || which instanceof Query
    return (isQuery ? this.findFirst(which as never, { strict }) : which) as R | undefined
  }

  /** Whether a hook prevents an action. Hooks run synchronously, and their errors end the action. */
  protected tell(type: 'create' | 'update' | 'delete', data: object): boolean {
    if (this.hooks.listenerCount(type) === 0) return false
    const event = Object.assign(new Event(type, { cancelable: true }), { data })
    this.hooks.emit(event as never)
    return event.defaultPrevented
  }
}
