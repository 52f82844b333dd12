/** Registers the suite as vitest tests: one for each requirement and, where it has them, each of its operations. */

import { afterAll, beforeAll, describe, test } from 'vitest'
import { afterMain, endRun, runStep, sweepAfterMain, titleOf } from './loop.js'
import { planOf, type Step } from './plan.js'
import { createRun } from './run.js'
import type { CheckResult, Run, RunOptions } from './types.js'

/** The longest that one check may take; its requests have limits of their own. */
const CHECK_TIMEOUT = 600_000

export function registerSuite(options: RunOptions): void {
  const run = createRun(options)
  const plan = planOf(options)

  describe('conformance', () => {
    beforeAll(() => run.lookAround(), CHECK_TIMEOUT)
    for (const step of plan.main) register(run, step)

    // A group without tests is an error, and there is nothing that needs this clean-up to come first.
    const after = afterMain(plan)
    if (after.length > 0)
      describe('after everything else', () => {
        beforeAll(() => sweepAfterMain(run, plan), CHECK_TIMEOUT)
        for (const step of after) register(run, step)
      })

    // A hook, since the tests that are left of a cancelled run are skipped.
    afterAll(async () => {
      await endRun(run)
      run.close()
    }, CHECK_TIMEOUT)
  })
}

function register(run: Run, step: Step): void {
  test(titleOf(step), { timeout: CHECK_TIMEOUT }, async ({ skip, signal }) => {
    signal.addEventListener('abort', run.cancel)
    const record = await runStep(run, step)
    if (record === null) return skip('run for the answers that it sees')
    if (record.outcome === 'skipped') skip(record.reason)
    if (record.outcome === 'failed') throw new Error(describeFailures(record))
  })
}

function describeFailures({ failures }: CheckResult): string {
  return failures
    .map(
      ({ operation, message, exchange }) =>
        `${operation}: ${message}${exchange ? `\n  ${exchange.curl}` : ''}`,
    )
    .join('\n')
}
