/** What is learnt from recordings alone, of which nothing is asked. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTracker, type DecisionInput, type Tracker } from '../../emulator/index.js'
import { isLong } from '../../fixtures/long.js'
import { workAs } from '../../fixtures/recorded/client.js'
import { type HarRecorder, harRecorder } from '../../fixtures/recorded/har.js'
import { readHar } from '../client/har-read.js'
import { type LedgerView, ledgerView } from './copy/emulator.js'
import { learn, learnFrom } from './learn.js'
import { diffFrom, type Shares } from './report/diff.js'
import type { Trace } from './trace/trace.js'

const nobody = { baseUrl: 'http://tracker.invalid', tokens: {} }
const settings = { ledger: ledgerView, asIs: false }

async function recorded(tracker: Tracker, ending = ''): Promise<HarRecorder> {
  const recorder = harRecorder(tracker.fetch)
  await workAs(tracker.profileFor(tracker.baseUrl), recorder, ending)
  return recorder
}

/** Sends what a caller asks of a tracker. */
const sending =
  ({ baseUrl }: Tracker, recorder: HarRecorder) =>
  (token: string | undefined, method: string, path: string, body: object | null = null) =>
    recorder.send({
      ...{ method, url: `${baseUrl}/plugins/Ext${path}`, body: body && JSON.stringify(body) },
      headers: { authorization: `Bearer ${token}` },
    })

const read = (recorder: HarRecorder, withCredentials = true): Trace => readHar(recorder.har(withCredentials))

const learnt = (...traces: readonly Trace[]) => learnFrom({ ...settings, traces, profile: nobody })
const compared = (trace: Trace, decisions: Readonly<Record<string, unknown>>) =>
  diffFrom([trace], nobody, decisions)
const share = ({ equal, of }: Shares['status']) => (of === 0 ? 1 : equal / of)

describe.each(isLong ? [3, 11, 19, 23] : [11])('an emulator under vary %i', (vary) => {
  test('answers as its twin does what the recording shows, to other names too', async () => {
    const tracker = await createTracker({ vary })
    const trace = read(await recorded(tracker))
    expect(trace.exchanges.length).toBeGreaterThan(200)
    const found = await learnt(trace)
    const { decisions, deviations, requests } = found
    expect([deviations, requests]).toEqual([[], 0])
    for (const [id, { sure, value }] of Object.entries(found.evidence))
      if (sure === 'never-shown') expect([id, value]).toEqual([id, ledgerView[id]?.default])
    const { passwordAccount } = tracker.profile
    for (const secret of [...Object.values(tracker.tokens), ...Object.values(passwordAccount ?? {})])
      expect(JSON.stringify(found)).not.toContain(secret)
    const again = read(await recorded(await createTracker({ vary }), 'two'))
    const { status, code, shape } = (await compared(again, decisions)).total
    expect(share(status)).toBeGreaterThanOrEqual(0.97)
    expect(share(code)).toBeGreaterThanOrEqual(0.97)
    expect(share(shape)).toBeGreaterThanOrEqual(0.95)
    expect(share((await compared(again, {})).total.status)).toBeLessThan(share(status))
  })
})

test('a user whom a served change names is one of the twin, too', async () => {
  const tracker = await createTracker()
  const recorder = harRecorder(tracker.fetch)
  const send = sending(tracker, recorder)
  await send(tracker.tokens.administrator, 'PUT', '/users/nina/reset')
  await send(tracker.tokens.administrator, 'PUT', '/users/silent/reset')
  const trace = read(recorder)
  const { decisions } = await learnt(trace)
  expect(decisions).toEqual({})
  // Nothing shows that the other user exists.
  expect((await compared(trace, decisions)).total.status).toEqual({ equal: 1, of: 2 })
})

