/** Many trackers at once: lists, verdicts, shards, and a run that is cancelled. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { temporaryFiles } from '../../fixtures/folder.js'
import { type Ended, run, start } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'
import { type FleetReport, fleetSchema } from '../report/fleet.js'

const { file, write } = temporaryFiles()
const fleet = await Promise.all([1, 2].map((vary) => served(undefined, { vary })))
const reportIn = (name: string): FleetReport =>
  fleetSchema.parse(JSON.parse(readFileSync(file(name, 'report.json'), 'utf8')))

/** One that conforms, one that answers 500 to a read, one that is dead, and three whose lines are wrong. */
beforeAll(() => {
  fleet[1]?.tracker.faults.inject({ operation: 'listPlugins', status: 500 })
  write('first.json', fleet[0]?.profile)
  const lines = [
    '# the fleet',
    'first.json',
    '',
    JSON.stringify(fleet[1]?.profile),
    JSON.stringify({ ...fleet[0]?.profile, baseUrl: 'http://127.0.0.1:1/dead' }),
    'missing.json',
    '{"tokens":"Secret-Word',
    // Two runs at once would disturb each other.
    'first.json',
  ]
  write('list.txt', `${lines.join('\n')}\n`)
})

const flags = ['--safety', 'read', '--only', 'listPlugins', '--seed', '1']
const checkList = (...more: string[]): Promise<Ended> =>
  start(['check', '--targets', file('list.txt'), ...flags, ...more]).ended

describe('a list of trackers', () => {
  let ended: Ended
  let report: FleetReport
  beforeAll(async () => {
    ended = await checkList('--out', file('all'))
    report = reportIn('all')
  })

  test('ends with the highest code, and one dead tracker does not stop the others', () => {
    expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('6/6') })
    const verdicts = { conforms: 1, deviates: 1, inconclusive: 1, unusable: 3 }
    expect(report.summary).toEqual({ code: 3, verdicts })
    expect(ended.out).toContain('the same tracker as in line 2')
  })

  test('has the worst tracker and the most common deviation first', () => {
    expect(report.targets.map(({ code }) => code)).toEqual([3, 2, 2, 2, 1, 0])
    const because = expect.stringMatching(/refused/i)
    expect(report.targets[0]).toMatchObject({ name: '127.0.0.1-1-dead', because })
    const bad = report.targets[4]?.name
    expect(report.deviations.length).toBeGreaterThan(0)
    for (const { targets } of report.deviations) expect(targets).toEqual([bad])
  })

  test('has a folder for each tracker that was asked, and a page that leads to them', () => {
    const page = readFileSync(file('all', 'report.html'), 'utf8')
    for (const { name, verdict } of report.targets) {
      expect(existsSync(file('all', name, 'report.json'))).toBe(verdict !== 'unusable')
      expect(page.includes(`href="${name}/report.html"`)).toBe(verdict !== 'unusable')
    }
    const summary = readFileSync(file('all', 'summary.md'), 'utf8')
    expect(summary).toContain('6 trackers: 3 unusable, 1 inconclusive')
    expect(summary).toContain('| first | conforms in part')
  })

  test('tells no token', () => {
    const told = ended.out + ended.err + JSON.stringify(report)
    for (const { profile } of fleet) expect(told).not.toContain(profile.tokens.administrator)
    expect(told).not.toContain('Secret-Word')
    // Colours are for terminals.
    expect(told).not.toContain('\u001b')
  })
})

