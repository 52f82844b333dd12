import { describe, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type DecisionId } from '../../emulator/index.js'
import { generator } from '../../emulator/random.js'
import { legalTrackers } from '../../fixtures/legal/index.js'
import { isLong } from '../../fixtures/long.js'
import type { Profile } from '../contract/index.js'
import { rules } from '../oracle/judge.js'
import type { LedgerView, Values } from './copy/copy.js'
import { ledgerView, simulate } from './copy/emulator.js'
import { learn } from './learn.js'
import { type DiffReport, diff, type Share } from './report/diff.js'

const common = {
  simulate,
  ledger: ledgerView,
  safety: 'destructive',
  timeout: 10_000,
  rate: 0,
  signal: new AbortController().signal,
  ledgerFile: null,
} as const

interface Running {
  readonly profile: Profile
  close(): Promise<void>
}

async function emulator(options: Parameters<typeof createTracker>[0]): Promise<Running> {
  const tracker = await createTracker(options)
  const server = await tracker.listen()
  return { profile: tracker.profileFor(server.url), close: () => server.close() }
}

async function using<T>(start: () => Promise<Running>, work: (profile: Profile) => Promise<T>): Promise<T> {
  const running = await start()
  try {
    return await work(running.profile)
  } finally {
    await running.close()
  }
}

const learnt = (
  start: () => Promise<Running>,
  {
    seed = 1,
    ledger = ledgerView,
    budget = 699,
    onProgress = () => undefined,
  }: {
    seed?: number
    ledger?: LedgerView
    budget?: number
    onProgress?: (phase: string, done: number, total: number) => void
  } = {},
) =>
  using(start, (profile) =>
    learn({ ...common, ledger, budget, profile, asIs: false, random: generator(seed), onProgress }),
  )

/** A learning takes its time; `npm run learn-test` has many, of all decisions. */
const part = Object.entries(ledgerView).filter((_, index) => isLong || index % 4 === 0)
const ledger = Object.fromEntries(part) as LedgerView

/** With other values and other calls than the learning had. */
const compared = (start: () => Promise<Running>, decisions: Values): Promise<DiffReport> =>
  using(start, (profile) =>
    // Without a ledger nothing is explained, which takes longer than the rest.
    diff({
      ...{ ...common, ledger: {}, budget: 2000, profile, decisions },
      ...{ seed: 77, sequences: isLong ? 2 : 1, random: generator(77) },
    }),
  )

const share = ({ equal, of }: Share) => (of === 0 ? 1 : equal / of)

// Four runs of many requests.
describe.runIf(isLong)('an emulator under other decisions', () => {
  test('vary 1 is met, and what was learnt is learnt again from the emulator that runs it', async () => {
    const only = Object.keys(ledger) as DecisionId[]
    const start = () => emulator({ vary: { seed: 1, only, wild: true } })
    const shares: number[] = []
    const found = await learnt(start, { ledger, onProgress: (_, done, total) => shares.push(done / total) })
    expect(shares.at(-1)).toBeGreaterThan(0.7)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    const before = (await compared(start, {})).total
    const after = (await compared(start, found.decisions)).total
    expect(found.requests).toBeLessThan(700)
    expect(found.deviations).toEqual([])
    expect(share(before.status)).toBeLessThan(share(after.status))
    expect(share(after.status)).toBeGreaterThanOrEqual(0.99)
    expect(share(after.code)).toBeGreaterThanOrEqual(0.95)
    const emulated = () => emulator({ decisions: found.decisions as never })
    const again = await learnt(emulated, { seed: 5, ledger })
    expect(again.decisions).toEqual(found.decisions)
  })
})

test('what users may do in a session is asked where it is still open', async () => {
  const decisions = {
    'impersonate-effect': 'token',
    'impersonate-chain-end': 'nested-refused',
    'update-unchanged-forbidden-field': 'refused',
    'ext-settings-permission': 70,
  } as const
  const ids = Object.keys(decisions) as DecisionId[]
  const few = Object.fromEntries(ids.map((id) => [id, ledgerView[id]])) as LedgerView
  const found = await learnt(() => emulator({ decisions }), { ledger: few, budget: 1200 })
  expect(found.decisions).toMatchObject(decisions)
  for (const id of ids) expect([id, found.evidence[id]?.sure]).toEqual([id, 'known'])
})

test('a token that an impersonation switches is learnt, and left again', async () => {
  const decisions = {
    'impersonate-effect': 'token-switches',
    'impersonate-protected': 'refused',
  } as const
  const own = Object.entries(ledgerView).filter(([id]) => id.startsWith('impersonate'))
  const found = await learnt(() => emulator({ decisions }), { ledger: Object.fromEntries(own) })
  expect(found.decisions).toMatchObject(decisions)
  expect(found.left?.filter((words) => words.includes('tokens.administrator')) ?? []).toEqual([])
})

describe('a tracker that shares no code with the emulator', () => {
  const some = legalTrackers.filter(({ name }) => name === 'fussy')
  // With fewer requests than there may be, which takes a third of the time.
  test.each(some.map(({ name, start }) => [name, start] as const))('%s', async (_, start) => {
    const found = await learnt(start, { budget: 360, ledger })
    const after = (await compared(start, found.decisions)).total
    expect(found.requests).toBeLessThanOrEqual(360)
    expect(found.deviations).toEqual([])
    // Without what was learnt it is about a half.
    if (isLong) expect(share((await compared(start, {})).total.status)).toBeLessThan(0.65)
    expect(share(after.status)).toBeGreaterThanOrEqual(0.75)
    expect(share(after.code)).toBeGreaterThanOrEqual(0.9)
    // Nothing of the profile's secrets is told.
    const secrets = await using(start, async ({ tokens }) => Object.values(tokens))
    for (const secret of secrets) expect(JSON.stringify(found)).not.toContain(secret)
  })
})

