/**
 * For Jest's `setupFiles`, and for vitest's where its pool is `vmThreads` or `vmForks`. These run tests in a context
 * of their own, with the `structuredClone` of another: what it gives is no plain object to the code under test, which
 * `@mswjs/data` does not accept. Here it becomes one.
 */
import { foreignClones } from './state/realm.js'

const clone = globalThis.structuredClone

if (foreignClones()) {
  globalThis.structuredClone = (value, options) => {
    const copy = clone(value, options)
    adopt(copy, new Set())
    return copy
  }
}

/** Gives a clone, which is made of built-in kinds alone, the prototypes of this context. */
function adopt(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const foreign: object | null = Reflect.getPrototypeOf(value)
  const own: unknown = Reflect.get(globalThis, foreign?.constructor.name ?? '')
  if (typeof own === 'function') Reflect.setPrototypeOf(value, own.prototype)
  if (ArrayBuffer.isView(value)) return
  if (value instanceof Map) for (const [key] of value) adopt(key, seen)
  if (value instanceof Map || value instanceof Set) for (const member of value.values()) adopt(member, seen)
  for (const member of Object.values(value)) adopt(member, seen)
}
