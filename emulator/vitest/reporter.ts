/**
 * A reporter for vitest that tells what the tests have touched of the interface, and what they never saw. It adds up the
 * trackers of the fixture; `reporters: ['default', 'tracker-kit/vitest/reporter']` in vitest's configuration.
 */
import type { Reporter, TestModule } from 'vitest/node'
import { type Coverage, coverageText, mergeCoverage } from '../observe/coverage.js'

export default class TrackerReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const parts: Coverage[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { tracker } = test.meta() as { tracker?: Coverage }
        if (tracker) parts.push(tracker)
      }
    }
    if (parts.length > 0) process.stdout.write(`\n${coverageText(mergeCoverage(parts))}\n`)
  }
}
