/** A sample of what `npm run self-test -- --widths 1,8,16` does: however many checks run at a time, the same ones fail. */
import { expect, test } from 'vitest'
import { faultyTrackers } from '../../fixtures/faulty/index.js'
import { oddTrackers } from '../../fixtures/legal/odd.js'
import { isCaught, planAbout, runSuite, withFaulty } from '../../fixtures/self-test.js'

const ids = [
  'permission.gated: listPlugins serves ordinary users',
  'not-found.username: getUser reads the digits before a name as an id',
  // What it has done keeps the check from being run again.
  'plugins.protected: updatePlugin never lifts a protection',
]

test.each(ids)('%s', async (id) => {
  const faulty = faultyTrackers.find((one) => one.id === id) ?? expect.unreachable()
  if (faulty.operation === 'every') return expect.unreachable()
  const whole = planAbout([faulty.operation])
  // Those on all operations are long.
  const plan = { ...whole, main: whole.main.filter(({ requirement }) => requirement.operations.length < 26) }
  const failedAt = async (concurrency: number) => {
    const result = await withFaulty(faulty, (profile) => runSuite(profile, { runs: 5, plan, concurrency }))
    expect(isCaught(faulty, result)).toBe(true)
    return result.failed.map(({ requirement, checked, operations }) => ({ requirement, checked, operations }))
  }
  expect(await failedAt(8)).toEqual(await failedAt(1))
})

test('what others change meanwhile is in no evidence of where a membership shows', async () => {
  const name = 'every answer tells of the last five changes, whoever asked for them'
  const odd = oddTrackers.find((one) => one.name === name) ?? expect.unreachable()
  const { failed } = await withFaulty(odd, (profile) => runSuite(profile, { runs: 5, concurrency: 8 }))
  expect(failed).toEqual([])
})
