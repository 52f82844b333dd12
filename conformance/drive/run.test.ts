/** What a run sends and says: of trackers with habits, of mistaken profiles, of tokens that end on the way, and of its own errors. */
import { expect, test, vi } from 'vitest'
import type { DecisionInput } from '../../emulator/decisions/index.js'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker } from '../../emulator/index.js'
import type { OperationId, Profile } from '../contract/index.js'
import type { Exchange } from '../oracle/exchange.js'
import { judge } from '../oracle/judge.js'
import { match } from '../oracle/operations.js'
import { confirmed } from './confirmed.js'
import { check, type DriveOptions, type Following } from './run.js'

vi.setConfig({ testTimeout: 60_000 })

interface Given {
  /** What is answered, where the tracker answers some requests in its own way. */
  readonly answer?: (request: Request, own: () => Promise<Response>) => Promise<Response>
  readonly edit?: (profile: Profile) => Profile
  readonly decisions?: DecisionInput
  readonly following?: Following
}

/** Drives a tracker. */
async function driven(options: Partial<DriveOptions> = {}, given: Given = {}) {
  const { answer = (_, own) => own(), edit = (profile) => profile, decisions = {}, following } = given
  const tracker = await createTracker({ decisions })
  const fetch = (request: Request) => answer(request, () => tracker.fetch(request))
  const server = await listen(Object.create(tracker, { fetch: { value: fetch } }) as Tracker)
  const profile = edit(tracker.profileFor(server.url))
  try {
    const state = () => JSON.stringify(tracker.snapshot()).replace(/"used_at":[^,}]+/g, '')
    const before = state()
    const usual: DriveOptions = {
      ...{ profile, safety: 'destructive', seed: 1, runs: 5, only: [] },
      ...{ timeout: 5000, rate: 0, budget: 0, ledgerFile: null },
    }
    const checked = await check({ ...usual, ...options }, following)
    const made = tracker.db.users.rows.filter(({ username }) => username.startsWith('tk'))
    return { ...checked, isChanged: state() !== before, made }
  } finally {
    await server.close()
  }
}

const refusal = (status = 403) => Response.json({ message: 'Not on this tracker' }, { status })
const operationsOf = ({ trace }: Awaited<ReturnType<typeof driven>>) =>
  trace.map(({ method, path }) => match(method, path.replace('/api/rest/plugins/Ext', ''))?.operation.id)
const count = (of: readonly unknown[], what: OperationId) => of.filter((one) => one === what).length

test('the trace of a part of all stories leads alone to the same findings and verdicts', async () => {
  const run = await driven({ shard: { index: 1, count: 8 } })
  const { findings, verdicts } = judge(run.trace, run.knowledge)
  expect(confirmed(findings, run.trace)).toEqual(run.findings)
  expect(verdicts).toEqual(run.verdicts)
})

test('a run at `read` changes nothing', async () => {
  const { isChanged, findings, leftovers, requests } = await driven({ safety: 'read' })
  expect({ isChanged, findings, leftovers }).toEqual({ isChanged: false, findings: [], leftovers: [] })
  expect(requests).toBeLessThan(800)
})

test('`only` is sent, with what it needs', async () => {
  const operations = operationsOf(await driven({ only: ['getTokensPage'], safety: 'read' }))
  expect(count(operations, 'getTokensPage')).toBeGreaterThan(10)
  expect(count(operations, 'listPlugins')).toBe(0)
})

test('the same seed has the same plan', async () => {
  const plan = async () => {
    const { trace } = await driven({ only: ['addUserToProjects'], safety: 'write', runs: 1 })
    const requests = trace.map(({ method, path, body }) => `${method} ${path} ${body}`)
    const unescaped = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16))
    return requests.map((one) => one.replace(/\\u00(..)/g, unescaped).replace(/tk[a-z]{5}/g, ''))
  }
  expect(await plan()).toEqual(await plan())
})

