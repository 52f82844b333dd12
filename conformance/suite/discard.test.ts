/** How many fields a tracker may have is not shown, so a check leaves none but the one that checks share. */
import { expect, test } from 'vitest'
import type { Tracker } from '../../emulator/index.js'
import { withFaulty } from '../../fixtures/self-test.js'
import { runStep } from './loop.js'
import { planOf } from './plan.js'
import { createRun } from './run.js'

test('after each check there is one field of the run at most', async () => {
  let target: Tracker | undefined
  const wrap = (tracker: Tracker) => {
    target = tracker
    return tracker.fetch
  }
  await withFaulty({ wrap }, async (profile) => {
    const options = { safety: 'write', seed: 1, runs: 5, timeout: 5000, rate: 0, budget: 0 } as const
    const rest = { ledgerFile: null, survey: false, shard: null }
    const only = ['custom-fields.made-as-answered', 'custom-fields.create', 'custom-fields.update']
    const run = createRun({ profile, ...options, ...rest, only })
    const own = () => target?.db.customFields.rows.filter(({ name }) => name.startsWith(run.tag)).length
    for (const step of planOf({ only, shard: null }).main) {
      expect(await runStep(run, step)).toMatchObject({ outcome: 'passed' })
      expect(own(), step.requirement.id).toBeLessThanOrEqual(1)
    }
    run.close()
  })
})
