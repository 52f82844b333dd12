/** Runs that write without `--out`, and end before their time: what they made can be swept all the same. */
import { mkdtempSync, readdirSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { isLong } from '../../fixtures/long.js'
import { type Running, run, start } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'

/** What happens at the first creation of a field, once it is carried out and not yet answered. */
let atField: (() => Promise<void>) | null = null
const target = await served(async ({ url }, right) => {
  if (!/\/custom_fields\/create$/.test(url) || right.status !== 200) return right
  const once = atField
  atField = null
  await once?.()
  return right
})

const { tracker, profileFile: profile, file } = target
beforeEach(() => {
  atField = null
  return tracker.reset()
})

const only: Readonly<Record<string, string[]>> = { check: ['--only', 'createCustomField'] }
const begin = (command: string, temporary = mkdtempSync(file('tmp-'))): Running => {
  const args = ['--profile', profile, '--safety', 'write', '--seed', '1', ...(only[command] ?? [])]
  return start([command, ...args], { TMPDIR: temporary })
}
const fields = () => tracker.db.customFields.rows.length

/** The three share how they end. */
const commands = isLong ? ['check', 'learn', 'diff'] : ['check']

describe.each(commands)('%s', (command) => {
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
    expect(swept).toMatchObject({ code: 0, out: expect.stringContaining(' before, 0 after') })
    expect(fields()).toBe(before)
  }, 60_000)

  test('cleans up at the first, and then leaves no ledger', async () => {
    const before = fields()
    const temporary = mkdtempSync(file('tmp-'))
    const program = begin(command, temporary)
    atField = async () => program.signal('SIGINT')
    const { err } = await program.ended
    expect(err).not.toContain('npx tracker-kit sweep')
    expect(fields()).toBe(before)
    expect(readdirSync(temporary)).toEqual([])
  }, 60_000)
})
