/** What a table holds at one moment: frozen records, which other tables may share. */
import { Collection } from '@mswjs/data'
import { z } from 'zod'

/** Never written to. */
export type Image<R extends object = object> = readonly R[]

/**
 * An image of records that are known to fit the schema, of which it takes copies. The collection makes one record, whose
 * marks the others get as well: made one by one, they take it several times as long.
 */
export async function imageOf<R extends object>(records: readonly R[]): Promise<Image<R>> {
  if (records.length === 0) return []
  const model = await new Collection({ schema: anything }).create({})
  const marks = Object.getOwnPropertySymbols(model).map((mark) => ({ mark, of: Reflect.get(model, mark) }))
  return records.map((record) => {
    const copy = copyOf(record)
    for (const { mark, of } of marks)
      Object.defineProperty(copy, mark, { value: typeof of === 'string' ? ownKey() : new Map() })
    return Object.freeze(copy)
  })
}

/** Takes any record: checking once is enough. */
const anything = z.custom<object>()

/** As the collection's own; flat, since one of some twenty pieces takes half a kilobyte until somebody reads a character of it. */
function ownKey(): string {
  const key = crypto.randomUUID()
  key.charCodeAt(0)
  return key
}

/** What it holds is frozen. */
function copyOf<T extends object>(value: T): T {
  if (Array.isArray(value)) return value.map(held) as T
  const copy = { ...value }
  for (const name in copy) copy[name] = held(copy[name])
  return copy
}

const held = <V>(value: V): V =>
  typeof value === 'object' && value !== null ? Object.freeze(copyOf(value)) : value

/** Freezes a record with all that it holds. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
