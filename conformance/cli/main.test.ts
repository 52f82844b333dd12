import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { learned } from '../../emulator/decisions/learned.js'
import { temporaryFolder } from '../../fixtures/folder.js'
import { writtenIo } from '../../fixtures/io.js'
import packageJson from '../../package.json' with { type: 'json' }
import { operationIds } from '../contract/index.js'
import { version } from '../contract/version.js'
import { main } from './main.js'

const directory = temporaryFolder()

async function tracker(...argv: string[]) {
  const { io, text } = writtenIo()
  const code = await main(argv, io)
  return { code, ...text }
}

let profiles = 0
function profile(content: string): string {
  const file = join(directory, `profile-${++profiles}.json`)
  writeFileSync(file, content)
  return file
}

function emptyFolder(): string {
  return mkdtempSync(join(directory, 'empty-'))
}

test.each(['{"tokens": Hidden-Word}', `{"tokens": {"administrator": "${'x'.repeat(40)}" Hidden-Word}}`])(
  'an error quotes nothing of a file that may hold a token: %s',
  async (content) => {
    const { err } = await tracker('check', '--profile', profile(content))
    expect(err).toContain('is not JSON: ')
    expect(err).not.toContain('Hidden')
  },
)

describe('an error of use is one line and exit code 2', () => {
  const tokens = '"tokens": { "administrator": "secret" }'
  test.each<[string[], RegExp]>([
    [['chek'], /did you mean check\?/],
    [['check', '--bse-url', 'x'], /unknown flag --bse-url; did you mean --base-url\?/],
    [['check', '--seed'], /--seed needs a value/],
    [['check', '--strict=yes'], /--strict takes no value/],
    [['check', 'now'], /takes flags only, not "now"/],
    [['check', '--base-url', 'tracker', '--token', 'x'], /--base-url takes an http or https URL/],
    [['check', '--base-url', 'http://tracker.test/api/rest'], /needs the administrator's token/],
    [['check', '--token', 'x'], /--token needs --base-url or --profile/],
    [['check', '--profile', tmpdir()], /it is a directory, and a file is needed/],
    [['--verison'], /did you mean --version\?/],
    [['serve', '--seed', 'large'], /there is small, .*\.\/large/],
    [
      ['learn', '--base-url', 'http://tracker.test', '--token', 'x', '--out', tmpdir()],
      /--out .* cannot be written: it is a directory/,
    ],
    [
      ['sweep', '--base-url', 'http://tracker.test', '--token', 'x', profile('no ledger\n')],
      /give the ledger\.jsonl of the run/,
    ],
    [
      ['sweep', '--base-url', 'http://tracker.test', '--token', 'x', emptyFolder()],
      /has no ledger\.jsonl; give the folder of --out of the run, or its ledger file/,
    ],
    [['serve', '--now', 'yesterday'], /--now takes a date, such as 2026-01-31T12:00:00Z, not "yesterday"/],
    [['serve', '--now', '2026'], /--now takes a date/],
    [['serve', '--now', '2026-02-30'], /--now takes a date/],
    [['check', '--profile', '/no/such.json'], /\/no\/such\.json cannot be read: .*ENOENT/],
    [['check', '--profile', profile('{"baseUrl"')], /is not JSON/],
    [['check', '--only', 'users.uniqe'], /did you mean users\.unique\?/],
    [['check', '--shard', '3/2'], /--shard takes I\/N/],
    [['check', '--seed', '1.5'], /--seed takes an integer/],
    [['check', '--fail-on', 'may'], /--fail-on takes must or should/],
    [['check', '--safety', 'high'], /--safety takes read, write, destructive/],
    [['check', '--out', '/dev/null/out'], /--out .* cannot be made: .*ENOTDIR/],
    [['check', '--out', '/proc/x/y'], /--out .* cannot be made/],
    [['contract', 'openap'], /did you mean openapi\?/],
  ])('%j', async (argv, message) => {
    const { code, out, err } = await tracker(...argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(message)
    expect(err).toMatch(/^tracker-kit [^\n]+\n$/)
  })

  test.each<[string, RegExp]>([
    ['[]', /must hold a JSON object/],
    [`{ ${tokens} }`, /field "baseUrl"/],
    [`{ "baseUrl": "ftp://x", ${tokens} }`, /field "baseUrl"/],
    [`{ "baseUrl": "http://x", ${tokens}, "user": { "id": "5", "username": "a" } }`, /field "user\.id"/],
    [`{ "baseUrl": "http://x", ${tokens}, "saftey": "read" }`, /unknown field "saftey"/],
    [`{ "baseUrl": "http://x", ${tokens}, "safety": "all" }`, /field "safety"/],
  ])('the profile %s is refused by the name of its field', async (content, message) => {
    const { code, err } = await tracker('check', '--profile', profile(content))
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })
})

test('a reader that goes away early is no error', async () => {
  const program = fileURLToPath(new URL('../../dist/conformance/cli/main.js', import.meta.url))
  const child = spawn(process.execPath, [program, 'contract', 'openapi'])
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  expect({ code, err: child.stderr.setEncoding('utf8').read() }).toEqual({ code: 0, err: null })
})

test('every command explains itself', async () => {
  const { out } = await tracker('--help')
  const names = [...out.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name as string)
  expect(names).toContain('check')
  for (const name of names) {
    const help = await tracker(name, '--help')
    expect(help.code).toBe(0)
    expect(help.out).toMatch(new RegExp(`^Usage: tracker-kit ${name}`))
    const [flags = '', examples = ''] = help.out.split('\nExamples:\n')
    expect(examples).toMatch(new RegExp(`^ {2}npx tracker-kit ${name}`))
    for (const [flag] of examples.matchAll(/--[\w-]+/g)) expect(flags).toContain(`  ${flag} `)
  }
})

/** People and programs rely on them. */
const fixedFlags = {
  serve: 'port host seed decisions vary ext profile-out state',
  check:
    'base-url profile token ext safety runs seed only baseline fail-on strict fail-on-leftovers shard timeout rate concurrency out',
  judge: 'profile ext base-url only baseline fail-on strict out',
  sweep: 'base-url profile token ext timeout rate',
  merge: 'out',
  learn: 'from base-url profile token ext safety seed out max-requests fail-on-leftovers',
  diff: 'from base-url profile token ext safety seed out max-requests decisions fail-on-leftovers',
}
test.each(Object.entries(fixedFlags))('%s keeps its flags', async (command, flags) => {
  const { out } = await tracker(command, '--help')
  const known = [...out.matchAll(/^ {2}--([\w-]+)/gm)].map(([, flag]) => flag)
  expect(known).toEqual(expect.arrayContaining(flags.split(' ')))
})

test('the version is that of the package', async () => {
  expect(await tracker('--version')).toMatchObject({ code: 0, out: `${packageJson.version}\n` })
  expect(version).toBe(packageJson.version)
})

test('the contract is printed as JSON', async () => {
  const openapi = JSON.parse((await tracker('contract', 'openapi')).out)
  const methods = Object.values<object>(openapi.paths).flatMap((path) => Object.values(path))
  expect(methods.map(({ operationId }) => operationId).sort()).toEqual([...operationIds].sort())
  const requirements = JSON.parse((await tracker('contract', 'requirements')).out)
  expect(new Set(requirements.map(({ id }: { id: string }) => id)).size).toBe(requirements.length)
  const decisions = JSON.parse((await tracker('contract', 'decisions')).out)
  // What is learnt from a tracker has no values to choose from.
  for (const { id, alternatives } of decisions)
    if (!Object.hasOwn(learned, id)) expect(alternatives.length, id).toBeGreaterThan(0)
  const requestsOf = (decision: string) =>
    decisions.find(({ id }: { id: string }) => id === decision).requests
  expect(requestsOf('username-case')).toEqual(['GET /plugins/Ext/users/NINA'])
  expect(requestsOf('wrong-method')).toEqual(['DELETE /plugins/Ext/plugins'])
  for (const { id, question, values } of decisions) {
    expect(question, id).toMatch(/\?$/)
    expect(Object.keys(values).length, id).toBeGreaterThan(0)
  }
  const profileSchema = JSON.parse((await tracker('contract', 'profile')).out)
  // The administrator's token may come from the environment.
  expect(profileSchema.required).toEqual(['baseUrl'])
  expect(profileSchema.properties.tokens.required).toBeUndefined()
})
