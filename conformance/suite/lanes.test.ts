/** Checks beside each other: what may overlap, what is run again alone, and in which order all of it is told. */

import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker, type TrackerServer } from '../../emulator/index.js'
import type { OperationId } from '../contract/index.js'
import type { TestRecord } from './loop.js'
import type { Step } from './plan.js'
import { startSuite } from './start.js'
import type { Check, Requirement, RunOptions } from './types.js'

let tracker: Tracker
let server: TrackerServer
let ending: AbortController
let records: TestRecord[]
/** Checks under way, and the most that ever were. */
let underWay: number
let most: number

beforeEach(async () => {
  tracker = await createTracker()
  server = await listen(tracker)
  ending = new AbortController()
  records = []
  underWay = 0
  most = 0
})
afterEach(() => server.close())

type Act = (t: Check, operation: OperationId) => Promise<void> | void

/** Sends a request, so that others begin meanwhile, and then does as it is told. */
const meeting =
  (act: Act): Act =>
  async (t, operation) => {
    underWay += 1
    most = Math.max(most, underWay)
    try {
      await t.send({ operation: 'getAccountPage' })
      await act(t, operation)
    } finally {
      underWay -= 1
    }
  }
const passing = meeting((t) => t.pass())

function steps(id: string, check: Act, rest: Partial<Requirement> = {}): Step[] {
  const operations: readonly OperationId[] = ['getUser']
  const requirement: Requirement = {
    ...{ id, level: 'must', section: '1', statement: `of ${id}`, operations, safety: 'read', check },
    ...rest,
  }
  return requirement.operations.map((operation) => ({ requirement, operation, silent: false }))
}

const many = (count: number, check: Act) =>
  Array.from({ length: count }, (_, index) => steps(`step${index}`, check)).flat()

function go(main: readonly Step[], options: Partial<RunOptions> = {}) {
  const all: RunOptions = {
    profile: tracker.profileFor(server.url),
    safety: 'read',
    seed: 1,
    runs: 5,
    timeout: 5_000,
    rate: 0,
    concurrency: 4,
    budget: 0,
    ledgerFile: null,
    only: [],
    survey: false,
    shard: null,
  }
  const tell = (record: TestRecord) => void records.push(record)
  return startSuite({ ...all, ...options }, ending.signal, tell, { main, last: [], end: [] })
}

const judged = () => records.map(({ requirement, outcome }) => `${requirement} ${outcome}`)

test('as many as were asked for are under way, and told in the order of the plan', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const waits = steps('first', async (t) => {
    await released
    t.pass()
  })
  const releases = steps('last', (t) => {
    release()
    t.pass()
  })
  await go([...waits, ...many(20, passing), ...releases])
  expect(most).toBe(3)
  expect(records.map(({ requirement }) => requirement)).toEqual([
    'first',
    ...Array.from({ length: 20 }, (_, index) => `step${index}`),
    'last',
  ])
})

test.each([
  ['nobody asked for more', { concurrency: 1 }],
  ['there is a rate', { rate: 10_000 }],
  ['requests are limited', { budget: 1_000 }],
] as const)('one at a time where %s', async (_, options) => {
  await go(many(8, passing), options)
  expect(most).toBe(1)
  expect(records).toHaveLength(8)
})

test('one at a time from the first answer on that says to come back later', async () => {
  tracker.faults.inject({
    operation: 'getAccountPage',
    status: 429,
    times: 1,
    headers: { 'retry-after': '0' },
  })
  let mostLater = 0
  const later = meeting((t) => {
    mostLater = Math.max(mostLater, underWay)
    t.pass()
  })
  await go([
    ...many(8, passing),
    ...steps('later', later, { operations: ['getUser', 'listPlugins'], each: true }),
  ])
  expect(mostLater).toBe(1)
  expect(records.filter(({ outcome }) => outcome === 'passed')).toHaveLength(10)
})

