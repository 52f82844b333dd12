import { expect, test } from 'vitest'
import { createTracker } from '../../../emulator/index.js'
import { workAs } from '../../../fixtures/recorded/client.js'
import { harRecorder } from '../../../fixtures/recorded/har.js'
import { readHar } from '../../client/har-read.js'
import { recordingOf } from '../trace/trace.js'
import { differsIn, ledgerView, replayed, type Simulator, simulate, type Values } from './emulator.js'

test('a replay that takes answers of earlier ones answers as if it had sent all', async () => {
  const tracker = await createTracker()
  const recorder = harRecorder(async (request) => {
    const answer = await tracker.fetch(request)
    cookie = answer.headers.getSetCookie()[0] ?? cookie
    return answer
  })
  let cookie = ''
  await workAs(tracker.profileFor(tracker.baseUrl), recorder)
  const { administrator } = tracker.tokens
  const profile = { baseUrl: tracker.baseUrl, tokens: { administrator } }
  const headers = { authorization: `Bearer ${administrator}` }
  const url = `${profile.baseUrl}/plugins/Ext`
  await recorder.send({ method: 'PUT', url: `${url}/users/nina/impersonate`, headers, body: null })
  const both = { ...headers, cookie: cookie.replace(/;.*/, '') }
  await recorder.send({ method: 'GET', url: `${url}/me/account`, headers: both, body: null })
  const { calls, mirrors } = recordingOf([readHar(recorder.har(true), { profile })], profile)
  const under = async (values: Values) => (await simulate(mirrors, values)) as Simulator
  const first = [...replayed(await under({}), calls)]
  expect(first.at(-1)?.replayed.seen.status).toBe(200)
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
