/** The program in GitHub Actions, which reads commands in its output and shows its summary. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker, type TrackerServer } from '../../emulator/index.js'
import { start } from '../../fixtures/program.js'

let directory: string
let tracker: Tracker
let server: TrackerServer
/** The status that the target gives in place of each 200 of a list. */
let listed = 200
const file = (name: string) => join(directory, name)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tracker-kit-'))
  tracker = await createTracker()
  server = await listen({
    ...tracker,
    async fetch(request) {
      const { status, headers, body } = await tracker.fetch(request)
      const isList = /\/(plugins|custom_fields)$/.test(new URL(request.url).pathname)
      return new Response(body, { status: status === 200 && isList ? listed : status, headers })
    },
  })
  await writeFile(file('profile.json'), JSON.stringify(tracker.profileFor(server.url)))
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

const inActions = (name: string, ...args: string[]) =>
  start(args, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file(name) }).ended
const checkArgs = (...args: string[]) => [
  ...['check', '--profile', file('profile.json'), '--safety', 'read'],
  ...['--only', 'listPlugins,listCustomFields'],
  ...args,
]

/** As the runner reads it: what stands between a stop and its word is text. */
function commandsIn(output: string): string[] {
  const commands: string[] = []
  let word: string | null = null
  for (const line of output.split('\n')) {
    if (word !== null) {
      if (line === `::${word}::`) word = null
    } else if (line.startsWith('::stop-commands::')) word = line.slice('::stop-commands::'.length)
    else if (line.trimStart().startsWith('::')) commands.push(line)
  }
  expect(word).toBeNull()
  return commands
}

test('a deviation is an error beside the step, and the summary of the step holds the report', async () => {
  listed = 202
  await writeFile(file('deviates.md'), 'What an earlier program wrote.\n')
  const { code, out, err } = await inActions('deviates.md', ...checkArgs('--out', file('deviates')))
  expect({ code, err }).toMatchObject({ code: 1 })
  const commands = commandsIn(out)
  expect(commands.length).toBeGreaterThan(0)
  expect(commands.join('\n')).toMatch(
    /^::error title=must status \(listCustomFields%2C listPlugins\)::.*answered 202/m,
  )
  const summary = await readFile(file('deviates.md'), 'utf8')
  const own = await readFile(join(file('deviates'), 'summary.md'), 'utf8')
  expect(summary).toBe(`What an earlier program wrote.\n${own}`)
  const secrets = Object.values<string>(tracker.profileFor(server.url).tokens as Record<string, string>)
  expect(secrets.length).toBeGreaterThan(1)
  for (const secret of secrets) expect(out + summary).not.toContain(secret)
})

test('a run that conforms has no error, and without the variable there are no commands', async () => {
  listed = 200
  const { code, out } = await inActions('conforms.md', ...checkArgs())
  expect(code).toBe(0)
  expect(commandsIn(out).filter((line) => line.startsWith('::error'))).toEqual([])
  expect(await readFile(file('conforms.md'), 'utf8')).toContain('conforms')
  listed = 202
  const plain = await start(checkArgs(), { GITHUB_STEP_SUMMARY: file('none.md') }).ended
  expect(plain.code).toBe(1)
  expect(plain.out).not.toContain('::')
  await expect(readFile(file('none.md'))).rejects.toThrow(/ENOENT/)
})

test('merge tells the same of all shards', async () => {
  listed = 202
  for (const shard of ['1', '2'])
    await start(checkArgs('--shard', `${shard}/2`, '--out', file(`shard${shard}`))).ended
  const merged = await inActions(
    'merged.md',
    ...['merge', file('shard1'), file('shard2'), '--out', file('merged')],
  )
  expect(merged.code).toBe(1)
  expect(commandsIn(merged.out).join('\n')).toContain('::error title=must status (')
  expect(await readFile(file('merged.md'), 'utf8')).toContain('deviates')
})

test('an error of use and a target that is not there are errors beside the step', async () => {
  const misused = await inActions('misused.md', 'check', '--saftey', 'read')
  expect(misused.code).toBe(2)
  expect(commandsIn(misused.out)).toEqual([
    '::error title=tracker-kit::check: unknown flag --saftey; did you mean --safety?',
  ])
  const dead = await inActions(
    'dead.md',
    'check',
    '--base-url',
    'http://127.0.0.1:9/api',
    '--token',
    'secret',
  )
  expect(dead.code).toBe(3)
  expect(commandsIn(dead.out)).toHaveLength(1)
  expect(await readFile(file('dead.md'), 'utf8')).toContain('was not judged')
})

test('a summary that cannot be written does not cost the verdict', async () => {
  listed = 200
  const { code, err } = await inActions('no/such/directory.md', ...checkArgs())
  expect(code).toBe(0)
  expect(err).toContain('cannot be written: there is no such file or directory (ENOENT)')
})

test('the verdict is in colour where colour is forced, and plain in a file', async () => {
  listed = 202
  const plain = await start(checkArgs()).ended
  expect(plain.out).not.toContain('\u001b')
  const { out } = await start(checkArgs(), { FORCE_COLOR: '1' }).ended
  expect(out).toContain('\u001b[31mFAILED\u001b[39m must ')
  expect(out).toContain('\u001b[31mdeviates: ')
})
