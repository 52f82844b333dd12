/**
 * Whether `structuredClone` gives objects of another context than the one that this runs in, as it does in Jest and in
 * vitest's `vmThreads`. `@mswjs/data` changes a record by way of a clone, and would refuse it then.
 */
export function foreignClones(): boolean {
  return Object.getPrototypeOf(structuredClone({})) !== Object.prototype
}

/** Throws where the collections could not change a record, rather than at the first request that changes one. */
export function checkRealm(): void {
  if (foreignClones())
    throw new Error(
      'structuredClone gives objects of another context here, as in Jest and in the vmThreads of vitest; ' +
        "add 'tracker-kit/jest' to setupFiles",
    )
}
