/** Frozen values, and copies that may be changed. */

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
