/** What a table holds at one moment: frozen records, which other tables may share. */

/** Never written to. */
export type TableImage<R extends object = object> = readonly R[]

/** An image of records that are known to fit the schema, of which it takes copies. */
export const tableImageOf = <R extends object>(records: readonly R[]): TableImage<R> =>
  records.map((record) => frozen(writableCopy(record)))

export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const name in value) frozen(value[name])
  return Object.freeze(value)
}

/** A copy of a JSON value that may be changed, however deep. In Jest, `structuredClone` gives objects of another context. */
export function writableCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(writableCopy) as T
  if (typeof value !== 'object' || value === null) return value
  const copy = { ...value }
  for (const name in copy) copy[name] = writableCopy(copy[name])
  return copy
}
