/** What a table is given and what it tells; the collection that it extends names the types of its methods nowhere. */
import type { Collection } from '@mswjs/data'
import type { z } from 'zod'
import type { KeyOf } from './collections.js'
import type { TableImage } from './image.js'

/** The fields of a record, of which those in `F` may be left out. */
export type Given<R, F> = Omit<R, keyof F> & Partial<Pick<R, keyof F & keyof R>>

/** What the collection sees: it takes a record that lacks some fields, and holds a whole one. */
export type Filled<S extends z.ZodObject, F> = z.ZodType<z.infer<S>, Given<z.infer<S>, F>>

// The types of the collection's methods, which it does not name.
export type Stored<S extends z.ZodType> = ReturnType<Collection<S>['all']>[number]
export type Which<S extends z.ZodType> = Parameters<Collection<S>['delete']>[0]
export type Predicate<S extends z.ZodType> = Parameters<Collection<S>['deleteMany']>[0]
export type Result<S extends z.ZodType, Strict> = Strict extends true ? Stored<S> : Stored<S> | undefined
export type Options<
  S extends z.ZodType,
  Method extends 'update' | 'updateMany' | 'deleteMany' | 'findMany',
> = NonNullable<Parameters<Collection<S>[Method]>[1]>

/** What a hook hears, as the collection's own events are. */
export class HookEvent extends Event {
  constructor(
    type: string,
    readonly data: object,
  ) {
    super(type, { cancelable: true })
  }
}

/** What is about to be done to a table, to undo it: another record in a place, a new one, one less, or something else. */
export type Write<R = object> =
  | { readonly kind: 'created'; readonly record: R }
  | { readonly kind: 'changed'; readonly from: R; readonly to: R }
  | { readonly kind: 'removed'; readonly record: R; readonly position: number }
  | { readonly kind: 'replaced'; readonly rows: TableImage<R & object> }

export interface TableOptions<S extends z.ZodObject, I extends string, F extends object> {
  readonly schema: S
  /** The first key tells a record from all others. */
  readonly indexes: Readonly<Record<I, KeyOf<z.infer<S>>>>
  /** What a new record may leave out. */
  readonly fill: (given: Readonly<Partial<z.infer<S>>>) => F
  /** Called before each write. `moves`: a record goes, or is found by another key. */
  readonly before?: (write: Write<z.infer<S>>, moves: boolean) => void
}