test('the checks of one requirement come one after the other', async () => {
  const seen: string[] = []
  const check: Act = async (t, operation) => {
    seen.push(operation)
    await t.send({ operation: 'getAccountPage' })
    seen.push(operation)
    t.pass()
  }
  await go([
    ...steps('rows', check, { each: true, operations: ['getUser', 'listPlugins'] }),
    ...many(4, passing),
  ])
  expect(seen).toEqual(['getUser', 'getUser', 'listPlugins', 'listPlugins'])
})

test('many requests in a row come behind all others, of each operation one after the other', async () => {
  const seen: string[] = []
  const row: Act = async (t, operation) => {
    seen.push(operation)
    await t.send({ operation: 'getAccountPage' })
    t.pass()
  }
  const inARow = { inARow: true, each: true, operations: ['getUser', 'listPlugins'] } as const
  const plain = many(9, async (t) => {
    await delay(5)
    seen.push('plain')
    t.pass()
  })
  await go([...steps('row', row, inARow), ...plain])
  expect(seen).toEqual([...Array(9).fill('plain'), 'getUser', 'listPlugins'])
  expect(records[0]?.requirement).toBe('row')
})

test('what depends on who asks has no other check beside it', async () => {
  const beside: number[] = []
  const own = steps(
    'own',
    meeting(async (t) => {
      beside.push(underWay)
      t.pass()
    }),
    { alone: true },
  )
  await go([...many(3, passing), ...own, ...many(3, passing)])
  expect({ beside, most }).toEqual({ beside: [1], most: 3 })
})

test('what fails beside others counts if it fails alone, and once', async () => {
  const beside: number[] = []
  const crowded = meeting(async (t) => {
    const answer = await t.send({ operation: 'getUser', path: { user_id: 'nobody' } })
    beside.push(underWay)
    t.expect(answer, underWay > 1 ? 200 : 404, 'a user that is not there')
  })
  const wrong = meeting(async (t) => {
    t.expect(await t.send({ operation: 'getUser', path: { user_id: 'nobody' } }), 200, 'nobody')
  })
  await go([...steps('crowded', crowded), ...steps('wrong', wrong), ...many(12, passing)])
  expect(judged()).toEqual([
    'crowded passed',
    'wrong failed',
    ...Array.from({ length: 12 }, (_, index) => `step${index} passed`),
  ])
  expect(beside.length).toBe(2)
  expect(beside[0]).toBeGreaterThan(1)
  expect(beside[1]).toBe(1)
  expect(records[1]?.failures).toHaveLength(1)
  const [failure] = records[1]?.failures ?? []
  // What others asked meanwhile has not led to it.
  expect(failure?.evidence?.steps.map(({ operation }) => operation)).toEqual(['getUser'])
})

test('an operation that was at fault beside others, and is not alone, is in doubt', async () => {
  const doubted: boolean[] = []
  let asked = 0
  const sometimes: Act = async (t) => {
    const answer = await t.send({ operation: 'getAccountPage' })
    asked += 1
    t.expect(answer, asked === 1 ? 404 : 200, 'the account page')
    doubted.push(t.run.isDoubted('getAccountPage'))
  }
  await go([...steps('sometimes', sometimes), ...many(4, passing)])
  expect(judged()[0]).toBe('sometimes passed')
  expect(doubted).toEqual([false, true])
})

test('a broken check is told once, and the others are judged', async () => {
  const breaks = steps('broken', () => {
    throw new TypeError('of the check')
  })
  const { trouble } = await go([...breaks, ...many(6, passing)])
  expect(trouble).toBe('the suite itself failed in "[must] broken: of broken": of the check')
  expect(judged()).toEqual(Array.from({ length: 6 }, (_, index) => `step${index} passed`))
})

test('an aborted signal ends them all, and what has ended is told in its order', async () => {
  const aborts = steps('aborts', (t) => {
    t.pass()
    ending.abort()
  })
  const { trouble, end } = await go([...many(3, passing), ...aborts, ...many(50, passing)])
  expect(trouble).toBe('the run was cancelled')
  expect(records.length).toBeLessThan(10)
  expect(end).not.toBeNull()
})

