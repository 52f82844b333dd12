/** What the fits of one learning found out about single calls, so that none of them finds it out again. */
import type { Mirror } from '../ask/mirror.js'
import type { Recorded } from '../ask/script.js'

/**
 * What came of calls under one value of a decision in the place of another, by how far they were from the target under
 * the first: as long as they are as far as they were then, the same comes of them.
 */
export type Known = Map<Recorded, Map<number, Outcome>>

export interface Outcome {
  readonly distance: number
  /** The answer was the same, and so was what it left behind. */
  readonly alike: boolean
}

/** By decision and its two values. */
type Memory = Map<string, Known>

const memories = new WeakMap<Mirror, Memory>()

export function memoryOf(mirror: Mirror): Memory {
  const memory = memories.get(mirror) ?? new Map<string, Known>()
  memories.set(mirror, memory)
  return memory
}
