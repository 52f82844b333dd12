/** The loop over a plan: what a broken check, an aborted signal and a stray error make of a run. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker, type TrackerServer } from '../../emulator/index.js'
import { runPlan, type TestRecord } from './loop.js'
import type { Plan, Step } from './plan.js'
import { createRun } from './run.js'
import { startSuite } from './start.js'
import type { Check, Run, RunOptions } from './types.js'

let tracker: Tracker
let server: TrackerServer
let options: RunOptions
let ending: AbortController
let records: TestRecord[]

beforeEach(async () => {
  tracker = await createTracker()
  server = await listen(tracker)
  ending = new AbortController()
  records = []
  options = {
    profile: tracker.profileFor(server.url),
    safety: 'destructive',
    seed: 1,
    runs: 5,
    timeout: 5_000,
    rate: 0,
    budget: 0,
    ledgerFile: null,
    only: [],
    survey: false,
    shard: null,
  }
})
afterEach(() => server.close())

function step(id: string, check: (t: Check) => Promise<void> | void, rest: Partial<Step> = {}): Step {
  const requirement = {
    id,
    level: 'must',
    section: '1',
    statement: `of ${id}`,
    operations: ['getUser'],
    safety: 'read',
    check,
  } as const
  return { requirement, operation: 'getUser', silent: false, ...rest }
}

const passes = (id: string) => step(id, (t) => t.pass())
const makesField = step('field', async (t) => {
  await t.run.own.sharedField()
  t.pass()
})
const breaks = step('broken', () => {
  throw new TypeError('of the check')
})
const planned = (main: Step[], rest: Partial<Plan> = {}): Plan => ({ main, last: [], end: [], ...rest })

const go = (plan: Plan) => startSuite(options, ending.signal, (record) => void records.push(record), plan)
const judged = () => records.map(({ requirement, outcome }) => `${requirement} ${outcome}`)
const ownFields = () =>
  tracker.db.customFields.rows.map(({ name }) => name).filter((name) => name.startsWith('tk'))

test('a broken check is the trouble of the suite, once the others are judged and all is removed', async () => {
  const { end, trouble } = await go(planned([makesField, breaks, passes('one')], { end: [passes('two')] }))
  expect(trouble).toBe('the suite itself failed in "[must] broken: of broken": of the check')
  expect(judged()).toEqual(['field passed', 'one passed', 'two passed'])
  expect(ownFields()).toEqual([])
  // What proves the profile may have made a user.
  expect(end?.leftovers.filter((line) => !line.includes('(disabled;'))).toEqual([])
})

test('an aborted signal ends the run after its clean-up, with what it has found out', async () => {
  const aborts = step('aborts', async (t) => {
    t.pass()
    ending.abort()
    await t.send({ operation: 'getAccountPage' })
  })
  const { end, trouble } = await go(planned([makesField, aborts, passes('one')], { last: [passes('two')] }))
  expect(trouble).toBe('the run was cancelled')
  expect(records.map(({ requirement, reason }) => [requirement, reason])).toEqual([
    ['field', undefined],
    ['aborts', 'the run was cancelled'],
  ])
  expect(ownFields()).toEqual([])
  expect(end?.requests).toBeGreaterThan(0)
})

test('a signal that was aborted before begins nothing', async () => {
  ending.abort()
  expect(await go(planned([makesField]))).toMatchObject({ records: [], trouble: 'the run was cancelled' })
  expect(tracker.journal).toEqual([])
})

test('what is shared is removed behind the main steps, unless steps that need it come last', async () => {
  const seen: string[] = []
  const looks = step('looks', (t) => {
    seen.push(...ownFields())
    t.pass()
  })
  await go(planned([makesField], { end: [looks] }))
  expect(seen).toEqual([])
  await go(planned([makesField], { last: [looks] }))
  expect(seen).toHaveLength(1)
  expect(ownFields()).toEqual([])
})

test('a silent step is run, and nobody hears of it', async () => {
  const { end } = await go(planned([{ ...makesField, silent: true }, passes('one')]))
  expect(judged()).toEqual(['one passed'])
  expect(end?.statuses.createCustomField).toBeDefined()
})

test('steps that send nothing leave the others in the process their turn', async () => {
  setImmediate(() => ending.abort())
  const { trouble } = await go(planned(Array.from({ length: 100 }, (_, index) => passes(`step${index}`))))
  expect(trouble).toBe('the run was cancelled')
  expect(records.length).toBeLessThan(10)
})

test('an error that nobody awaits is told, and does not end the process', async () => {
  const listeners = process.listeners('uncaughtException')
  const strays = step('strays', async (t) => {
    const [own] = process.listeners('uncaughtException').filter((one) => !listeners.includes(one))
    own?.(new Error('of a stray'), 'uncaughtException')
    t.pass()
  })
  const { trouble } = await go(planned([strays, passes('one')]))
  expect(trouble).toBe('the suite itself failed: of a stray')
  expect(judged()).toEqual(['strays passed', 'one passed'])
  expect(process.listeners('uncaughtException')).toEqual(listeners)
})

test('a clean-up that breaks is told, and has no end to tell of', async () => {
  const run: Run = createRun(options)
  try {
    const broken = { ...run, sweep: () => Promise.reject(new Error('of the clean-up')) }
    const following = { signal: ending.signal, onRecord: (record: TestRecord) => void records.push(record) }
    expect(await runPlan(broken, planned([passes('one')], { end: [passes('two')] }), following)).toEqual({
      end: null,
      trouble: 'the suite itself failed: of the clean-up',
    })
    expect(judged()).toEqual(['one passed'])
  } finally {
    run.close()
  }
})
