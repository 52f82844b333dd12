import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createTracker } from '../../emulator/index.js'
import { temporaryFiles } from '../../fixtures/folder.js'
import { run } from '../../fixtures/program.js'
import packageJson from '../../package.json' with { type: 'json' }
import { parseProfile } from '../client/profile.js'
import { schemas } from './schemas.js'

const tracker = await createTracker()
const { file } = temporaryFiles()

/** As an editor judges it. */
const accepts = (name: keyof ReturnType<typeof schemas>, value: unknown) =>
  z.fromJSONSchema(JSON.parse(JSON.stringify(schemas()[name]))).safeParse(value).success

const $schema = './node_modules/tracker-kit/dist/schemas/profile.json'

test('profile: what the suite takes, and nothing misspelt', () => {
  const profile = { $schema, ...tracker.profile }
  expect(accepts('profile', profile)).toBe(true)
  expect(parseProfile(profile, 'it')).toEqual(tracker.profile)
  const { administrator: _, ...tokens } = tracker.profile.tokens
  expect(accepts('profile', { ...profile, tokens })).toBe(true)
  expect(accepts('profile', { ...profile, emailDomian: 'example.org' })).toBe(false)
  expect(accepts('profile', { ...profile, safety: 'all' })).toBe(false)
})

test('seed: some records, by number or by name, or a whole state', async () => {
  const seed = {
    $schema,
    users: [{ username: 'otto', access_level: 'manager' }],
    customFields: [{ name: 'Severity', type: 'enum' }],
    memberships: [{ user_id: 'otto', project_id: 1 }],
  } as const
  for (const given of [{}, seed, tracker.snapshot(), { $schema, ...tracker.snapshot() }]) {
    expect(accepts('seed', given)).toBe(true)
    await expect(createTracker({ seed: given })).resolves.toBeDefined()
  }
  expect(accepts('seed', { users: [{ usernme: 'otto' }] })).toBe(false)
  expect(accepts('seed', { customFields: [{ name: 'Severity', type: 'enumeration' }] })).toBe(false)
})

test('decisions: values alone, or with what speaks for them', async () => {
  const file = { schema: 'tracker-kit/decisions@1', decisions: tracker.decisions, requests: 1 } as const
  for (const decisions of [{}, { $schema, ...tracker.decisions }, { $schema, ...file }]) {
    expect(accepts('decisions', decisions)).toBe(true)
    expect((await createTracker({ decisions })).decisions).toEqual(tracker.decisions)
  }
  expect(accepts('decisions', { 'wrong-metod': 'not-found' })).toBe(false)
  expect(accepts('decisions', { 'wrong-method': 'teapot' })).toBe(false)
})

test('report and baseline: what check writes', async () => {
  const baseline = file('known.json')
  const only = ['--safety', 'read', '--only', 'listPlugins', '--runs', '1']
  const flags = [...only, '--out', file('out'), '--write-baseline', baseline]
  expect(await run('check', ...flags)).toMatchObject({ code: 0 })
  const report = JSON.parse(await readFile(file('out', 'report.json'), 'utf8'))
  expect(accepts('report', report)).toBe(true)
  expect(accepts('report', { ...report, summary: {} })).toBe(false)
  const known = JSON.parse(await readFile(baseline, 'utf8'))
  expect(known.$schema).toMatch(/schemas\/baseline\.json$/)
  expect(accepts('baseline', known)).toBe(true)
  expect(accepts('baseline', { ...known, deviation: [] })).toBe(false)
})

test('the package exports them, as contract schemas prints them', async () => {
  const printed = JSON.parse((await run('contract', 'schemas')).out)
  const pattern = packageJson.exports['./schemas/*.json']
  expect(Object.keys(printed)).toEqual(['profile', 'seed', 'decisions', 'baseline', 'report'])
  for (const [name, schema] of Object.entries(printed))
    expect(JSON.parse(await readFile(pattern.replace('*', name), 'utf8')), name).toEqual(schema)
})
