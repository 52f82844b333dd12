/** Runs the examples of the README and of the other documents as they are. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { profileFileSchema } from '../conformance/contract/index.js'
import { listen } from '../emulator/http/listen.js'
import { createTracker } from '../emulator/index.js'
import { isLong } from '../fixtures/long.js'
import { run, runWith } from '../fixtures/program.js'
import { harRecorder } from '../fixtures/recorded/har.js'
import { served } from '../fixtures/served.js'
import packageJson from '../package.json' with { type: 'json' }
import { allText, blockFor, blocks, blocksIn, documents, root } from './readme-blocks.js'
import { withTables } from './reference.js'

/** The arguments of each line that starts the program. */
const lines = [...blocksIn('sh'), ...blocksIn('yaml')]
  .flatMap((code) => code.split('\n'))
  .flatMap((line) => /npx tracker-kit (.+)$/.exec(line)?.[1] ?? [])
const commands = [...new Set(lines)].map((args) => args.split(' '))

const { tracker, profile, profileFile, file, write } = await served()

test('each block has somebody who runs it', () => {
  const kinds = new Set(blocks.map(({ language, runner }) => [language, runner].filter(Boolean).join(' ')))
  // Those with a word behind the language: jest, cypress and testcontainers by the compatibility run, those with a page by
  // the browser's tests.
  const known =
    `js browser-config, js entry, js jest, js node-test, json, json journal, json seed, python conftest, python pytest, sh, ts,
    ts browser-mode, ts cypress, ts cypress-config, ts playwright, ts testcontainers, ts worker, yaml`.split(
      /,\s+/,
    )
  expect([...kinds].toSorted()).toEqual(known)
})

test.each(documents)(
  'the tables of $path are what the program says; if not, npm run readme',
  async ({ path, text }) => expect(await withTables(text)).toMatchFileSnapshot(join(root, path)),
)

test.each([
  ['files and folders', /`((?:emulator|conformance|fixtures|scripts)\/[\w./-]+)`/g, 20],
  ['built schemas', /node_modules\/tracker-kit\/(dist\/[\w/.]+)/g, 1],
] as const)('%s that the documents name are there', (_, named, least) => {
  const files = [...allText.matchAll(named)]
  expect(files.length).toBeGreaterThanOrEqual(least)
  for (const [, file = ''] of files) expect(existsSync(join(root, file)), file).toBe(true)
})

/** What the page of the repository shows of a file: a link that the package's documents may have. */
const PAGE = /^https:\/\/github\.com\/your-organization\/tracker-kit\/blob\/main\//

