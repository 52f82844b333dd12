/** Runs a property against a target: what fast-check finds is sent again before it counts. */

import fc from 'fast-check'
import { type Answer, NoAnswer } from '../client/call.js'
import { Withheld } from '../client/judge.js'
import type { OperationId } from '../contract/index.js'
import type { Check } from '../suite/types.js'

/** An answer that contradicts a property. */
export class Violation extends Error {
  constructor(
    message: string,
    readonly answer: Answer,
    readonly operation: OperationId = answer.operation,
  ) {
    super(message)
  }
}

/** A seed of its own for each property, so that leaving out one does not change the others. */
export function seedFor(t: Check, id: string): number {
  let hash = t.run.options.seed | 0
  for (const character of id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0
  return hash
}

export interface PropertyOptions {
  readonly id: string
  readonly numRuns: number
}

/**
 * Judges generated values. `judge` throws a `Violation`; a target that gives no answer is no counterexample, so
 * that ends the property and is left to the run. Returns whether the property held.
 */
export async function holdsForAll<T>(
  t: Check,
  { id, numRuns }: PropertyOptions,
  arbitrary: fc.Arbitrary<T>,
  judge: (value: T) => Promise<void>,
): Promise<boolean> {
  let silent: NoAnswer | null = null
  let executed = 0
  let first: Violation | null = null

  const property = fc.asyncProperty(arbitrary, async (value) => {
    if (silent) fc.pre(false)
    try {
      await judge(value)
      executed += 1
    } catch (error) {
      // What the guard does not let out is not judged.
      if (error instanceof Withheld) return
      if (error instanceof NoAnswer) {
        silent = error
        fc.pre(false)
      }
      if (error instanceof Violation) {
        first ??= error
        // Shrinking stays with the operation it began with, lest it slide to another fault.
        if (error.operation !== first.operation) fc.pre(false)
      }
      throw error
    }
  })
  const result = await fc.check(property, { seed: seedFor(t, id), numRuns, maxSkipsPerRun: 10 })
  if (silent) throw silent
  if (result.failed && result.counterexample !== null) {
    await confirm(t, () => judge(result.counterexample?.[0] as T), result.errorInstance)
    return false
  }
  if (executed === 0) t.inconclusive('no generated case could be sent')
  t.pass()
  return true
}

async function confirm(t: Check, again: () => Promise<void>, found: unknown): Promise<void> {
  if (!(found instanceof Violation)) throw found
  // What led to other cases did not lead to this one.
  t.run.trail.begin()
  try {
    await again()
    t.verify(
      false,
      `${found.message} (once; sent again, it was answered rightly)`,
      found.answer,
      found.operation,
    )
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    t.verify(false, error.message, error.answer, error.operation)
  }
}
