import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker } from '../../emulator/index.js'
import { legalTrackers } from '../../fixtures/legal/index.js'
import { isLong } from '../../fixtures/long.js'
import type { Profile } from '../contract/index.js'
import { type LedgerView, ledgerView, type Values } from './copy/emulator.js'
import { learn } from './learn.js'
import { type DiffReport, diff, type Shares } from './report/diff.js'

const common = {
  ...({ ledger: ledgerView, safety: 'destructive', timeout: 10_000, rate: 0 } as const),
  ...{ signal: new AbortController().signal, ledgerFile: null },
}

/** What starts a tracker; the test ends it. */
type Start = () => Promise<Profile>

const served = async (tracker: Tracker): Promise<Profile> => {
  const server = await listen(tracker)
  onTestFinished(() => server.close())
  return tracker.profileFor(server.url)
}

type Learning = Partial<Pick<Parameters<typeof learn>[0], 'ledger' | 'budget' | 'safety' | 'asIs'>>
const learnt = (profile: Profile, more: Learning = {}) =>
  learn({ ...common, budget: 699, asIs: false, profile, ...more })

const ledgerOf = (...ids: readonly string[]) =>
  Object.fromEntries(Object.entries(ledgerView).filter(([id]) => ids.includes(id))) as LedgerView

/** A learning takes its time; `npm run learn-test` has many, of all decisions. */
const part = Object.entries(ledgerView).filter((_, index) => isLong || index % 4 === 0)
const ledger = Object.fromEntries(part) as LedgerView

/** With other values and other calls than the learning had. */
const compared = async (start: Start, decisions: Values): Promise<DiffReport> =>
  // Without a ledger nothing is explained, which takes longer than the rest.
  diff({
    ...{ ...common, ledger: {}, budget: 2000, profile: await start(), decisions },
    ...{ seed: 77, runs: isLong ? 100 : 20 },
  })

const share = ({ equal, of }: Shares['status']) => (of === 0 ? 1 : equal / of)

test('what users may do in a session is asked where it is still open', async () => {
  const decisions = {
    'impersonate-effect': 'token',
    'impersonate-chain-end': 'nested-refused',
    'update-unchanged-forbidden-field': 'refused',
    'ext-settings-permission': 70,
  } as const
  const ids = Object.keys(decisions)
  const profile = await served(await createTracker({ decisions }))
  const found = await learnt(profile, { ledger: ledgerOf(...ids), budget: 1200 })
  expect(found.decisions).toMatchObject(decisions)
  // No caller has a level between those of this one.
  const level = 'ext-settings-permission'
  for (const id of ids)
    expect([id, found.evidence[id]?.sure]).toEqual([id, id === level ? 'narrowed' : 'known'])
})

test('a token that an impersonation switches is learnt, and left again', async () => {
  const decisions = { 'impersonate-effect': 'token-switches', 'impersonate-protected': 'refused' } as const
  const own = Object.keys(ledgerView).filter((id) => id.startsWith('impersonate'))
  const tracker = await createTracker({ decisions })
  const found = await learnt(await served(tracker), { ledger: ledgerOf(...own) })
  expect(found.decisions).toMatchObject(decisions)
  expect(tracker.db.tokens.rows.filter(({ acting_as }) => typeof acting_as === 'number')).toEqual([])
  expect(found.left?.filter((words) => words.includes('tokens.administrator')) ?? []).toEqual([])
})

// With fewer requests than there may be, which takes a third of the time.
const fussy = legalTrackers.filter(({ name }) => name === 'fussy')
test.each(fussy)('a tracker that shares no code with the emulator: $name', async ({ start: begin }) => {
  const start = async () => {
    const { profile, close } = await begin()
    onTestFinished(close)
    return profile
  }
  const profile = await start()
  const found = await learnt(profile, { budget: 360, ledger })
  const after = (await compared(start, found.decisions)).total
  expect(found.requests).toBeLessThanOrEqual(360)
  expect(found.deviations).toEqual([])
  // Without what was learnt it is about a half.
  if (isLong) expect(share((await compared(start, {})).total.status)).toBeLessThan(0.65)
  expect(share(after.status)).toBeGreaterThanOrEqual(0.68)
  expect(share(after.code)).toBeGreaterThanOrEqual(0.9)
  // Nothing of the profile's secrets is told.
  for (const secret of Object.values(profile.tokens)) expect(JSON.stringify(found)).not.toContain(secret)
})

const otherwise = /^the target came to answer otherwise, after request \d+: .*a user that is there/
const throttling = { nth: 120, status: 429, headers: { 'retry-after': '600' } }
test.each([
  ['dies', { nth: 120, transport: 'drop' }, /connection ended without an answer/],
  ['throttles', throttling, /throttles \(429\)/],
  ['fails', { nth: 120, status: 500, body: { message: 'Out of order' } }, otherwise],
  ['knows nobody', { status: 401, body: { message: 'Who?' } }, otherwise],
  ['agrees to everything', { status: 200, body: { ok: true } }, otherwise],
] as const)('a tracker that %s half-way has taught what it answered until then', async (_, fault, word) => {
  const tracker = await createTracker({ decisions: { 'error-body-members': 'message-only' } })
  // A tracker that answers on, and wrongly, is seen through by what it has answered to the same before.
  tracker.faults.inject({ nth: 235, times: 100_000, ...fault })
  // Two decisions are enough: one that the answers tell, and one of the rest.
  const few = ledgerOf('error-body-members', 'plugin-install-again')
  const found = await learnt(await served(tracker), { ledger: few, budget: 499 })
  expect(found.incomplete).toMatch(word)
  expect(found.decisions['error-body-members']).toBe('message-only')
  expect(found.evidence['error-body-members']).toMatchObject({ sure: 'known' })
  for (const chapter of ['sessions', 'requests']) expect(found.skipped?.[chapter]).toBe(found.incomplete)
  expect(JSON.stringify(found.decisions)).not.toMatch(/Out of order|Who\?|"ok":true/)
  expect(found.evidence['plugin-install-again']).toMatchObject({ sure: 'never-shown' })
})

test('a field whose name the tracker rewrote is removed too, and none besides', async () => {
  const tracker = await createTracker({ decisions: { 'cf-name-trim': 'tags-stripped' } })
  const before = tracker.db.customFields.rows.length
  const { left } = await learnt(await served(tracker), { ledger: {}, safety: 'write', budget: 200 })
  expect(left?.filter((line) => line.startsWith('custom field'))).toEqual([])
  // A blank name, which was refused, is found in every record that has a blank member: none of them is the run's.
  expect(tracker.db.customFields.rows).toHaveLength(before)
})

test('what the document does not allow is told and not learnt', async () => {
  const tracker = await createTracker()
  const profile = await served(tracker)
  tracker.faults.inject({ operation: 'listPlugins', status: 418, body: { message: 'Tea' } })
  const options = { safety: 'read', budget: 120 } as const
  const found = await learnt(profile, options)
  const message = expect.stringMatching(/^listPlugins answered 418 .*: Every answer has one of the statuses/)
  expect(found.deviations).toEqual([{ requirement: 'status', operation: 'listPlugins', message }])
  expect(JSON.stringify(found.decisions)).not.toContain('Tea')
  expect(JSON.stringify((await learnt(profile, { ...options, asIs: true })).decisions)).toContain('Tea')
})
