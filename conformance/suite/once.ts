/** What checks of one run have in common: found out once, or kept from one to the next. */

import type { Noted } from './trail.js'
import type { Check, Run } from './types.js'

/** Of each run its own, made when it is first asked for. */
export function perRun<T>(make: () => T): (run: Run) => T {
  const made = new WeakMap<Run, { readonly own: T }>()
  return (run) => {
    const one = made.get(run) ?? { own: make() }
    made.set(run, one)
    return one.own
  }
}

interface Found<T> {
  readonly value: T
  readonly led: readonly Noted[]
  /** To be found out again: it may be the work of another check. */
  readonly isMixed: boolean
}

/** Found out once in a run for each key, with what led to it; again where that broke. */
export function onceFor<K, T>(find: (t: Check, key: K) => Promise<T>): (t: Check, key: K) => Promise<T> {
  const known = perRun(() => new Map<K, Promise<Found<T>>>())

  async function findIn(t: Check, key: K): Promise<Found<T>> {
    const { trail } = t.run
    const before = new Set(trail.kept)
    const value = await find(t, key)
    return { value, led: trail.kept.filter((one) => !before.has(one)), isMixed: t.run.isMixed }
  }

  return async (t, key) => {
    const here = known(t.run)
    const found = here.get(key) ?? findIn(t, key)
    here.set(key, found)
    const forget = () => here.delete(key)
    found.then(({ isMixed }) => isMixed && forget(), forget)
    const { value, led, isMixed } = await found
    if (isMixed) t.run.mix()
    t.run.trail.recall(led)
    return value
  }
}

/** Likewise for all checks, with each profile: what is left of it when the target has refused a part. */
export function oncePerRun<T>(find: (t: Check) => Promise<T>): (t: Check) => Promise<T> {
  const once = onceFor((t, _profile) => find(t))
  return (t) => once(t, t.profile)
}
