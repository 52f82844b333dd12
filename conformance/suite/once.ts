import type { Profile } from '../contract/index.js'
import type { Check, Run } from './types.js'

/** What several requirements judge, found out once in a run; again where it was not found out, or with another profile. */
export function oncePerRun<T>(find: (t: Check) => Promise<T>): (t: Check) => Promise<T> {
  const known = new WeakMap<Run, { readonly profile: Profile; readonly found: Promise<T> }>()
  return (t) => {
    const { run, profile } = t
    const last = known.get(run)
    if (last?.profile === profile) return last.found
    const found = find(t)
    known.set(run, { profile, found })
    found.catch(() => known.delete(run))
    return found
  }
}
