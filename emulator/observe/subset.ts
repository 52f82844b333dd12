/** Whether a value contains everything that another value specifies. */

/** Absent members may have any value; lists must agree in length and order. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return actual === expected
  if (typeof actual !== 'object' || actual === null) return false
  if (Array.isArray(expected) ? !hasLength(actual, expected.length) : Array.isArray(actual)) return false
  return Object.entries(expected).every(([key, value]) => contains(Reflect.get(actual, key), value))
}

const hasLength = (value: object, length: number) => Array.isArray(value) && value.length === length
