/** Runs the suite in this process, for those who want its records: the program, the inspector's page, the self-test. */

import { brokenIn, type Ended, runPlan, type TestRecord } from './loop.js'
import { type Plan, planOf } from './plan.js'
import { createRun } from './run.js'
import type { RunOptions } from './types.js'

export interface Outcome extends Ended {
  readonly records: readonly TestRecord[]
}

/** `onRecord` hears of each check once it is done. An aborted signal ends the run after its clean-up. */
export async function startSuite(
  options: RunOptions,
  signal: AbortSignal,
  onRecord: (record: TestRecord) => void,
  plan: Plan = planOf(options),
): Promise<Outcome> {
  const records: TestRecord[] = []
  // What breaks where nobody awaits it would end the process, and leave on the target what the run made.
  const strays: string[] = []
  const stray = (error: unknown) => void strays.push(brokenIn('', error))
  process.on('uncaughtException', stray)
  try {
    const run = createRun(options)
    try {
      const { end, trouble } = await runPlan(run, plan, {
        signal,
        onRecord(record) {
          records.push(record)
          onRecord(record)
        },
      })
      return { records, end, trouble: trouble ?? strays[0] ?? null }
    } finally {
      run.close()
    }
  } catch (error) {
    return { records, end: null, trouble: brokenIn('', error) }
  } finally {
    process.off('uncaughtException', stray)
  }
}
