import { afterEach, expect, test, vi } from 'vitest'
import { clientOf } from '../../fixtures/client.js'
import { createTracker, type Tracker } from '../index.js'
import { type DecisionId, decisionIds, drawOf, entry, groupOf } from './index.js'

afterEach(() => vi.unstubAllEnvs())

const NUMBERS = Array.from({ length: 60 }, (_, index) => index)

const changedBy = ({ decisions }: Tracker): DecisionId[] =>
  decisionIds.filter((id) => JSON.stringify(decisions[id]) !== JSON.stringify(entry(id).default))

/** Creates and reads a user and a field, as a client does that was written on the defaults. */
async function plainClient(tracker: Tracker): Promise<void> {
  const call = clientOf(tracker)
  const person = { username: 'jane', email: 'jane@example.org', realname: 'Jane' }
  const { json: made } = await call('createUser', { body: person })
  const { json: read } = await call('getUser', { path: { user_id: made.user.id } })
  expect(read.users[0].name).toBe('jane')
  const definition = { custom_field: { name: 'Severity', type: 'string' } }
  const { json: defined } = await call('createCustomField', { body: definition })
  expect((await call('listCustomFields')).json.custom_fields.length).toBeGreaterThan(0)
  const path = { field_id: defined.custom_field.id }
  expect((await call('deleteCustomField', { path })).status).toBe(200)
}

test('the mild draw changes much, and a plain client passes under it', async () => {
  for (const seed of NUMBERS) {
    const tracker = await createTracker({ vary: { seed } })
    expect(changedBy(tracker).length, String(seed)).toBeGreaterThan(40)
    await plainClient(tracker)
  }
})

test('only and keep take groups and ids, and leave the others as they are drawn', async () => {
  const wild = await createTracker({ vary: 7 })
  expect(wild.decisions).toEqual((await createTracker({ vary: { seed: 7, wild: true } })).decisions)
  const only = await createTracker({ vary: { seed: 7, only: ['lists', 'date-format'] } })
  const ids = decisionIds.filter((id) => groupOf(id) === 'lists' || id === 'date-format')
  expect(changedBy(only)).toEqual(ids.filter((id) => changedBy(wild).includes(id)))
  expect(only.decisions['date-format']).toBe(wild.decisions['date-format'])
  const kept = await createTracker({ vary: { seed: 7, wild: true, keep: ['bodies', 'trailing-slash'] } })
  expect(changedBy(kept).filter((id) => groupOf(id) === 'bodies' || id === 'trailing-slash')).toEqual([])
  expect(changedBy(kept).length).toBeGreaterThan(40)
})

test('the environment says what is drawn, where a tracker varies at all', async () => {
  vi.stubEnv('TRACKER_KIT_VARY', '{"seed":7,"only":["cf-list-order","date-format"]}')
  const { decisions } = await createTracker({ vary: 7 })
  const wild = drawOf(7, undefined)
  expect(wild?.ids.size).toBe(decisionIds.length)
  const varied = await createTracker({ vary: {} })
  expect(varied.decisions).toEqual(decisions)
  expect(varied.vary).toBe(7)
  for (const id of changedBy(varied)) expect(['cf-list-order', 'date-format']).toContain(id)
  expect(changedBy(await createTracker({ vary: { keep: ['lists', 'bodies'] } }))).toEqual([])
  expect(changedBy(await createTracker())).toEqual([])
  vi.stubEnv('TRACKER_KIT_VARY', 'many')
  await createTracker()
  await expect(createTracker({ vary: {} })).rejects.toThrow(
    'TRACKER_KIT_VARY: must be a whole number from 0 to 4294967295, or an object, not "many"',
  )
})
