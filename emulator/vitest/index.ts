/** For tests with vitest: a fresh tracker for each, and a matcher for what became of its state. */
import { test as base, expect } from 'vitest'
import type { Coverage } from '../observe/coverage.js'
import type { State } from '../state/store.js'
import { createTracker } from '../tracker.js'
import type { Tracker, TrackerOptions } from '../types.js'
import { agrees, checkExpected, diffText, type ExpectedChanges, expectedText } from './changes.js'

export type { ExpectedChanges } from './changes.js'

interface TrackerMatchers<R = unknown> {
  /**
   * What has changed since the tracker's start or, given a snapshot, since then: numbers of records, or part of each. What
   * is not mentioned must be as it was. Without an argument: that anything has changed at all.
   *
   * @example expect(tracker).toHaveChanged({ users: { added: 1 } })
   */
  toHaveChanged(expected?: ExpectedChanges, since?: State): R
}

declare global {
  namespace Chai {
    // Vitest takes these over into its own assertions; the type parameters of its own differ from version to version.
    interface Assertion extends TrackerMatchers<void> {}
  }
}

declare module 'vitest' {
  interface TaskMeta {
    /** What the test has touched of the interface, for the reporter. */
    tracker?: Coverage
  }
}

expect.extend({
  toHaveChanged(tracker: Tracker, expected?: ExpectedChanges, since?: State) {
    if (typeof tracker?.diff !== 'function')
      throw new TypeError(`toHaveChanged: ${JSON.stringify(tracker)} is no tracker`)
    if (expected !== undefined) checkExpected(expected)
    const diff = tracker.diff(since)
    const pass = expected === undefined ? Object.keys(diff).length > 0 : agrees(diff, expected)
    const wanted = expected === undefined ? 'anything' : expectedText(expected)
    return {
      pass,
      message: () =>
        `expected the tracker ${pass ? 'not ' : ''}to have changed in ${wanted}; it has changed in ${diffText(diff)}`,
    }
  },
})

/**
 * vitest's `test` with the fixture `tracker`: each test has its own, in the starting state that the options give. A test
 * fails when the emulator itself failed.
 */
export function trackerTest(options: TrackerOptions = {}) {
  let first: Promise<Tracker> | undefined
  return base.extend<{ tracker: Tracker }>({
    tracker: async ({ task }, use) => {
      first ??= createTracker(options)
      const tracker = (await first).fork()
      await use(tracker)
      task.meta.tracker = touched(tracker.coverage())
      const failed = tracker.journal.find(({ refusal }) => refusal?.condition === 'internal')
      if (failed) throw new Error(`Call ${failed.sequence}, ${failed.operation}: ${failed.refusal?.detail}`)
    },
  })
}

/** `trackerTest` with the defaults. */
export const test = trackerTest()

/** Without what was never touched: the reporter gets one for each test. */
const touched = ({ operations, roles }: Coverage): Coverage => ({
  operations: operations.filter(({ calls }) => calls > 0),
  roles: roles.filter(({ calls }) => calls > 0),
})
