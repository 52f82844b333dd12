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
const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const asModule = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`
const register = `register(${JSON.stringify(asModule(hooks))})`
const preload = asModule(`import { register } from 'node:module'\n${register}`)

/** What the program has loaded by the time it says `wanted`: files of this package by their sources, all others by name. */
async function loaded(args: readonly string[], wanted: string): Promise<string[]> {
  const program = start(args, { NODE_OPTIONS: `--import=${preload}` })
  await program.says(wanted)
  program.signal('SIGTERM')
  const { err } = await program.ended
  const urls = [...err.matchAll(/^loads (file:\S+)$/gm)].map(([, url = '']) => fileURLToPath(url))
  const texts = await Promise.all(
    urls.map((file) => (file.startsWith(dist) ? readFile(file, 'utf8') : `// ${file}`)),
  )
  // The build puts the path of each source above what it has made of it.
  return texts.flatMap((text) => [...text.matchAll(/^\/\/ (\S+)$/gm)].map(([, path = '']) => path))
}

test('a server that runs: the emulator, and neither the suite nor the inspector', async () => {
  const paths = await loaded(['serve', '--port', '0'], 'Base URL')
  expect(paths).toContain('emulator/tracker.ts')
  // It reads and writes its files as the suite does.
  const strangers =
    /^conformance\/(?!contract\/|cli\/|client\/files\.ts|report\/whole-file\.ts)|^emulator\/inspector\/|node_modules\/(fast-check|supertest|@clack)\//
  expect(paths.filter((path) => strangers.test(path))).toEqual([])
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
