/** What a run makes of answers that get lost on their way, and of tokens that end on the way. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker, type TrackerServer } from '../../emulator/index.js'
import type { OperationId, Profile } from '../contract/index.js'
import { requirements } from '../requirements/index.js'
import { createRun } from './run.js'
import type { Run } from './types.js'

let tracker: Tracker
let server: TrackerServer
let run: Run
let deaf: (request: Request) => Response | null

beforeEach(async () => {
  tracker = await createTracker()
  deaf = () => null
  const answer = async (request: Request) => deaf(request) ?? tracker.fetch(request)
  server = await listen({ ...tracker, fetch: answer })
  run = runOn(tracker.profileFor(server.url))
})
afterEach(async () => {
  run.close()
  await server.close()
})

const runOn = (profile: Profile) =>
  createRun({
    profile,
    safety: 'destructive',
    seed: 1,
    runs: 20,
    timeout: 5_000,
    rate: 0,
    budget: 0,
    ledgerFile: null,
    only: [],
    survey: false,
    shard: null,
  })

function check(id: string, operation: OperationId) {
  const found = requirements.find((one) => one.id === id) ?? expect.unreachable()
  return run.execute(found, operation)
}

const lose = (operation: OperationId, times: number) =>
  tracker.faults.inject({ operation, phase: 'after', transport: 'drop', times })

test('a creation whose answer is lost is not asked for twice', async () => {
  lose('createUser', 1)
  expect(await check('users.create', 'createUser')).toMatchObject({ outcome: 'passed' })
  const names = tracker.db.users.rows.map(({ username }) => username)
  const asked = tracker.journal
    .filter(({ operation }) => operation === 'createUser')
    .map(({ body }) => JSON.stringify(body))
  expect(new Set(asked).size).toBe(asked.length)
  expect(new Set(names).size).toBe(names.length)
})

test('an installation whose answer is lost does not stand in the way', async () => {
  lose('installPlugin', 1)
  expect(await check('plugins.install-again', 'installPlugin')).toMatchObject({ outcome: 'passed' })
})

test('a request that is never answered is a failure', async () => {
  lose('createUser', 100)
  const result = await check('users.create', 'createUser')
  expect(result).toMatchObject({ outcome: 'failed', failures: [{ operation: 'createUser' }] })
  expect(result.failures[0]?.message).toMatch(/expected an answer, saw none twice/)
})

const unauthorized = () =>
  new Response('{"message":"Expired"}', { status: 401, headers: { 'content-type': 'application/json' } })

test('a token that ends on the way ends the run, and nothing is blamed for it', async () => {
  expect(await check('account.pages', 'getAccountPage')).toMatchObject({ outcome: 'passed' })
  deaf = unauthorized
  const ended = {
    outcome: 'skipped',
    inconclusive: 'target',
    reason: expect.stringMatching(/tokens.administrator is not accepted any more/),
  }
  expect(await check('plugins.list', 'listPlugins')).toMatchObject(ended)
  expect(await check('users.create', 'createUser')).toMatchObject(ended)
})

test('an operation that does not take a valid token is a failure', async () => {
  expect(await check('account.pages', 'getAccountPage')).toMatchObject({ outcome: 'passed' })
  deaf = ({ url }) => (url.endsWith('/plugins') ? unauthorized() : null)
  expect(await check('plugins.list', 'listPlugins')).toMatchObject({ outcome: 'failed' })
})

test('a recipient that was deleted without permission is not asked for again', async () => {
  const { recipients = [] } = tracker.profile
  await check('account.pages', 'getAccountPage')
  expect(run.own.presentRecipient()).toBe(recipients[0])
  const path = { recipient_id: recipients[0] ?? 0 }
  await run.client.send({ operation: 'deleteHelpdeskRecipient', path })
  expect(run.own.presentRecipient()).toBe(recipients[1])
})
