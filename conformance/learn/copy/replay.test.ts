import { expect, test } from 'vitest'
import { createTracker } from '../../../emulator/index.js'
import { workAs } from '../../../fixtures/recorded/client.js'
import { harRecorder } from '../../../fixtures/recorded/har.js'
import { readHar } from '../../client/har-read.js'
import { recordingOf } from '../trace/trace.js'
import { differsIn, ledgerView, replayed, type Simulator, simulate, type Values } from './emulator.js'

test('a replay that takes answers of earlier ones answers as if it had sent all', async () => {
  const tracker = await createTracker()
  const recorder = harRecorder(tracker.fetch)
  await workAs(tracker.profileFor(tracker.baseUrl), recorder)
  const { calls, mirrors } = recordingOf([readHar(recorder.har(true))], {
    baseUrl: tracker.baseUrl,
    tokens: {},
  })
  const under = async (values: Values) => (await simulate(mirrors, values)) as Simulator
  const first = [...replayed(await under({}), calls)]
  let [taken, sent] = [0, 0]
  const others = Object.entries(ledgerView).map(([id, { alternatives }]) => [id, alternatives[0]] as const)
  const words = { customFieldType: ['text'], accessLevel: [10], project: ['one'], column: ['id'] }
  const accepted = Object.entries(words).map(([name, list]) => ['accepted-values', { [name]: list }] as const)
  for (const [id, value] of [...others, ...accepted]) {
    const values = { [id]: value }
    const one = value === undefined ? null : await simulate(mirrors, values)
    if (!one) continue
    const short = [...replayed(one, calls, [{ played: first, differs: differsIn(values, {}) }])]
    const whole = [...replayed(await under(values), calls)]
    expect({ id, seen: short.map(({ replayed }) => replayed.seen) }).toEqual({
      id,
      seen: whole.map(({ replayed }) => replayed.seen),
    })
    sent += whole.length
    taken += short.filter(({ replayed }, at) => replayed === first[at]?.replayed).length
  }
  expect(taken / sent).toBeGreaterThan(0.8)
})