test('shards of a list make the same report as the whole', async () => {
  const shards = [file('shard-1'), file('shard-2')]
  for (const [index, out] of shards.entries())
    expect((await checkList('--shard', `${index + 1}/2`, '--out', out)).code).toBeGreaterThan(0)
  const { code } = await run('merge', ...shards, '--out', file('merged'))
  const [whole, merged] = [reportIn('all'), reportIn('merged')]
  expect({ code, summary: merged.summary }).toEqual({ code: 3, summary: whole.summary })
  const verdicts = ({ targets }: FleetReport) => targets.map(({ name, verdict }) => [name, verdict])
  expect(verdicts(merged)).toEqual(verdicts(whole))
  expect(existsSync(file('merged', 'first', 'report.html'))).toBe(true)
  const part = reportIn('shard-2')
  for (const [rest, told] of [
    [{ list: { ...part.list, digest: 'e' } }, 'another list than '],
    [{ settings: { ...part.settings, safety: 'write' } }, 'another safety than '],
    [{ targets: [] }, 'no shard has tracker 2 of 6'],
  ] as const) {
    write('shard-2/report.json', { ...part, ...rest })
    const refused = await run('merge', ...shards, '--out', file('refused'))
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(told) })
  }
})

test('--json prints the report on all, and --quiet no more than the verdict', async () => {
  write('missing.txt', 'missing.json\n')
  const one = (...more: string[]) => run('check', '--targets', file('missing.txt'), ...more)
  const json = await one('--json')
  expect(JSON.parse(json.out)).toMatchObject({ summary: { code: json.code }, targets: [{ code: json.code }] })
  expect(await one('--quiet')).toMatchObject({ err: '', out: expect.stringMatching(/^[^\n]+\n$/) })
})

test('what cannot be removed is in a ledger that is named, also without --out', async () => {
  const { tracker, profile } = await served(undefined, { ext: 'Other' })
  const target = write('one.txt', profile)
  const only = ['--safety', 'write', '--only', 'createCustomField', '--max-requests', '60']
  const before = tracker.db.customFields.rows.length
  tracker.faults.inject({ operation: 'deleteCustomField', status: 500 })
  const temporary = await mkdtemp(file('tmp-'))
  const { err, out } = await start(['check', '--targets', target, ...only], { TMPDIR: temporary }).ended
  tracker.faults.clear()
  expect(out).toMatch(/^Left on \S+: \d+/m)
  expect(tracker.db.customFields.rows.length).toBeGreaterThan(before)
  const line = /^npx tracker-kit (sweep (\S+) --base-url \S+ --ext Other) --token TOKEN$/m.exec(err)
  expect(readdirSync(dirname(line?.[2] ?? ''))).toEqual([expect.stringMatching(/\.ledger\.jsonl$/)])
  const swept = await run(...(line?.[1] ?? '').split(' '), '--token', tracker.tokens.administrator)
  expect(swept).toMatchObject({ code: 0, out: expect.stringContaining(' before, 0 after') })
  expect(tracker.db.customFields.rows).toHaveLength(before)
})

test('Ctrl-C ends all that run, and leaves nothing behind', async () => {
  const targets = await Promise.all([served(), served()])
  const running = targets.map(({ tracker }) => tracker)
  write('two.txt', targets.map(({ profile }) => JSON.stringify(profile)).join('\n'))
  const fields = () => running.map(({ db }) => db.customFields.rows)
  const before = fields().map((rows) => rows.length)
  const created = running.map((tracker) =>
    vi.waitUntil(() => tracker.calls({ operation: 'createCustomField', status: 200 }).length > 0, 60_000),
  )
  const only = ['--safety', 'write', '--only', 'createCustomField', '--out', file('two')]
  const program = start(['check', '--targets', file('two.txt'), ...only])
  await Promise.all(created)
  program.signal('SIGINT')
  const { code, out } = await program.ended
  expect(code).toBe(130)
  expect(out).toContain('2 trackers: 2 inconclusive')
  expect(fields().map((rows) => rows.length)).toEqual(before)
  // The interface deletes no users.
  for (const { db, diff } of running)
    for (const { id } of diff().users?.added ?? []) expect(db.users.find('id', id)?.enabled).toBe(false)
  for (const { because } of reportIn('two').targets) expect(because).toBe('the run was cancelled')
})
