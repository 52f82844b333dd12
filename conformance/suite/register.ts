/** Registers the suite as vitest tests: one for each requirement and, where it has them, each of its operations. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { OperationId } from '../contract/index.js'
import { requirements } from '../requirements/index.js'
import type { Observation } from './check.js'
import type { Requirement } from './requirement.js'
import { type CheckResult, createRun, type Run, type RunOptions } from './run.js'
import { isSelected } from './select.js'

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
  const chosen = requirements.filter((requirement) => isSelected(requirement, options))
  const last = chosen.filter(({ phase }) => phase === 'last')
  const atEnd = chosen.filter(({ phase }) => phase === 'end')

  describe('conformance', () => {
    for (const requirement of chosen) if (requirement.phase === undefined) register(run, requirement)

    describe('after everything else', () => {
      // While the token surely is the administrator's.
      beforeAll(
        async () => void run.leftovers.push(...(await run.sweep({ keepShared: last.length > 0 }))),
        CHECK_TIMEOUT,
      )
      for (const requirement of last) register(run, requirement)
      for (const requirement of atEnd) register(run, requirement)

      test('clean-up', { timeout: CHECK_TIMEOUT }, async ({ task }) => {
        run.leftovers.push(...(await run.sweep({ keepShared: false })))
        task.meta.trackerKitRun = record(run)
      })

      afterAll(async () => {
        // Of a cancelled run the clean-up is skipped like any other test.
        if (run.cancelled) await run.sweep({ keepShared: false })
        run.close()
      }, CHECK_TIMEOUT)
    })
  })
}

function register(run: Run, requirement: Requirement): void {
  const { id, level, statement, operations, options } = { ...requirement, options: run.options }
  const wanted = requirement.each
    ? operations.filter((operation) => isWanted(requirement, operation, options))
    : operations.slice(0, 1)
  for (const operation of wanted) {
    const title = requirement.each
      ? `[${level}] ${id} (${operation}): ${statement}`
      : `[${level}] ${id}: ${statement}`
    test(title, { timeout: CHECK_TIMEOUT }, async ({ task, skip, signal }) => {
      signal.addEventListener('abort', run.cancel)
      const result = await run.execute(requirement, operation)
      task.meta.trackerKit = { requirement: id, operation, ...result }
      if (result.outcome === 'skipped') skip(result.reason)
      if (result.outcome === 'failed') throw new Error(describeFailures(result))
    })
  }
}

/** With `--only getUser`, a requirement on many operations is checked for that one. */
function isWanted(requirement: Requirement, operation: OperationId, { only }: RunOptions): boolean {
  return only.length === 0 || only.includes(requirement.id) || only.includes(operation)
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
    leftovers: run.leftovers,
    statuses: run.statusTable(),
  }
}