const sent = async (request: Request) => `${request.method} ${request.url} ${await request.clone().text()}`
test.each<[string, OperationId, refuses: RegExp | null, path: RegExp, made: number]>([
  ['no user can be disabled', 'createUser', /^PATCH .*"enabled":false/, /\/users$/, 1],
  ['no field can be deleted', 'createCustomField', /^DELETE/, /\/custom_fields\/create$/, 1],
  ['a field with projects cannot be deleted', 'createCustomField', null, /\/custom_fields\/create$/, 3],
])('where %s one is made, and told', async (_, id, refuses, path, made) => {
  const run = await driven(
    { only: [id], safety: 'write' },
    {
      answer: async (request, own) => (refuses?.test(await sent(request)) ? refusal() : own()),
      decisions: refuses ? {} : { 'cf-delete-linked': 'refused' },
    },
  )
  const creations = run.trace.filter((one) => one.method === 'POST' && path.test(one.path))
  const created = creations.filter(({ status }) => status === 200)
  // Fields without projects are made and deleted all the same.
  expect(made === 1 ? created.length === 1 : created.length >= made).toBe(true)
  const left = run.leftovers.filter((one) => /^(user|custom field) /.test(one))
  expect(left.filter((one) => !/\(disabled;/.test(one))).toHaveLength(1)
})

const refuses =
  (creation: RegExp): NonNullable<Given['answer']> =>
  async (request, own) =>
    creation.test(await sent(request)) ? refusal(400) : own()
const untyped = refuses(/^POST .*"custom_field":(?!.*"type":)/)
const customType = 'customField.type'
const moon = (profile: Profile) => ({ ...profile, customField: { type: 'moon' } })
test.each<[field: string, OperationId, words: RegExp, Given]>([
  ['projects', 'addUserToProjects', /./, { edit: (profile) => ({ ...profile, projects: ['1', '4711'] }) }],
  [customType, 'createCustomField', /, and one is created with \w+$/, { edit: moon, answer: untyped }],
  [customType, 'createCustomField', /unknown type is: 400/, { edit: moon, answer: refuses(/create /) }],
  [
    'plugin',
    'installPlugin',
    /^it is listed before the run has installed it/,
    {
      edit: (profile) => ({ ...profile, plugin: { name: 'Lantern' } }),
      answer: async (request, own) =>
        /^GET .*plugins $/.test(await sent(request))
          ? Response.json([{ name: 'Lantern', state: 'on' }])
          : own(),
    },
  ],
])('%s that the target refuses is told as a mistake, and no finding', async (field, id, words, given) => {
  const run = await driven({ only: [id], safety: 'destructive' }, given)
  expect(run.mistakes).toEqual([{ field, words: expect.stringMatching(words) }])
  expect(run.findings).toEqual([])
})

test('a spent budget ends the run, and what it made is removed', async () => {
  const run = await driven({ budget: 200, safety: 'write' })
  expect(run.trouble).toBe('the budget of 200 requests is spent')
  expect(run.leftovers.filter((one) => /custom field|enabled/.test(one))).toEqual([])
})

test('a token that ends on the way ends the run, and nothing is blamed for it', async () => {
  let asked = 0
  const answer: Given['answer'] = async (_, own) => (++asked > 100 ? refusal(401) : own())
  const { trouble, findings, verdicts, trace } = await driven({ safety: 'read' }, { answer })
  expect(trouble).toMatch(/^the token of tokens\.administrator is not accepted any more/)
  expect(findings).toEqual([])
  expect(verdicts.some(({ outcome }) => outcome === 'passed')).toBe(true)
  expect(trace.length).toBeGreaterThan(100)
})

test('an operation that does not take a valid token is a failure', async () => {
  const answer: Given['answer'] = async ({ url }, own) => (url.endsWith('/plugins') ? refusal(401) : own())
  const only: DriveOptions['only'] = ['listPlugins', 'getTokensPage']
  const { trouble, findings } = await driven({ safety: 'read', only }, { answer })
  expect(trouble).toBeNull()
  expect(new Set(findings.map(({ operation }) => operation))).toEqual(new Set(['listPlugins']))
})

test('a run that is cancelled in a story cleans up, and asks for nothing else', async () => {
  const ending = new AbortController()
  const seen: Exchange[] = []
  const onExchange = (exchange: Exchange) => {
    seen.push(exchange)
    if (exchange.path.endsWith('/users') && exchange.status === 200) ending.abort()
  }
  const following = { signal: ending.signal, onExchange }
  const { trouble, made } = await driven({ safety: 'write' }, { following })
  expect(trouble).toBe('the run was cancelled')
  expect(made.map(({ enabled }) => enabled)).toEqual([false])
  expect(seen.length).toBeLessThan(300)
})

test('an error of the suite itself is told, and no reason to leave anything behind', async () => {
  const onStory = (story: string) => {
    if (story === 'definitions') throw new Error('it broke')
  }
  const { trouble, made } = await driven({ safety: 'write' }, { following: { onStory } })
  expect(trouble).toBe('the suite itself failed in "definitions": it broke')
  expect(made.length).toBeGreaterThan(0)
  expect(made.filter(({ enabled }) => enabled)).toEqual([])
})

test('shards tell all stories, and each story once', async () => {
  const told: string[] = []
  const following = { onStory: (story: string) => void told.push(story) }
  const options: Partial<DriveOptions> = { safety: 'read', runs: 1, only: ['listPlugins', 'getUser'] }
  await driven(options, { following })
  const whole = told.splice(0)
  expect(whole.length).toBeGreaterThan(3)
  for (const index of [1, 2, 3]) await driven({ ...options, shard: { index, count: 3 } }, { following })
  expect(told.toSorted()).toEqual(whole.toSorted())
})