describe('of an emulator whose decisions are known', () => {
  const decisions: DecisionInput = { 'error-body-members': 'message-only', 'id-existence-leak': 'forbidden' }

  let recorder: HarRecorder
  beforeAll(async () => {
    recorder = await recorded(await createTracker({ decisions }))
  })

  test('each is known from an exchange, contradicted or never shown', async () => {
    const trace = read(recorder)
    const { decisions: found, evidence } = await learnt(trace)
    expect(found['error-body-members']).toBe('message-only')
    const numbers = trace.exchanges.filter(({ status }) => status >= 400).map(({ n }) => n)
    const { sure, exchanges = [] } = evidence['error-body-members'] ?? {}
    expect(sure).toBe('known')
    expect(exchanges.length).toBeGreaterThan(0)
    expect(numbers).toEqual(expect.arrayContaining([...exchanges]))
    // No client of an office asks so.
    expect(evidence['bearer-scheme-parsing']).toMatchObject({ sure: 'never-shown', value: 'lenient' })
  })

  test('the same is learnt where the browser has left out who asked', async () => {
    const { decisions: found } = await learnt(read(recorder, false))
    expect(found['error-body-members']).toBe('message-only')
    const { status } = (await compared(read(recorder), found)).total
    expect(share(status)).toBeGreaterThanOrEqual(0.95)
  })

  test('several recordings add up, each with a beginning of its own', async () => {
    const one = await createTracker({ decisions })
    const [first, second] = [harRecorder(one.fetch), harRecorder(one.fetch)]
    await sending(one, first)(one.tokens.administrator, 'GET', '/users/nobodyhere')
    await sending(one, second)(one.tokens.administrator, 'GET', '/me/account')
    const alone = await learnt(read(second))
    expect(alone.evidence['error-body-members']).toMatchObject({ sure: 'never-shown' })
    const both = await learnt(read(second), read(first))
    const { others = [], ...found } = both.evidence['error-body-members'] ?? {}
    expect(found).toMatchObject({ sure: 'narrowed', exchanges: ['2:1'] })
    // An error without a number has no more than its message under these, too.
    expect(others).toEqual(['message-and-code'])
  })
})

test('errors with an undocumented status teach no decision', async () => {
  const decisions = { 'error-body-members': 'everything' } as const
  const { exchanges } = read(await recorded(await createTracker({ decisions })))
  const text = JSON.stringify({ message: 'Out of order', localized: 'Out of order' })
  const lost = exchanges.filter(({ status }) => status === 404).map(({ n }) => n)
  const failing = exchanges.map((one) => (lost.includes(one.n) ? { ...one, status: 500, text } : one))
  const few = Object.entries(ledgerView).filter(([id]) => id === 'error-body-members')
  const ledger = Object.fromEntries(few) as LedgerView
  const traces = [{ exchanges: failing }]
  const { evidence } = await learnFrom({ ...settings, ledger, traces, profile: nobody })
  const { value, sure, exchanges: shown = [] } = evidence['error-body-members'] ?? {}
  expect([value, sure]).toEqual(['everything', 'known'])
  expect(lost.length).toBeGreaterThan(2)
  expect(shown.filter((n) => lost.includes(Number(n)))).toEqual([])
})

test('a value whose answers depend on another decision is tried with all values of that', async () => {
  const decisions = { 'cf-sort-invalid': 'ignored', 'cf-list-order': 'id' } as const
  const tracker = await createTracker({ decisions })
  const recorder = harRecorder(tracker.fetch)
  for (const query of ['', '?sort_by=name', '?sort_by=id', '?sort_by=colour'])
    await sending(tracker, recorder)(tracker.tokens.administrator, 'GET', `/custom_fields${query}`)
  const profile = { ...nobody, tokens: { administrator: tracker.tokens.administrator } }
  const traces = [readHar(recorder.har(true), { profile })]
  const { evidence } = await learnFrom({ ...settings, traces, profile })
  expect(evidence['cf-sort-params']).toMatchObject({ value: 'query', sure: 'known' })
  expect(evidence['cf-sort-invalid']).toMatchObject({ value: 'ignored', sure: 'known' })
})

/** Records calls of a tracker, and compares them with the twin. */
async function twinOf(
  decisions: DecisionInput,
  ...calls: readonly [as: 'administrator' | 'restricted', method: string, path: string, body?: object][]
) {
  const tracker = await createTracker({ decisions })
  const recorder = harRecorder(tracker.fetch)
  const send = sending(tracker, recorder)
  for (const [as, method, path, body] of calls) await send(tracker.tokens[as], method, path, body)
  const trace = read(recorder)
  const { decisions: found } = await learnt(trace)
  const { equal, of } = (await compared(trace, found)).total.status
  expect({ equal, of }).toEqual({ equal: calls.length, of: calls.length })
  return { found, statuses: trace.exchanges.map(({ status }) => status) }
}

test('the members of settings are learnt', async () => {
  const { found, statuses } = await twinOf(
    { 'accepted-values': { settingMembers: ['param', 'val'] } },
    ['administrator', 'PATCH', '/settings', [{ param: 'page_size', val: 9 }]],
    ['administrator', 'PATCH', '/settings', [{ param: 'page_size', val: 10 }]],
    ['administrator', 'PATCH', '/settings', [{ param: 'nowhere', val: 9 }]],
  )
  expect(statuses).toEqual([200, 200, 400])
  expect(found).toMatchObject({ 'accepted-values': { settingMembers: ['param', 'val'] } })
})

