/** Runs that write without `--out`, and end before their time: what they made can be swept all the same. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker, type TrackerServer } from '../../emulator/index.js'
import { type Running, run, start } from '../../fixtures/program.js'

let directory: string
let temporary: string
let profile: string
let tracker: Tracker
let server: TrackerServer
/** What happens at the first creation of a field, once it is carried out and not yet answered. */
let atField: (() => Promise<void>) | null = null

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tracker-kit-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

beforeEach(async () => {
  temporary = await mkdtemp(join(directory, 'tmp-'))
  tracker = await createTracker()
  server = await listen({
    ...tracker,
    async fetch(request) {
      const answer = await tracker.fetch(request)
      if (!/\/custom_fields\/create$/.test(request.url) || answer.status !== 200) return answer
      const once = atField
      atField = null
      await once?.()
      return answer
    },
  })
  profile = join(directory, 'profile.json')
  await writeFile(profile, JSON.stringify(tracker.profileFor(server.url)))
})
afterEach(async () => {
  atField = null
  await server.close()
})

const begin = (command: string, ...args: string[]): Running =>
  start([command, '--profile', profile, '--safety', 'write', '--seed', '1', ...args], { TMPDIR: temporary })
const fields = () => tracker.db.customFields.rows.length

describe.each(['check', 'learn', 'diff'])('%s', (command) => {
  test('tells at a second Ctrl-C how to sweep', async () => {
    const before = fields()
    const program = begin(command)
    atField = async () => {
      program.signal('SIGINT')
      program.signal('SIGTERM')
      await program.ended
    }
    const { code, err } = await program.ended
    expect(code).toBe(130)
    const line = /^npx tracker-kit (sweep (\S+) --profile (\S+))$/m.exec(err)
    expect(line?.[2]).toMatch(/tracker-kit-\w+\.ledger\.jsonl$/)
    expect(line?.[3]).toBe(profile)
    expect(fields()).toBeGreaterThan(before)
    const swept = await run(...(line?.[1] ?? '').split(' '))
    expect(swept).toMatchObject({ code: 0, out: expect.stringContaining('0 are left') })
    expect(fields()).toBe(before)
  }, 60_000)

  test('cleans up at the first, and then leaves no ledger', async () => {
    const before = fields()
    const program = begin(command)
    atField = async () => program.signal('SIGINT')
    const { err } = await program.ended
    expect(err).not.toContain('npx tracker-kit sweep')
    expect(fields()).toBe(before)
    expect(await readdir(temporary)).toEqual([])
  }, 60_000)
})
