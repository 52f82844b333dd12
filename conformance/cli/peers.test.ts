/** The program where the optional peers are not installed. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker } from '../../emulator/index.js'
import { isLong } from '../../fixtures/long.js'
import { type Ended, start } from '../../fixtures/program.js'

/** As Node itself says it. */
const hooks = `
  export async function resolve(specifier, context, next) {
    if (!/^(@?vitest|msw)($|\\/)/.test(specifier)) return next(specifier, context)
    throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' })
  }`
const asModule = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`

let directory: string
/** Preloads what refuses the peers, and `more` behind it, in the processes of a fleet too. */
let withoutPeers: (args: readonly string[], ...more: string[]) => Promise<Ended>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tracker-kit-'))
  const refusing = join(directory, 'refusing.mjs')
  const text = `import { register } from 'node:module'\nregister(${JSON.stringify(asModule(hooks))})\n`
  await writeFile(refusing, text)
  withoutPeers = (args, ...more) => {
    const preloads = [refusing, ...more].map((path) => `--import=${pathToFileURL(path)}`)
    return start(args, { NODE_OPTIONS: preloads.join(' ') }).ended
  }
})
afterAll(() => rm(directory, { recursive: true, force: true }))

test('what needs them is refused here', async () => {
  const entry = join(import.meta.dirname, '../../dist/conformance/index.js')
  expect((await withoutPeers(['--version'], entry)).err).toContain('Cannot find package vitest')
})

test('checks the built-in emulator', async () => {
  const { code, out } = await withoutPeers(['check', '--runs', '5', '--only', 'getUser'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('conforms') })
})

test.runIf(isLong)('checks a list of trackers', async () => {
  const tracker = await createTracker()
  const server = await listen(tracker)
  try {
    const list = join(directory, 'list.txt')
    await writeFile(list, `${JSON.stringify(tracker.profileFor(server.url))}\n`)
    const out = join(directory, 'fleet')
    const args = ['check', '--targets', list, '--runs', '5', '--only', 'getUser', '--out', out]
    const { code, err } = await withoutPeers(args)
    expect({ code, err }).toMatchObject({ code: 0 })
    const [folder = ''] = (await readdir(out, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    const report = JSON.parse(await readFile(join(out, folder, 'report.json'), 'utf8'))
    expect(report.summary).toMatchObject({ verdict: 'conforms', because: null })
  } finally {
    await server.close()
  }
})