test('an ordinary user who changes its own account is no administrator in the twin', async () => {
  const { statuses } = await twinOf(
    {},
    ['restricted', 'GET', '/me/account'],
    ['restricted', 'PATCH', '/users/reporter', { realname: 'Other' }],
    ['restricted', 'POST', '/users', { username: 'otto' }],
    ['administrator', 'POST', '/users', { username: 'otto' }],
  )
  expect(statuses).toEqual([200, 200, 403, 200])
})

test('a user that is created and then read by its id was not there before', async () => {
  const tracker = await createTracker()
  const authorization = `Bearer ${tracker.tokens.administrator}`
  const headers = { authorization, 'content-type': 'application/json' }
  const ask = async (path: string, init: RequestInit = {}) => {
    const url = `${tracker.baseUrl}/plugins/Ext/users${path}`
    return (await tracker.fetch(new Request(url, { headers, ...init }))).json()
  }
  const body = JSON.stringify({ username: 'carla', email: 'carla@example.org', realname: 'Carla One' })
  const { user } = await ask('', { method: 'POST', body })
  await ask(`/${user.id}`)
  const whole = JSON.stringify(tracker.journal.har())
  // Where the page does not show the id either, the name tells.
  for (const har of [whole, whole.replaceAll(`\\"id\\":${user.id},`, '')]) {
    const { decisions } = await learnt(readHar(JSON.parse(har)))
    expect(decisions).not.toHaveProperty('learned-answers')
  }
})

test('a project whose columns one caller is refused, and another one not, is private in the twin', async () => {
  const tracker = await createTracker()
  const recorder = harRecorder(tracker.fetch)
  for (const secret of [tracker.tokens.administrator, tracker.tokens.restricted])
    for (const project of ['1', '3'])
      await sending(tracker, recorder)(secret, 'POST', '/manage-columns', { project, type: 'view' })
  const trace = read(recorder)
  expect(trace.exchanges.map(({ status }) => status)).toEqual([200, 200, 200, 403])
  expect((await compared(trace, {})).total.status).toEqual({ equal: 4, of: 4 })
})

const creations = ['/users', '/custom_fields/create']
test.each(creations)('what a tracker creates at %s with another status keeps its id', async (path) => {
  // An emulator of the recording would give other ids.
  const seed = { users: [{ id: 70, username: 'anna' }], customFields: [{ id: 80, name: 'Depth' }] }
  const tracker = await createTracker({ seed })
  const recorder = harRecorder(async (request) => {
    const { status, body, headers } = await tracker.fetch(request)
    const created = status === 200 && request.method === 'POST'
    return new Response(body, { status: created ? 201 : status, headers })
  })
  const send = sending(tracker, recorder).bind(null, tracker.tokens.administrator)
  const isUser = path === '/users'
  const body = isUser ? { username: 'otto' } : { custom_field: { name: 'Otto', type: 'string' } }
  expect((await send('POST', path, body)).status).toBe(201)
  const later = isUser ? send('PATCH', '/users/71', { realname: 'O' }) : send('DELETE', '/custom_fields/81')
  expect((await later).status).toBe(200)
  const { total, differences } = await compared(read(recorder), {})
  expect(total.status).toEqual({ equal: 1, of: 2 })
  expect(differences).toMatchObject([{ operation: isUser ? 'createUser' : 'createCustomField' }])
})

test('beside a recording, a live tracker is asked only for what is still open', async () => {
  const tracker = await createTracker({ decisions: { 'error-body-members': 'message-only' } })
  const trace = read(await recorded(tracker))
  const { 'error-body-members': shown, 'bearer-scheme-parsing': open } = ledgerView
  const ledger = { 'error-body-members': shown, 'bearer-scheme-parsing': open } as LedgerView
  const server = await tracker.listen()
  onTestFinished(() => server.close())
  const live = {
    ...({ profile: tracker.profileFor(server.url), safety: 'read', timeout: 10_000, rate: 0 } as const),
    ...{ budget: 120, signal: new AbortController().signal, ledgerFile: null },
  }
  const { evidence, requests } = await learn({ ...settings, ledger, ...live, traces: [trace] })
  expect(requests).toBeLessThanOrEqual(120)
  expect(evidence['bearer-scheme-parsing']?.sure).toBe('known')
  const numbers = evidence['error-body-members']?.exchanges ?? []
  expect(numbers.length).toBeGreaterThan(0)
})
