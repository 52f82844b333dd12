/** Registers the suite as vitest tests: one for each requirement and, where it has them, each of its operations. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { OperationId } from '../contract/index.js'
import { leftoversOf } from '../target/sweep.js'
import type { Observation } from './check.js'
import { planOf, type Step } from './plan.js'
import { type CheckResult, createRun, type Run, type RunOptions } from './run.js'

/** What one test hands to the report, through vitest's task meta. */
export interface TestRecord extends CheckResult {
  readonly requirement: string
  readonly operation: OperationId
}

/** What the whole run hands over once it is at its end. */
export interface RunRecord {
  readonly requests: number
  readonly observations: readonly Observation[]
  readonly leftovers: readonly string[]
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>
}

declare module 'vitest' {
  interface TaskMeta {
    trackerKit?: TestRecord
    trackerKitRun?: RunRecord
  }
}

/** The longest that one check may take; its requests have limits of their own. */
const CHECK_TIMEOUT = 600_000

export function registerSuite(options: RunOptions): void {
  const run = createRun(options)
  const plan = planOf(options)

  describe('conformance', () => {
    for (const step of plan.main) register(run, step)

    // A group without tests is an error, and there is nothing that needs this clean-up to come first.
    const after = [...plan.last, ...plan.end]
    if (after.length > 0)
      describe('after everything else', () => {
        // While the token surely is the administrator's.
        beforeAll(() => run.sweep({ keepShared: plan.last.length > 0 }), CHECK_TIMEOUT)
        for (const step of after) register(run, step)
      })

    // A hook, since the tests that are left of a cancelled run are skipped.
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameters and takes nothing else.
    afterAll(async ({}, suite) => {
      await run.sweep({ keepShared: false })
      suite.meta.trackerKitRun = record(run)
      run.close()
    }, CHECK_TIMEOUT)
  })
}

function register(run: Run, { requirement, operation, silent }: Step): void {
  const { id, level, statement } = requirement
  const subject = requirement.each ? `${id} (${operation})` : id
  test(`[${level}] ${subject}: ${statement}`, { timeout: CHECK_TIMEOUT }, async ({ task, skip, signal }) => {
    signal.addEventListener('abort', run.cancel)
    const result = await run.execute(requirement, operation)
    if (silent) skip('run for the answers that it sees')
    task.meta.trackerKit = { requirement: id, operation, ...result }
    if (result.outcome === 'skipped') skip(result.reason)
    if (result.outcome === 'failed') throw new Error(describeFailures(result))
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

function record(run: Run): RunRecord {
  return {
    requests: run.client.requests,
    observations: run.observations,
    leftovers: leftoversOf(run.swept),
    statuses: run.statusTable(),
  }
}