test.each(documents)('links, pictures and headings that $path leads to are there', ({ path, text }) => {
  const prose = text.replace(/^```.*?^```$/gms, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
  for (const [, link, picture] of links) {
    const to = link ?? picture ?? ''
    if (/^https?:/.test(to) && !PAGE.test(to)) continue
    const [file = '', anchor] = to.replace(PAGE, relative(dirname(path), '') || './').split('#')
    const place = file === '' ? path : join(dirname(path), file)
    expect(existsSync(join(root, place)), `${to} of ${path}`).toBe(true)
    if (anchor !== undefined) expect(anchorsOf(place), `${to} of ${path}`).toContain(anchor)
  }
})

/** As GitHub and npm make them. */
const anchorsOf = (path: string) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

test('who has the package alone finds what its documents lead to', () => {
  const shipped = ['README.md', 'LICENSE', ...packageJson.files]
  const inPackage = (path: string) => shipped.some((one) => path === one || path.startsWith(`${one}/`))
  for (const { path, text } of documents.filter((one) => inPackage(one.path)))
    for (const [, file = ''] of text.matchAll(/\]\(((?!https?:)[^)#\s]+)/g))
      expect(inPackage(join(dirname(path), file)), `${file} of ${path}`).toBe(true)
})

test.each(blocksIn('json'))('the profile is one: %s', (text) => {
  expect(profileFileSchema.safeParse(JSON.parse(text)).error).toBeUndefined()
})

test.each(['entry', 'journal'])('the example of the journal is what it says: %s', async (block) => {
  const shown = new Function(`return ${blockFor(block).trim()}`)()
  const { baseUrl, tokens, fetch, journal } = await createTracker()
  const headers = { Authorization: `Bearer ${tokens.reporter}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ username: 'otto' })
  await fetch(new Request(`${baseUrl}/plugins/Ext/users`, { method: 'POST', headers, body }))
  expect(block === 'entry' ? journal[0] : [...journal]).toMatchObject(shown)
})

describe('the examples for the shell', () => {
  const examplesOf = (command: string) =>
    commands.filter(([name]) => name === command).map((args) => [args.join(' '), args] as const)

  test.each(examplesOf('check'))(
    '%s',
    async (_, args) => {
      const places: Record<string, string> = {
        'https://tracker.example/api/rest': profile.baseUrl,
        'tracker.json': profileFile,
        report: file('report'),
      }
      // What the examples are about are their flags, for which one operation is enough.
      const only = args.includes('--only') ? [] : ['--only', 'listPlugins']
      const env = { TRACKER_TOKEN: tracker.tokens.administrator }
      const { code, out } = await runWith({ env }, ...args.map((arg) => places[arg] ?? arg), ...only)
      expect(out).toContain(`${profile.baseUrl} conforms`)
      expect(code).toBe(0)
    },
    60_000,
  )

  test.each(examplesOf('serve'))('%s', async (_, args) => {
    // Any free port, since the one of the example may be taken on this machine.
    const places: Record<string, string> = {
      'learnt.json': write('learnt.json', {}),
      'seed.json': write('seed.json', JSON.parse(blockFor('seed'))),
      8787: '0',
    }
    const given = args.map((arg) => places[arg] ?? arg)
    const ending = new AbortController()
    const out = (text: string) => text.includes('Base URL') && ending.abort()
    const port = args.includes('--port') ? [] : ['--port', '0']
    const { code, err } = await runWith({ signal: ending.signal, out }, ...given, ...port)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(ending.signal.aborted).toBe(true)
  })

  const parts = [...allText.matchAll(/`tracker-kit (contract \w+(?: --\w+)*)`/g)]
  test.each(parts.map(([, args = '']) => args))('tracker-kit %s', async (args) => {
    expect((await run(...args.split(' '))).code).toBe(0)
  })
})

test('the commands of the loop of learning work one after the other', async () => {
  const other = await createTracker({
    decisions: { 'write-success-body': 'message', 'user-not-found-number': 'none' },
  })
  const target = await listen(other)
  onTestFinished(() => target.close())
  const recorder = harRecorder(other.fetch)
  for (const path of ['/me/account', '/users/nobody', '/users/987654', '/custom_fields', '/plugins'])
    await recorder.send({
      ...{ method: 'GET', url: `${other.baseUrl}/plugins/Ext${path}`, body: null },
      headers: { authorization: `Bearer ${other.tokens.administrator}` },
    })
  const places: Record<string, string> = {
    'tracker.json': write('other.json', { ...other.profileFor(target.url), safety: 'read' }),
    'learnt.json': file('learnt.json'),
    'diff.json': file('diff.json'),
  }
  for (const name of ['traffic.har', 'monday.har', 'tuesday.har'])
    places[name] = write(name, recorder.har(true))
  for (const args of commands.filter(([name]) => name === 'learn' || name === 'diff')) {
    const few = isLong || args.includes('--from') ? [] : ['--max-requests', '120']
    const { code, err } = await run(...args.map((arg) => places[arg] ?? arg), ...few)
    expect({ code, err }).toMatchObject({ code: 0 })
  }
})

test("the example for Node's own test runner", async () => {
  // Within the package, so that it is found by its own name.
  const home = join(root, 'dist', 'readme-node')
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'example.mjs'), blockFor('node-test'))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = ['--test', '--test-reporter=tap', join(home, 'example.mjs')]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  expect(stdout).toMatch(/^# pass 1$/m)
})

test('the fixture for pytest, where there is one', async () => {
  const home = mkdtempSync(file('pytest-'))
  const python = (...args: string[]) =>
    promisify(execFile)('python3', args, {
      cwd: home,
      env: { ...process.env, PATH: `${home}:${process.env.PATH}` },
    })
  const program = join(root, 'dist', 'conformance', 'cli', 'main.js')
  // As npx does, it stays beside the program, and does not hand on what ends it.
  const npx = `#!/bin/sh\nshift\nexec 3<&0\nexport npm_lifecycle_event=npx\n'${process.execPath}' '${program}' "$@" <&3 &\necho $! > '${home}/pid'\nwait\n`
  await writeFile(join(home, 'npx'), npx, { mode: 0o755 })
  await writeFile(join(home, 'conftest.py'), blockFor('conftest'))
  await writeFile(join(home, 'test_client.py'), blockFor('pytest'))
  const there = await python('-c', 'import pytest').catch(() => null)
  // Without it, the fixture is at least a program.
  if (!there) return void (await python('-m', 'py_compile', 'conftest.py', 'test_client.py'))
  const { stdout } = await python('-m', 'pytest', '-q', '-p', 'no:cacheprovider')
  expect(stdout).toMatch(/^2 passed/m)
  const pid = Number(await readFile(join(home, 'pid'), 'utf8'))
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 20_000)
})

describe('the examples in TypeScript', () => {
  // Within the package, so that it is found by its own name; in a folder that every build empties.
  const home = join(root, 'dist', 'readme')
  const message = 'Nobody has the name {path.user_id}'
  const rule = { outcome: 'user-not-found-by-name', answer: { status: 404, message } }
  const learnt = { schema: 'tracker-kit/decisions@1', decisions: { 'learned-answers': [rule] } }
  const examples = blocksIn('ts').map((code, index) => ({ code, name: `example-${index}.test.ts` }))
  let results: readonly ({ readonly name: string } & Readonly<Record<string, unknown>>)[]
  beforeAll(async () => {
    await mkdir(home, { recursive: true })
    await writeFile(join(home, 'learnt.json'), JSON.stringify(learnt))
    for (const { code, name } of examples) await writeFile(join(home, name), code)
    const config = join(home, 'vitest.config.mjs')
    await writeFile(config, 'export default {}\n')
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const args = ['run', '--root', home, '--config', config, '--reporter', 'json']
    const { stdout } = await promisify(execFile)(process.execPath, [vitest, ...args], {
      env: { ...process.env, NODE_OPTIONS: '', VITEST: '' },
      maxBuffer: 64 * 1024 * 1024,
      // It ends with 1 where one of them fails, which the result says of each.
    }).catch((error: { readonly stdout: string }) => error)
    results = JSON.parse(stdout.slice(stdout.indexOf('{'))).testResults
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  test.each(examples.map(({ code, name }) => [code.split('\n')[0], name] as const))('%s …', (_, name) => {
    const result = results.find((one) => one.name.endsWith(`/${name}`))
    expect(result).toMatchObject({ status: 'passed', message: '' })
    expect(result?.assertionResults).not.toEqual([])
  })
})
