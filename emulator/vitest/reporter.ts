/**
 * A reporter for vitest that prints what the tests used of the interface, and which answers they never saw. It sums up
 * the trackers of the fixture; add `reporters: ['default', 'tracker-kit/vitest/reporter']` to the configuration.
 */
import type { Reporter, TestModule } from 'vitest/node'
import { type Coverage, coverageText, mergeCoverage } from '../observe/coverage.js'

export default class TrackerReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const parts: Coverage[] = []
    let tests = 0
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        tests += 1
        const { tracker } = test.meta() as { tracker?: Coverage }
        if (tracker) parts.push(tracker)
      }
    }
    const text =
      parts.length > 0
        ? `${coverageText(mergeCoverage(parts))}\n  (in the ${parts.length} of ${tests} tests that use the fixture of tracker-kit/vitest; what the others call is not here)`
        : 'tracker-kit: no test used the fixture of tracker-kit/vitest, whose trackers are added up here; ' +
          'the others tell theirs by tracker.coverage()'
    process.stdout.write(`\n${text}\n`)
  }
}
