/** What the built program loads before it is needed: of the half that a command does not use, nothing. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { start } from '../../fixtures/program.js'

/** Tells on standard error of each file that is loaded. */
const hooks = `
  import { writeSync } from 'node:fs'
  export async function load(url, context, next) {
    writeSync(2, 'loads ' + url + '\\n')
    return next(url, context)
  }`
const asModule = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`
const preload = asModule(
  `import { register } from 'node:module'\nregister(${JSON.stringify(asModule(hooks))})`,
)

/** The sources in what the program has loaded by the time it says `wanted`. */
async function sources(args: readonly string[], wanted: string): Promise<string[]> {
  const program = start(args, { NODE_OPTIONS: `--import=${preload}` })
  await program.says(wanted)
  program.signal('SIGTERM')
  const { err } = await program.ended
  const files = [...err.matchAll(/^loads (file:\S+\/dist\/\S+)$/gm)].map(([, url = '']) => fileURLToPath(url))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  // The build puts the path of each source above what it has made of it.
  return texts.flatMap((text) => [...text.matchAll(/^\/\/ (\S+)$/gm)].map(([, path = '']) => path))
}

test('a server that runs: the emulator, and neither the suite nor the inspector', async () => {
  const loaded = await sources(['serve', '--port', '0'], 'Base URL')
  expect(loaded).toContain('emulator/tracker.ts')
  // It reads and writes its files as the suite does.
  const strangers =
    /^conformance\/(?!contract\/|cli\/|client\/files\.ts|report\/whole-file\.ts)|^emulator\/inspector\/|node_modules\/(fast-check|supertest|@clack)\//
  expect(loaded.filter((path) => strangers.test(path))).toEqual([])
})

test("a program that imports the emulator: not Node's fetch, which is loaded when one of its classes is first named", async () => {
  const emulator = new URL('../../dist/emulator/index.js', import.meta.url)
  const program = `
    const named = []
    for (const name of ['fetch', 'Headers', 'Request', 'Response'])
      Object.defineProperty(globalThis, name, { get: () => void named.push(name), configurable: true })
    const { createTracker } = await import('${emulator}')
    await createTracker()
    console.log(JSON.stringify(named))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(JSON.parse(stdout)).toEqual([])
})

test('a check of the built-in emulator: the suite, and neither the inspector nor prompts', async () => {
  const loaded = await sources(['check', '--plan'], 'On http')
  expect(loaded).toContain('conformance/drive/run.ts')
  expect(loaded.filter((path) => /^emulator\/inspector\/|node_modules\/@clack\//.test(path))).toEqual([])
})
