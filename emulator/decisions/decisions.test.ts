import { afterEach, expect, test, vi } from 'vitest'
import { writtenValue } from '../../conformance/contract/decisions/index.js'
import { clientOf } from '../../fixtures/client.js'
import { createTracker, type Tracker } from '../index.js'
import { type DecisionId, decisionIds, drawOf, entry, exclusions, resolveDecisions } from './index.js'
import { learned } from './learned.js'

afterEach(() => vi.unstubAllEnvs())

test('every entry has a question of its own, operations, and a sentence for each of several values', () => {
  for (const id of decisionIds) {
    const { operations, values, alternatives, default: fallback } = entry(id)
    expect(operations.length, id).toBeGreaterThan(0)
    // What is only ever learnt is not drawn.
    if (!Object.hasOwn(learned, id)) expect(alternatives.length, id).toBeGreaterThan(0)
    expect(alternatives, id).not.toContainEqual(fallback)
    expect(Object.keys(values).sort(), id).toEqual([fallback, ...alternatives].map(writtenValue).sort())
    // An object has such members first, wherever they were written: the default would be another.
    const first = Object.keys(values).filter((value) => /^\d+$/.test(value))
    if (typeof fallback === 'string') expect(first, id).toEqual([])
  }
  const questions = decisionIds.map((id) => entry(id).question)
  expect(new Set(questions).size).toBe(questions.length)
})

test.each<[object, string | RegExp]>([
  [{ 'create-permission': 26 }, 'cannot be 26'],
  [{ 'plugin-priority-range': { min: 4, max: 4 } }, 'min must be below max'],
  [{ 'impersonate-effect': 'token', 'write-success-body': 'empty-list' }, 'contradict each other'],
  // All mistakes are told at once.
  [
    { 'wrong-metod': 'not-found', 'cf-list-order': 'nme' },
    /did you mean "wrong-method"\?; .*"cf-list-order" is "nme"; it must be/,
  ],
  [{ decisions: { 'wrong-method': 'not-found' } }, 'it needs "schema": "tracker-kit/decisions@1" too'],
])('%j is refused: %s', (input, message) => {
  expect(() => resolveDecisions(input)).toThrow(message)
})

test('what is given stays, and leaves the others as they are drawn', () => {
  const drawn = resolveDecisions({}, drawOf(7, undefined))
  const given = resolveDecisions({ 'user-segment-me': 'caller' }, drawOf(7, undefined))
  expect(given).toEqual({ ...drawn, 'user-segment-me': 'caller' })
})

test('every value of every entry is drawn by some number, and no draw contradicts itself', () => {
  const seen = new Map(decisionIds.map((id) => [id, new Set<string>()]))
  for (let vary = 0; vary < 300; vary++) {
    const decisions = resolveDecisions({}, drawOf(vary, undefined))
    for (const id of decisionIds) seen.get(id)?.add(JSON.stringify(decisions[id]))
    for (const { when, not } of exclusions) {
      const holds = (side: object) =>
        Object.entries(side).every(([id, values]) => values.includes(decisions[id as keyof typeof decisions]))
      expect(holds(when) && holds(not)).toBe(false)
    }
  }
  for (const id of decisionIds) expect(seen.get(id)?.size, id).toBe(entry(id).alternatives.length + 1)
})

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
  for (let seed = 0; seed < 60; seed++) {
    const tracker = await createTracker({ vary: { seed } })
    expect(changedBy(tracker).length, String(seed)).toBeGreaterThan(40)
    await plainClient(tracker)
  }
})

test('only and keep take groups and ids, and leave the others as they are drawn', async () => {
  const wild = await createTracker({ vary: 7 })
  expect(wild.decisions).toEqual((await createTracker({ vary: { seed: 7, wild: true } })).decisions)
  const only = await createTracker({ vary: { seed: 7, only: ['lists', 'date-format'] } })
  const ids = decisionIds.filter((id) => entry(id).group === 'lists' || id === 'date-format')
  expect(changedBy(only)).toEqual(ids.filter((id) => changedBy(wild).includes(id)))
  expect(only.decisions['date-format']).toBe(wild.decisions['date-format'])
  const kept = await createTracker({ vary: { seed: 7, wild: true, keep: ['bodies', 'trailing-slash'] } })
  expect(changedBy(kept).filter((id) => entry(id).group === 'bodies' || id === 'trailing-slash')).toEqual([])
  expect(changedBy(kept).length).toBeGreaterThan(40)
})

test('the environment says what is drawn, where a tracker varies at all', async () => {
  vi.stubEnv('TRACKER_KIT_VARY', '{"seed":7,"only":["cf-list-order","date-format"]}')
  const { decisions } = await createTracker({ vary: 7 })
  const varied = await createTracker({ vary: {} })
  expect(varied.decisions).toEqual(decisions)
  expect(varied.vary).toBe(7)
  expect(changedBy(await createTracker({ vary: { keep: ['lists', 'bodies'] } }))).toEqual([])
  expect(changedBy(await createTracker())).toEqual([])
  vi.stubEnv('TRACKER_KIT_VARY', 'many')
  await createTracker()
  await expect(createTracker({ vary: {} })).rejects.toThrow(
    'TRACKER_KIT_VARY: must be a whole number from 0 to 4294967295, or an object, not "many"',
  )
})
