/** Errors of use, of every command: one line on standard error that says what to change, and exit code 2. */
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { temporaryFiles } from '../../fixtures/folder.js'
import { run } from '../../fixtures/program.js'

const files = temporaryFiles()
let count = 0
const file = (content: unknown) => files.write(`file-${++count}`, content)
mkdirSync(files.file('empty'))

const baseUrl = 'http://tracker.test/api/rest'
const target = ['--base-url', baseUrl, '--token', 'secret']
const har = (url: string) => file({ log: { entries: [{ request: { method: 'GET', url } }] } })
const traffic = har(`${baseUrl}/plugins/Ext/plugins`)
const begun = { event: 'intend', entry: 1, tag: 'tkabcde', kind: 'user', name: 'a' }
const foreign = { ...begun, baseUrl: 'http://other.test' }
const lacking = file({ baseUrl, notImplemented: ['resetUser'] })
const unfinished = { schema: 'tracker-kit/baseline@1', deviations: [{ operation: 'x' }] }

const misuses: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['chek'], /did you mean check\?/],
  [['contract', 'openap'], /no part is called "openap"; did you mean "openapi"\?/],

  [['check', '--bse-url', 'x'], /unknown flag --bse-url; did you mean --base-url\?/],
  [['check', '--seed'], /--seed needs a value/],
  [['check', '--strict=yes'], /--strict takes no value/],
  [['check', 'now'], /takes flags only, not "now"/],
  [['check', '--base-url', 'tracker', '--token', 'x'], /--base-url takes an http or https URL/],
  [['check', '--base-url', baseUrl], /needs the administrator's token/],
  [['check', '--token', 'x'], /--token needs --base-url or --profile/],
  [['check', '--profile', tmpdir()], /it is a directory, and a file is needed/],
  [['check', '--profile', '/no/such.json'], /\/no\/such\.json cannot be read: .*ENOENT/],
  [['check', '--profile', file('{"baseUrl"')], /is not JSON/],
  [['check', '--profile', file([])], /must hold a JSON object/],
  [['check', '--only', 'users.uniqe'], /did you mean "users\.unique"\?/],
  [['check', '--profile', lacking, '--token', 'x', '--only', 'resetUser'], /lacks it \(notImplemented\)/],
  [['check', '--shard', '3/2'], /--shard takes I\/N/],
  [['check', '--fail-on', 'may'], /--fail-on takes must or should/],
  [['check', '--safety', 'high'], /--safety takes read, write, destructive/],
  [['check', '--run-id', 'a b'], /--run-id takes up to 200 letters, .*, not "a b"/],
  [['check', '--out', '/dev/null/out'], /--out .* cannot be made: .*ENOTDIR/],
  [['check', ...target, '--baseline', file(unfinished)], /field "deviations\.0\.requirement"/],
  [['judge', traffic, '--write-baseline', '/none/b.json'], /--write-baseline .* cannot be written: .*ENOENT/],
  [['check', '--targets', 'none.txt'], /--targets none\.txt cannot be read: there is no such file/],
  [['check', '--targets', 'x', '--plan'], /give --profile FILE in place of --targets/],
  [['check', '--targets', 'x', '--token', 'y'], /--token is about one tracker; leave it out/],

  [['judge'], /needs a HAR file/],
  [['judge', file('PK\u0003\u0004')], /is a ZIP archive; unpack it/],
  [['judge', file({ log: {} })], /it is no HAR/],
  [['judge', traffic, har('http://one.test/plugins/Ext/plugins')], /rest or --base-url http:\/\/one\.test/],
  [['judge', traffic, '--only', ','], /--only needs an id/],
  [['judge', traffic, '--baseline', file({})], /judge: --baseline/],

  [['learn'], /needs --base-url or --profile/],
  [['learn', ...target, '--out', '/no/such/file.json'], /--out .* cannot be written: .*ENOENT/],
  [['diff', ...target, '--min-agreement', '2'], /--min-agreement takes a share from 0 to 1/],
  [['diff', ...target, '--decisions', file({ 'user-segment-me': 'nobody' })], /"user-segment-me"/],
  [['diff', '--with', '/no/such.har'], /--with/],

  [['merge', '/none', '--out', 'x'], /none\/report\.json cannot be read: .*ENOENT/],

  [['sweep'], /takes one ledger: the ledger\.jsonl of a run, or the folder that it is in/],
  [['sweep', 'x.jsonl'], /needs --base-url or --profile/],
  [['sweep', ...target, file('no ledger\n')], /is no ledger; give the ledger\.jsonl of the run/],
  [['sweep', ...target, file(foreign)], /of a run on http:\/\/other\.test, not on http:\/\/tracker\.test/],
  [['sweep', ...target, files.file('empty')], /has no ledger\.jsonl; give the folder of --out/],

  [['serve', '--port', '65536'], /--port takes an integer from 0 to 65535, not "65536"/],
  [['serve', '--port', '0', '--host', '192.0.2.1'], /this machine has no address 192\.0\.2\.1; /],
  [['serve', '--ext', 'a/b'], /--ext takes one path segment, not "a\/b"/],
  [['serve', '--now', '2026-02-30'], /--now takes a date/],
  [['serve', '--no-control', '--open'], /--open needs the inspector; /],
  [['serve', '--seed', 'smal'], /--seed smal: .*did you mean "small"\?/],
  [['serve', '--state', file({})], /Not a tracker's state: /],
  [['serve', '--state', '/none/st.json'], /--state \/none\/st\.json cannot be written: .*\(ENOENT\)/],

  [['vary'], /^tracker-kit vary: needs --run COMMAND/],
  [['vary', '--run', 'true', '--only', 'transprt'], /"transprt"; did you mean "transport"\?/],
]

test('a report of an earlier run does not outlive a run that ends with 2, and a plan leaves it', async () => {
  const old = ['report.json', 'junit.xml'].map((name) => files.write(name, {}))
  const args = ['check', '--base-url', baseUrl, '--out', files.file()]
  await run(...args, '--plan')
  expect(old.map(existsSync)).toEqual([true, true])
  expect(await run(...args)).toMatchObject({ code: 2 })
  expect(old.map(existsSync)).toEqual([false, false])
})

test.each(misuses)('%j', async (args, message) => {
  const { code, out, err } = await run(...args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(message)
  expect(err).toMatch(/^tracker-kit [^\n]+\n$/)
})

const broken = ['{"tokens": Hidden-Word}', `{"tokens": {"administrator": "${'x'.repeat(40)}" Hidden-Word}}`]
test.each(broken)('an error quotes nothing of a file that may hold a token: %s', async (content) => {
  const { err } = await run('check', '--profile', file(content))
  expect(err).toContain('is not JSON: ')
  expect(err).not.toContain('Hidden')
})
