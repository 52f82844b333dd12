/** For tests with vitest: a fresh tracker for each test, and a matcher for its changes. */
import { test as base, expect } from 'vitest'
import type { State } from '../state/store.js'
import { createTracker } from '../tracker.js'
import type { Tracker, TrackerOptions } from '../types.js'
import { agrees, checkExpected, diffText, type ExpectedChanges } from './changes.js'

export type { ExpectedChanges } from './changes.js'

interface TrackerMatchers<R = unknown> {
  /**
   * Whether the tracker has changed as expected since its start, or since a snapshot: by numbers of records, or parts
   * of each. Collections that are not mentioned must be unchanged. Without an argument: whether anything has changed.
   *
   * @example expect(tracker).toHaveChanged({ users: { added: 1 } })
   */
  toHaveChanged(expected?: ExpectedChanges, since?: State): R
}

declare global {
  namespace Chai {
    // Vitest adds these to its own assertions, whose type parameters differ between versions.
    interface Assertion extends TrackerMatchers<void> {}
  }
}

expect.extend({
  toHaveChanged(tracker: Tracker, expected?: ExpectedChanges, since?: State) {
    if (typeof tracker?.diff !== 'function')
      throw new TypeError(`toHaveChanged: ${JSON.stringify(tracker)} is not a tracker`)
    if (expected !== undefined) checkExpected(expected)
    const diff = tracker.diff(since)
    const pass = expected === undefined ? Object.keys(diff).length > 0 : agrees(diff, expected)
    const wanted = expected === undefined ? 'anything' : JSON.stringify(expected)
    return {
      pass,
      message: () =>
        `expected the tracker ${pass ? 'not ' : ''}to have changed in ${wanted}; it has changed in ${diffText(diff, expected)}`,
    }
  },
})

/**
 * vitest's `test` with the fixture `tracker`: each test has its own tracker in the starting state of the options. A
 * test fails if the emulator itself failed.
 */
export function trackerTest(options: TrackerOptions = {}) {
  let first: Promise<Tracker> | undefined
  return base.extend<{ tracker: Tracker }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures in use from the pattern
    tracker: async ({}, use) => {
      first ??= createTracker(options)
      const tracker = (await first).fork()
      await use(tracker)
      const failed = tracker.journal.find(({ refusal }) => refusal?.condition === 'internal')
      if (failed) throw new Error(`Call ${failed.sequence}, ${failed.operation}: ${failed.refusal?.detail}`)
    },
  })
}

/** `trackerTest` with the defaults. */
export const test = trackerTest()
