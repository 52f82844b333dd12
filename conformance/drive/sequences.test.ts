import { expect, test } from 'vitest'
import type { Tracker } from '../../emulator/index.js'
import { type Behaviour, behaving } from '../../fixtures/faulty/call.js'
import { withFaulty } from '../../fixtures/self-test.js'
import { run } from './run.js'
import { SHORTEST, sequences, shorten } from './stories/sequences.js'

const limits = { safety: 'write', timeout: 5000, rate: 0, budget: 0, ledgerFile: null, only: [] } as const

/** The second assignment in a row makes the next update of the user have no effect. */
const loses: Behaviour = ({ operation, memory, own, path: { user_id = '' } }) => {
  const times = Number(memory.get(user_id) ?? 0)
  memory.set(user_id, operation === 'addUserToProjects' ? times + 1 : 0)
  return operation === 'updateUser' && times === 2 ? own({ body: { notify_user: false } }) : own()
}

test.each([1, 2, 3])('a fault that takes a sequence is shown by a short one, seed %i', async (seed) => {
  const wrap = (tracker: Tracker) => behaving(tracker, ['addUserToProjects', 'updateUser'], loses)
  const { driver } = await withFaulty({ wrap }, (profile) =>
    run({ ...limits, profile }, {}, async (driver) => {
      driver.story = 'sequences'
      await sequences(driver, { runs: 200, seed })
      await shorten(driver, { runs: 200, seed })
    }),
  )
  const { stories, trace } = driver
  const steps = trace.filter(({ n, method }) => stories.get(n) === `${SHORTEST} 1` && method !== 'GET')
  expect(steps.length).toBeLessThan(7)
  const ofUser = steps.filter(({ path, method }) => path.includes('/users/') && method !== 'PUT')
  expect(ofUser.map(({ method }) => method).join(' ')).toMatch(/POST POST PATCH/)
})
