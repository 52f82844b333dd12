/** A ledger on disk, torn and replayed, and what a sweep in another process makes of it. */
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../fixtures/faulty/behaviours.js'
import type { Behaviour } from '../../fixtures/faulty/call.js'
import { temporaryFolder } from '../../fixtures/folder.js'
import { type Guarded, type Guarding, opener, TAG } from '../../fixtures/guarded.js'
import { writtenIo } from '../../fixtures/io.js'
import { each, renaming } from '../../fixtures/lying/answers.js'
import { lyingTracker } from '../../fixtures/lying/index.js'
import { main } from '../cli/main.js'
import { createClient } from './client.js'
import { createLedger, replayLedger } from './ledger.js'
import { lookAround } from './survey.js'
import { sweep } from './sweep.js'

const directory = temporaryFolder()
let count = 0
const nextFile = () => join(directory, `${++count}.jsonl`)

const opening = opener()
/** With its ledger in a file. */
const opened = async (given: Guarding = {}, file = nextFile()) =>
  Object.assign(await opening({ ...given, file }), { file })
type OnDisk = Awaited<ReturnType<typeof opened>>
const nowhere = 'http://127.0.0.1:1'

/** `tracker-kit sweep` with the ledger of an interrupted run. */
async function swept(target: OnDisk) {
  const profile = join(directory, `${count}-profile.json`)
  writeFileSync(profile, JSON.stringify(target.profile))
  const { io, text } = writtenIo()
  const code = await main(['sweep', target.file, '--profile', profile, '--timeout', '1500'], io)
  return { code, ...text }
}

const names = ['xaab', 'xaac', 'xaad', 'xaae'].map((end) => TAG + end)
describe('a torn ledger', () => {
  test.each(['last', 'middle'])('is read but for its %s line, which is counted', (where) => {
    const file = nextFile()
    const ledger = createLedger(file, { tag: TAG, baseUrl: nowhere })
    for (const name of names.slice(0, 3)) ledger.intend({ kind: 'user', name })
    const whole = readFileSync(file, 'utf8').match(/^.+$/gm) ?? []
    const torn = where === 'last' ? 2 : 1
    const cut = whole.map((line, index) => (index === torn ? line.slice(0, 25) : line))
    writeFileSync(file, cut.join(torn === 2 ? '\n' : '\n\n'))
    // The next process writes behind what is torn.
    const next = replayLedger(file, nowhere)
    expect(next.torn).toBe(1)
    expect(next.open.map(({ name }) => name)).toEqual(names.slice(0, 3).filter((_, index) => index !== torn))
    for (const entry of next.open) next.close(entry)
    const last = replayLedger(file, nowhere)
    expect(last.open).toEqual([])
    expect(last.torn).toBe(1)
  })

  test('is swept, and the line that is lost is said', async () => {
    const target = await opened()
    for (const name of names.slice(0, 2)) await target.makeUser(name)
    appendFileSync(target.file, '\n{"event":"intend","entry":3,"ta')
    const { code, out, err } = await swept(target)
    expect(err).toContain('1 damaged line of')
    expect(out).toContain('2 open entries before, 0 after')
    expect(code).toBe(0)
    expect(target.tracker.db.users.rows.filter(({ id, enabled }) => id > 20 && enabled)).toEqual([])
  })
})

test('an entry of another process never takes the place of one that is open', () => {
  const file = nextFile()
  const first = createLedger(file, { tag: TAG, baseUrl: nowhere })
  for (const name of names.slice(0, 2)) first.intend({ kind: 'user', name })
  replayLedger(file, nowhere).intend({ kind: 'setting', name: 'language', as: 'administrator' })
  expect(replayLedger(file, nowhere).open.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    `user ${names[0]}`,
    `user ${names[1]}`,
    'setting language',
  ])
})

test('what was put back is not put back again, and what was changed is on disk before the request', async () => {
  const file = nextFile()
  const onDisk: string[] = []
  const lie: Behaviour = (call) => {
    if (call.operation === 'createUser') onDisk.push(readFileSync(file, 'utf8'))
    return call.own()
  }
  const target = await opened({ lie }, file)
  await target.makeUser(names[0] ?? '')
  expect(onDisk[0]).toContain(names[0])
  expect(await target.sweep()).toHaveLength(1)
  const before = target.changes.length
  const out = expect.stringContaining('0 open entries before')
  expect(await swept(target)).toMatchObject({ code: 0, out })
  expect(target.changes).toHaveLength(before)
})

const hanging: Behaviour = () => new Promise<never>(() => undefined)
test.each(['403', 'no answer in time'])(
  'a sweep that meets %s keeps that entry, goes on, and is finished by a second',
  async (status) => {
    const trouble: Behaviour = Number(status) ? async () => refusal(Number(status)) : hanging
    let isTroubled = true
    const [second = ''] = names.slice(1)
    const lie = each({
      updateUser: (call) =>
        isTroubled && [second, '22'].includes(call.path.user_id ?? '') ? trouble(call) : call.own(),
    })
    const target = await opened({ lie })
    for (const name of names.slice(0, 3)) await target.makeUser(name)
    const { users } = target.tracker.db
    const enabled = () => users.rows.filter((row) => row.id > 20 && row.enabled).map((row) => row.username)
    const first = await swept(target)
    expect(first.code).toBe(1)
    expect(first.out).toContain('3 open entries before, 1 after')
    expect(first.out).toContain(`user ${second}`)
    expect(enabled()).toEqual([second])
    isTroubled = false
    const last = await swept(target)
    expect(last).toMatchObject({ code: 0, out: expect.stringContaining('1 open entry before, 0 after') })
    expect(enabled()).toEqual([])
  },
)

