import type { Profile } from '../contract/index.js'
import type { Noted } from './trail.js'
import type { Check, Run } from './types.js'

interface Found<T> {
  readonly value: T
  readonly led: readonly Noted[]
  /** To be found out again: it may be the work of another check. */
  readonly isMixed: boolean
}

/** What several requirements judge, found out once in a run; again where it was not found out, or with another profile. */
export function oncePerRun<T>(find: (t: Check) => Promise<T>): (t: Check) => Promise<T> {
  const known = new WeakMap<Run, { readonly profile: Profile; readonly found: Promise<Found<T>> }>()

  async function findIn(t: Check): Promise<Found<T>> {
    const value = await find(t)
    const { trail, isMixed } = t.run
    if (isMixed) known.delete(t.run)
    return { value, led: trail.kept, isMixed }
  }

  return async (t) => {
    const { run, profile } = t
    const last = known.get(run)
    const found = last?.profile === profile ? last.found : findIn(t)
    known.set(run, { profile, found })
    found.catch(() => known.delete(run))
    const { value, led, isMixed } = await found
    if (isMixed) run.mix()
    run.trail.recall(led)
    return value
  }
}

/** Found out once in a run for each key; again where that broke. */
export function onceFor<K, T>(find: (t: Check, key: K) => Promise<T>): (t: Check, key: K) => Promise<T> {
  const known = new WeakMap<Run, Map<K, Promise<T>>>()
  return (t, key) => {
    const here = known.get(t.run) ?? new Map<K, Promise<T>>()
    known.set(t.run, here)
    const found = here.get(key) ?? find(t, key)
    here.set(key, found)
    found.catch(() => here.delete(key))
    return found
  }
}
