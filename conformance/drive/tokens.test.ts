/** What a run makes of tokens that end on the way, of a target that goes away, and of its own errors. */
import { beforeEach, expect, test } from 'vitest'
import { served } from '../../fixtures/served.js'
import type { Exchange } from '../oracle/exchange.js'
import { check } from './check.js'
import type { DriveOptions, Following } from './run.js'

/** What is answered in place of the tracker. */
let other: (request: Request, count: number) => Response | null
let count: number
const { tracker, profile } = await served((request, right) => other(request, ++count) ?? right)

beforeEach(() => {
  other = () => null
  count = 0
  return tracker.reset()
})

const checked = (more: Partial<DriveOptions> = {}, following: Following = {}) =>
  check(
    {
      ...{ profile, safety: 'read', seed: 1, runs: 1 },
      ...{ timeout: 5_000, rate: 0, budget: 0, ledgerFile: null, only: [] },
      ...more,
    },
    following,
  )

const unauthorized = () => Response.json({ message: 'Expired' }, { status: 401 })

test('a token that ends on the way ends the run, and nothing is blamed for it', async () => {
  other = (_, count) => (count > 100 ? unauthorized() : null)
  const { trouble, findings, verdicts, trace } = await checked()
  expect(trouble).toMatch(/^the token of tokens\.administrator is not accepted any more/)
  expect(findings).toEqual([])
  expect(verdicts.some(({ outcome }) => outcome === 'passed')).toBe(true)
  expect(trace.length).toBeGreaterThan(100)
})

test('an operation that does not take a valid token is a failure', async () => {
  other = ({ url }) => (url.endsWith('/plugins') ? unauthorized() : null)
  const { trouble, findings } = await checked({ only: ['listPlugins', 'getTokensPage'] })
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
  const { trouble } = await checked({ safety: 'write' }, { signal: ending.signal, onExchange })
  expect(trouble).toBe('the run was cancelled')
  const made = tracker.db.users.rows.filter(({ username }) => username.startsWith('tk'))
  expect(made.map(({ enabled }) => enabled)).toEqual([false])
  expect(seen.length).toBeLessThan(300)
})

test('an error of the suite itself is told, and no reason to leave anything behind', async () => {
  const onStory = (story: string) => {
    if (story === 'definitions') throw new Error('it broke')
  }
  const { trouble } = await checked({ safety: 'write' }, { onStory })
  expect(trouble).toBe('the suite itself failed in "definitions": it broke')
  const made = tracker.db.users.rows.filter(({ username }) => username.startsWith('tk'))
  expect(made.length).toBeGreaterThan(0)
  expect(made.filter(({ enabled }) => enabled)).toEqual([])
})

test('shards tell all stories, and each story once', async () => {
  const told: string[] = []
  const onStory = (story: string) => void told.push(story)
  const only: DriveOptions['only'] = ['listPlugins', 'getUser']
  await checked({ only }, { onStory })
  const whole = told.splice(0)
  expect(whole.length).toBeGreaterThan(3)
  for (const index of [1, 2, 3]) await checked({ only, shard: { index, count: 3 } }, { onStory })
  expect(told.toSorted()).toEqual(whole.toSorted())
})
