/** A tracker that has not all of the operations: what the profile leaves out is neither asked nor judged. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker, type TrackerServer } from '../../emulator/index.js'
import { run } from '../../fixtures/program.js'

let directory: string
let server: TrackerServer
let profile: Record<string, unknown>
let asked: string[] = []
const file = (name: string) => join(directory, name)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tracker-kit-'))
  const tracker = await createTracker()
  const fetch = async (request: Request) => {
    const path = new URL(request.url).pathname.replace(/^.*\/plugins\/Ext/, '')
    if (!/^\/(me|plugins)$/.test(path) || request.method !== 'GET') return tracker.fetch(request)
    asked.push(path)
    return Response.json({ message: 'There is no such operation' }, { status: 404 })
  }
  server = await listen(Object.create(tracker, { fetch: { value: fetch } }) as Tracker)
  profile = { ...tracker.profileFor(server.url), notImplemented: ['getAccountPage', 'listPlugins'] }
  await writeFile(file('profile.json'), JSON.stringify(profile))
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

test('check asks and judges nothing of them, and accuses nobody', async () => {
  asked = []
  const args = ['--safety', 'write', '--runs', '5', '--out', file('checked')]
  const { code, out } = await run('check', '--profile', file('profile.json'), ...args)
  expect({ code, out, asked }).toMatchObject({ code: 0, asked: [] })
  const { requirements } = JSON.parse(await readFile(join(file('checked'), 'report.json'), 'utf8'))
  const operations = new Set(requirements.flatMap((one: { operations: string[] }) => one.operations))
  expect(operations.has('getUser')).toBe(true)
  expect(operations.has('getAccountPage') || operations.has('listPlugins')).toBe(false)
}, 60_000)

test.each(['learn', 'diff'])(
  '%s asks nothing of them',
  async (command) => {
    asked = []
    const args = ['--profile', file('profile.json'), '--safety', 'read', '--max-requests', '150', '--quiet']
    const { code } = await run(command, ...args)
    expect([0, 1]).toContain(code)
    expect(asked).toEqual([])
  },
  60_000,
)

test('init needs none of them', async () => {
  const { tokens } = profile as { tokens: Record<string, string> }
  const args = ['--base-url', server.url, '--token', tokens.administrator ?? '', '--out', file('made.json')]
  const more = ['--restricted-token', tokens.restricted ?? '', '--user-id', '10', '--username', 'nina']
  expect(await run('init', ...args, ...more)).toMatchObject({ code: 0 })
  asked = []
  const left = ['--set', 'notImplemented=["getAccountPage","listPlugins"]', '--force']
  const { code, err } = await run('init', ...args, ...more, ...left)
  expect({ code, err, asked }).toMatchObject({ code: 0, asked: [] })
})
