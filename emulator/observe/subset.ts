/** Whether a value contains everything that another value specifies. */

/** Absent members may have any value; lists must agree in length and order. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => contains(actual[index], item))
    )
  }
  if (typeof expected !== 'object' || expected === null) return actual === expected
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false
  return Object.entries(expected).every(([key, value]) =>
    contains((actual as Record<string, unknown>)[key], value),
  )
}
