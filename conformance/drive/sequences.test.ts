import { expect, test } from 'vitest'
import type { Tracker } from '../../emulator/index.js'
import { type Behaviour, behaving } from '../../fixtures/faulty/call.js'
import { withFaulty } from '../../fixtures/self-test.js'
import { run } from './run.js'
import { sequences, shorten } from './stories/sequences.js'

const limits = { safety: 'write', timeout: 5000, rate: 0, budget: 0, ledgerFile: null, only: [] } as const

/** The second assignment in a row makes the next update of the user have no effect. */
const loses: Behaviour = ({ operation, memory, own, path: { user_id = '' } }) => {
  const times = Number(memory.get(user_id) ?? 0)
  memory.set(user_id, operation === 'addUserToProjects' ? times + 1 : 0)
  return operation === 'updateUser' && times === 2 ? own({ body: { notify_user: false } }) : own()
}

test('a fault that takes a sequence is shown by a short one', async () => {
  const wrap = (tracker: Tracker) => behaving(tracker, ['addUserToProjects', 'updateUser'], loses)
  const { driver } = await withFaulty({ wrap }, (profile) =>
    run({ ...limits, profile }, {}, async (driver) => {
      driver.story = 'sequences'
      await sequences(driver, { runs: 200, seed: 2 })
      await shorten(driver, { runs: 200, seed: 2 })
    }),
  )
  const { from, to } = driver.sequences.find(({ isShortest }) => isShortest) ?? { from: 0, to: 0 }
  const steps = driver.trace.slice(from, to).filter(({ method }) => method !== 'GET')
  expect(steps.length).toBeLessThan(7)
  const ofUser = steps.filter(({ path, method }) => path.includes('/users/') && method !== 'PUT')
  expect(ofUser.map(({ method }) => method).join(' ')).toMatch(/POST POST PATCH/)
})