test('a target that dies is asked by no more than are under way', async () => {
  const asks = meeting((t) => t.pass())
  const dies = steps('dies', async (t) => {
    await server.close()
    await t.send({ operation: 'getAccountPage' })
    t.pass()
  })
  await go([...dies, ...many(40, asks)])
  const last = records.at(-1)
  expect(last).toMatchObject({ outcome: 'skipped', inconclusive: 'target' })
  expect(last?.reason).toContain('stopped answering')
})

describe('above read', () => {
  const rest = { safety: 'destructive', each: true } as const

  test('what is shared is used by one check at a time, and users of the run by all', async () => {
    const together = new Map<string, number>()
    const counting =
      (what: string): Act =>
      async (t) => {
        const others = together.get(what) ?? 0
        together.set(what, others + 1)
        await t.send({ operation: 'getAccountPage' })
        t.pass()
        t.verify(others === 0, 'alone', await t.send({ operation: 'getAccountPage' }))
        together.set(what, (together.get(what) ?? 1) - 1)
      }
    const shared = Array.from({ length: 4 }, (_, index) =>
      steps(`columns${index}`, counting('columns'), { ...rest, operations: ['manageColumns'] }),
    ).flat()
    const users = Array.from({ length: 4 }, (_, index) =>
      steps(`users${index}`, passing, { ...rest, safety: 'write', operations: ['updateUser'] }),
    ).flat()
    await go([...shared, ...users], { safety: 'destructive' })
    expect(records.map(({ outcome }) => outcome)).toEqual(Array(8).fill('passed'))
    expect(most).toBeGreaterThan(1)
  })

  test('what one has made is removed when it ends, and that of the others stays', async () => {
    let other: string | null = null
    let seen: unknown
    const isEnabled = (name: string) => tracker.db.users.find('username', name)?.enabled
    const short = steps('short', async (t) => {
      other = (await t.run.own.user()).username
      t.pass()
    })
    const long = steps('long', async (t) => {
      const { username } = await t.run.own.user()
      while (other === null || isEnabled(other)) await t.send({ operation: 'getAccountPage' })
      seen = isEnabled(username)
      t.pass()
    })
    await go([...long, ...short], { safety: 'write' })
    expect(judged()).toEqual(['long passed', 'short passed'])
    expect(seen).toBe(true)
  })

  test('each has another user that it may change', async () => {
    const names = new Set<string>()
    const asks = meeting(async (t) => {
      names.add((await t.run.own.otherUser()).username)
      await t.send({ operation: 'getAccountPage' })
      t.pass()
    })
    const main = Array.from({ length: 3 }, (_, index) =>
      steps(`step${index}`, asks, { safety: 'write' }),
    ).flat()
    await go(main, { safety: 'write' })
    expect(most).toBe(3)
    expect(names.size).toBe(3)
  })

  test('what another has changed meanwhile is looked at again, alone', async () => {
    let looked = 0
    let changed = () => {}
    const isChanged = new Promise<void>((resolve) => {
      changed = resolve
    })
    const looks = steps('looks', async (t) => {
      const { username } = await t.run.own.sharedUser()
      await t.send({ operation: 'getUser', path: { user_id: username } })
      looked += 1
      await isChanged
      t.pass()
    })
    const changes = steps('changes', async (t) => {
      const { username: user_id } = await t.run.own.sharedUser()
      while (looked === 0) await t.send({ operation: 'getAccountPage' })
      await t.send({ operation: 'updateUser', path: { user_id }, body: { realname: 'Kit' } })
      changed()
      t.pass()
    })
    await go([...looks, ...changes], { safety: 'write' })
    expect(judged()).toEqual(['looks passed', 'changes passed'])
    expect(looked).toBe(2)
  })
})