test('what can only be told is told by the sweep of a run that was killed after it had swept', async () => {
  const target = await opened({ safety: 'destructive' })
  const path = { recipient_id: 10 }
  await target.attempt({ operation: 'deleteHelpdeskRecipient', path })
  await target.attempt({ operation: 'deleteCustomField', path: { field_id: 14 } })
  await sweep(target.client, target.profile, target.ledger, ({ kind }) => kind === 'user')
  const { out } = await swept(target)
  expect(out).toContain('recipient 10 (')
  expect(out).toContain('custom field 14 of the profile')
  expect((await swept(target)).out).toContain('0 open entries before')
})

test('a field whose name was cut is told by the sweep of another process', async () => {
  const cut = renaming((name) => name.slice(0, 8))
  const lie = each({ createCustomField: (call) => call.own({ body: cut(call) }) })
  const target = await opened({ lie })
  const body = { custom_field: { name: names[0], type: 'string' } }
  await target.attempt({ operation: 'createCustomField', body })
  const { code, out } = await swept(target)
  expect(target.tracker.db.customFields.rows.some(({ name }) => name === `${TAG}x`)).toBe(true)
  expect(out).toContain(`custom field ${names[0]} (no read shows its id)`)
  expect(code).toBe(1)
})

test('a field that was listed before is not taken for that of the run, by another process either', async () => {
  const lie = lyingTracker('fields-exchanged-wholly')
  const target = await opened({ lie })
  await target.makeField(names[0] ?? '')
  expect(await swept(target)).toMatchObject({ code: 1 })
  expect(target.changes).toEqual(['POST /custom_fields/create'])
})

test('what was changed for one administrator is not put back for another who sweeps', async () => {
  const target = await opened({ safety: 'destructive' })
  const { db } = target.tracker
  const settings = () => db.userSettings.rows.map(({ ...row }) => row)
  const before = settings()
  await db.tokens.create({ user_id: 20, secret: 'token-of-another', kind: 'api' })
  const configs = [{ option: 'refresh_delay', value: '44' }]
  expect(await target.attempt({ operation: 'updateUserSettings', body: { configs } })).toBe(200)
  const changed = settings()
  const tokens = { ...target.profile.tokens, administrator: 'token-of-another' }
  const told = 'setting refresh_delay (of administrator, for whom tokens.administrator does not speak)'
  const other = { ...target, profile: { ...target.profile, tokens } }
  expect(await swept(other)).toMatchObject({ code: 1, out: expect.stringContaining(told) })
  expect(settings()).toEqual(changed)
  expect(await swept(target)).toMatchObject({ code: 0 })
  expect(settings()).toEqual(before)
})

describe('what a run that was killed has changed beyond its own', () => {
  const helpdesk = ({ tracker: { db } }: Guarded) =>
    db.plugins.find('basename', 'Helpdesk') ?? expect.unreachable()
  const changed =
    /^ {2}the list of plugins \(no longer shows .*Helpdesk.*\n {2}.*has come to show .*Helpdesk/m

  test('is told by the first sweep, which exits with 1, and not by a second', async () => {
    const target = await opened()
    await lookAround(target.client, target.profile)
    expect(statSync(target.file).mode & 0o777).toBe(0o600)
    await target.tracker.db.plugins.change(helpdesk(target), { priority: 4 })
    expect(await swept(target)).toMatchObject({ code: 1, out: expect.stringMatching(changed) })
    expect(await swept(target)).toMatchObject({ code: 0, out: '0 open entries before, 0 after\n' })
  })

  test('is told from before the first of two runs with one ledger, whatever stands torn in it', async () => {
    const target = await opened()
    await lookAround(target.client, target.profile)
    await target.makeField(names[0] ?? '')
    await target.tracker.db.plugins.change(helpdesk(target), { priority: 4 })
    appendFileSync(target.file, '\n{"event":"survey","entry":0,"ta')
    const ledger = createLedger(target.file, { tag: 'tkother', baseUrl: target.profile.baseUrl })
    const other = createClient(target.profile, { safety: 'write', timeout: 5_000, rate: 0, ledger })
    await lookAround(other, target.profile)
    other.close()
    const { code, out } = await swept(target)
    expect(out).toMatch(changed)
    expect(out).not.toContain(names[0])
    expect(code).toBe(1)
    expect((await swept(target)).code).toBe(0)
  })

  test('on a page that cannot be read is told by the next sweep', async () => {
    let isTroubled = false
    const lie = each({ listPlugins: (call) => (isTroubled ? refusal(401) : call.own()) })
    const target = await opened({ lie })
    await lookAround(target.client, target.profile)
    await target.tracker.db.plugins.change(helpdesk(target), { priority: 4 })
    isTroubled = true
    const first = await swept(target)
    expect(first).toMatchObject({ code: 1, out: expect.stringContaining('cannot be read now') })
    isTroubled = false
    expect(await swept(target)).toMatchObject({ code: 1, out: expect.stringMatching(changed) })
    expect((await swept(target)).code).toBe(0)
  })
})
