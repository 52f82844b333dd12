/** Whether a value contains everything that another value specifies. */

/** Absent members may have any value; lists must agree in length and order. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return actual === expected
  if (typeof actual !== 'object' || actual === null) return false
  if (Array.isArray(expected) !== Array.isArray(actual)) return false
  if (Array.isArray(expected) && expected.length !== Reflect.get(actual, 'length')) return false
  return Object.entries(expected).every(([key, value]) => contains(Reflect.get(actual, key), value))
}