test.each([
  ['dies', { transport: 'drop' }, /connection ended without an answer/],
  ['throttles', { status: 429, headers: { 'retry-after': '600' } }, /throttles \(429\)/],
  ['fails', { status: 500, body: { message: 'Out of order' } }, /came to answer 500, 10 times in a row/],
  [
    'knows nobody',
    { status: 401, body: { message: 'Who?' } },
    /came to answer (401 to its administrator|otherwise, .* 401)/,
  ],
] as const)('a tracker that %s half-way has taught what it answered until then', async (_, fault, word) => {
  const tracker = await createTracker({ decisions: { 'error-body-members': 'message-only' } })
  const server = await tracker.listen()
  tracker.faults.inject({ nth: 250, times: 100_000, ...fault })
  try {
    const profile = tracker.profileFor(server.url)
    // Two decisions are enough: one that the answers tell, and one of the rest.
    const { 'error-body-members': told, 'plugin-install-again': rest } = ledgerView
    const ledger = { 'error-body-members': told, 'plugin-install-again': rest } as LedgerView
    const options = { ...common, ledger, budget: 499, profile, asIs: false, random: generator(1) }
    const found = await learn(options)
    expect(found.incomplete).toMatch(word)
    expect(found.decisions['error-body-members']).toBe('message-only')
    expect(found.evidence['error-body-members']).toMatchObject({ sure: 'known' })
    expect(found.skipped?.plugins).toBe(found.incomplete)
    expect(JSON.stringify(found.decisions)).not.toMatch(/Out of order|Who\?/)
    expect(found.evidence['plugin-install-again']).toMatchObject({ sure: 'never-shown' })
  } finally {
    await server.close()
  }
})

test.each([
  [
    'agrees to everything',
    () => Response.json({ ok: true }),
    /a user that is there answered 200 .* and 200 \{"ok":true\} later/,
  ],
  [
    'finds nothing any more',
    () => Response.json({ message: 'Gone' }, { status: 404 }),
    /a user that is there/,
  ],
] as const)('a tracker that %s from half-way on is not believed', async (_, lie, word) => {
  const tracker = await createTracker({ decisions: { 'error-body-members': 'message-only' } })
  let asked = 0
  const server = await listen({
    ...tracker,
    fetch: async (request) => (++asked > 230 ? lie() : tracker.fetch(request)),
  })
  try {
    const profile = tracker.profileFor(server.url)
    const { 'error-body-members': told } = ledgerView
    const options = { ...common, ledger: { 'error-body-members': told } as LedgerView, budget: 499, profile }
    const found = await learn({ ...options, asIs: false, random: generator(1) })
    expect(found.incomplete).toMatch(/^the target came to answer otherwise, after request \d+: /)
    expect(found.incomplete).toMatch(word)
    expect(found.decisions).toEqual({ 'error-body-members': 'message-only' })
    expect(found.skipped?.password).toBe(found.incomplete)
  } finally {
    await server.close()
  }
})

test('a field whose name the tracker rewrote is removed too, and none besides', async () => {
  const tracker = await createTracker({ decisions: { 'cf-name-trim': 'tags-stripped' } })
  const server = await tracker.listen()
  const before = tracker.db.customFields.rows.length
  try {
    const profile = tracker.profileFor(server.url)
    const options = { ...common, ledger: {}, safety: 'write', budget: 499, profile } as const
    const found = await learn({ ...options, asIs: false, random: generator(1) })
    expect(found.left?.filter((line) => line.startsWith('custom field'))).toEqual([])
    // A blank name, which was refused, is found in every record that has a blank member: none of them is the run's.
    expect(tracker.db.customFields.rows).toHaveLength(before)
  } finally {
    await server.close()
  }
})

test('what the document does not allow is told and not learnt', async () => {
  const tracker = await createTracker()
  const server = await tracker.listen()
  tracker.faults.inject({ operation: 'listPlugins', status: 418, body: { message: 'Tea' } })
  try {
    const profile = { ...tracker.profileFor(server.url), safety: 'read' as const }
    const options = { ...common, safety: 'read', budget: 120, profile, random: generator(1) } as const
    const found = await learn({ ...options, asIs: false })
    expect(found.deviations).toEqual([
      {
        ...{ requirement: 'status', operation: 'listPlugins' },
        message: expect.stringMatching(/^listPlugins answered 418 .*: Every answer has one of the statuses/),
      },
    ])
    expect(JSON.stringify(found.decisions)).not.toContain('Tea')
    expect(JSON.stringify((await learn({ ...options, asIs: true })).decisions)).toContain('Tea')
  } finally {
    await server.close()
  }
})

test('a success where nothing is there is told, of each operation that has it', async () => {
  const tracker = await createTracker()
  const server = await listen({
    ...tracker,
    async fetch(request) {
      const answer = await tracker.fetch(request)
      if (answer.status !== 404 || !/\/users?\/[^/]+$/.test(request.url)) return answer
      return Response.json({ users: [] })
    },
  })
  try {
    const profile = tracker.profileFor(server.url)
    const options = { ...common, ledger: {}, safety: 'read', budget: 120, profile, asIs: false } as const
    const { deviations, left } = await learn({ ...options, random: generator(1) })
    const told = deviations.map(({ requirement, operation }) => `${requirement} ${operation}`)
    expect(told).toContain('not-found getUser')
    expect(told.filter((one) => !one.startsWith('not-found '))).toEqual([])
    expect(deviations.filter(({ requirement }) => !rules.has(requirement))).toEqual([])
    expect(left).toBeUndefined()
  } finally {
    await server.close()
  }
})
