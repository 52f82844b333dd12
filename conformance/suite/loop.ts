/** The one loop over a plan: its steps, the clean-up in its places, and what the run has found out. */

import { setImmediate as turn } from 'node:timers/promises'
import { leftoversOf } from '../client/sweep.js'
import type { OperationId } from '../contract/index.js'
import { takeInLanes } from './lanes.js'
import { aboutOf, type Plan, type Step } from './plan.js'
import { usesOf } from './resources.js'
import type { CheckResult, Mistake, Observation, Requirement, Run } from './types.js'

/** What one step hands to the report. */
export interface TestRecord extends CheckResult {
  readonly requirement: string
  readonly operation: OperationId
  /** From its first request to its last. */
  readonly durationMs: number
  /** Sent by the run until its end. */
  readonly requests: number
}

/** What the whole run hands over once it is at its end. */
export interface RunRecord {
  readonly requests: number
  readonly observations: readonly Observation[]
  readonly leftovers: readonly string[]
  /** Of the profile. */
  readonly mistakes: readonly Mistake[]
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export interface Ended {
  /** Null where the last clean-up broke. */
  readonly end: RunRecord | null
  /** An error of the suite itself, or the word that the run was cancelled. */
  readonly trouble: string | null
}

export interface Following {
  /** Once it is aborted no further step begins, and the clean-up ends the run. */
  readonly signal: AbortSignal
  /** Hears of each step once it is done; the loop itself keeps none of them. */
  readonly onRecord: (record: TestRecord) => void
}

/** An exception that is no verdict is the trouble of the suite, and no reason to leave anything on the target. */
export async function runPlan(run: Run, plan: Plan, { signal, onRecord }: Following): Promise<Ended> {
  const troubles: string[] = []
  const unbroken = async (part: string, act: () => Promise<void>) => {
    try {
      await act()
      return true
    } catch (error) {
      troubles.push(brokenIn(part, error))
      return false
    }
  }

  async function takeAlone(step: Step): Promise<TestRecord | null> {
    let record: TestRecord | null = null
    await unbroken(` in "${titleOf(step)}"`, async () => {
      record = await runStep(run, step)
    })
    return record
  }

  async function take(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      // Steps that send nothing would keep a signal, and a target in the same process, from their turn.
      await turn()
      if (run.cancelled) return
      const record = await takeAlone(step)
      if (record !== null) onRecord(record)
    }
  }

  async function takeBeside(steps: readonly Step[]): Promise<void> {
    const allowed = steps.filter(({ requirement }) => run.allows(requirement.safety))
    await unbroken('', () => run.prepare([...new Set(allowed.flatMap(aboutOf))]))
    const told = inOrder(steps, onRecord)
    await takeInLanes(steps, {
      width: () => run.width,
      cancelled: () => run.cancelled,
      uses: (step) => ({
        ...usesOf(step.requirement.safety, aboutOf(step), run.options.safety),
        ...(step.requirement.alone && { alone: true }),
      }),
      async beside(step) {
        // What breaks here breaks again alone, and is told then.
        const record = await runStep(run, step, run.executeBeside).catch(() => undefined)
        if (record !== undefined) told.note(step, record)
        return record !== undefined
      },
      alone: async (step) => told.note(step, await takeAlone(step)),
    })
    told.rest()
  }

  const cancel = () => run.cancel()
  signal.addEventListener('abort', cancel)
  // It may have been aborted before anybody listened.
  if (signal.aborted) cancel()
  try {
    await unbroken('', () => run.lookAround())
    await (run.width > 1 ? takeBeside : take)(plan.main)
    const after = afterMain(plan)
    if (after.length > 0 && !run.cancelled && (await unbroken('', () => sweepAfterMain(run, plan))))
      await take(after)
    let end: RunRecord | null = null
    await unbroken('', async () => {
      end = await endRun(run)
    })
    if (signal.aborted) troubles.unshift('the run was cancelled')
    return { end, trouble: troubles[0] ?? null }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Tells of steps in their order, in whichever they end. */
function inOrder(steps: readonly Step[], tell: (record: TestRecord) => void) {
  /** Null for one that nothing is to be told of. */
  const ended = new Map<Step, TestRecord | null>()
  let place = 0
  const tellNext = () => {
    const step = steps[place]
    const record = step && ended.get(step)
    place += 1
    if (record) tell(record)
  }
  return {
    note(step: Step, record: TestRecord | null): void {
      ended.set(step, record)
      while (ended.has(steps[place] as Step)) tellNext()
    },
    /** Behind those that were left out since the run has ended. */
    rest(): void {
      while (place < steps.length) tellNext()
    },
  }
}

type Execute<R> = (requirement: Requirement, operation: OperationId) => Promise<R>

/** Null for a step whose verdict nobody asked for; undefined where `execute` gives none. */
export async function runStep(run: Run, step: Step): Promise<TestRecord | null>
export async function runStep(
  run: Run,
  step: Step,
  execute: Execute<CheckResult | null>,
): Promise<TestRecord | null | undefined>
export async function runStep(
  run: Run,
  { requirement, operation, silent }: Step,
  execute: Execute<CheckResult | null> = run.execute,
): Promise<TestRecord | null | undefined> {
  const started = performance.now()
  const result = await execute(requirement, operation)
  if (result === null) return undefined
  const durationMs = performance.now() - started
  const { requests } = run.client
  return silent ? null : { requirement: requirement.id, operation, durationMs, requests, ...result }
}

export const afterMain = ({ last, end }: Plan): readonly Step[] => [...last, ...end]

/** While the token surely is the administrator's. */
export const sweepAfterMain = (run: Run, { last }: Plan): Promise<void> =>
  run.sweep({ keepShared: last.length > 0 })

/** Cleans up, however the run has ended, and says what it found out and left. */
export async function endRun(run: Run): Promise<RunRecord> {
  await run.sweep({ keepShared: false })
  const otherwise = await run.changedOtherwise()
  return {
    requests: run.client.requests,
    observations: run.observations,
    leftovers: [...leftoversOf(run.swept), ...otherwise],
    mistakes: run.mistakes,
    statuses: run.statusTable(),
  }
}

export function titleOf({ requirement, operation }: Step): string {
  const { id, level, statement } = requirement
  return `[${level}] ${requirement.each ? `${id} (${operation})` : id}: ${statement}`
}

/** The trouble that an error of the suite is. `part` begins with a blank, or is empty. */
export function brokenIn(part: string, error: unknown): string {
  return `the suite itself failed${part}: ${error instanceof Error ? error.message : String(error)}`
}
