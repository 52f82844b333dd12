/** The content of a table at one moment: frozen records, which other tables may share. */

/** Never changed. */
export type TableImage<R extends object = object> = readonly R[]

/** An image with copies of records that match the schema. */
export const tableImageOf = <R extends object>(records: readonly R[]): TableImage<R> =>
  records.map((record) => frozen(writableCopy(record)))

export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const name in value) frozen(value[name])
  return Object.freeze(value)
}

/** A deep copy of a JSON value, which may be changed. In Jest, `structuredClone` returns objects of another context. */
export function writableCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(writableCopy) as T
  if (typeof value !== 'object' || value === null) return value
  const copy = { ...value }
  for (const name in copy) copy[name] = writableCopy(copy[name])
  return copy
}
