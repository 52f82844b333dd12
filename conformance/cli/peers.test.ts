/** The program where the optional peers are not installed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/folder.js'
import { type Ended, start } from '../../fixtures/program.js'

/** As Node itself says it. */
const hooks = `
  export async function resolve(specifier, context, next) {
    if (!/^(@?vitest|msw)($|\\/)/.test(specifier)) return next(specifier, context)
    throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' })
  }`
const asModule = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`

const refusing = join(temporaryFolder(), 'refusing.mjs')
writeFileSync(
  refusing,
  `import { register } from 'node:module'\nregister(${JSON.stringify(asModule(hooks))})\n`,
)

/** Preloads what refuses the peers, and `more` behind it. */
function withoutPeers(args: readonly string[], ...more: string[]): Promise<Ended> {
  const preloads = [refusing, ...more].map((path) => `--import=${pathToFileURL(path)}`)
  return start(args, { NODE_OPTIONS: preloads.join(' ') }).ended
}

test('what needs them is refused here', async () => {
  const entry = join(import.meta.dirname, '../../dist/conformance/index.js')
  expect((await withoutPeers(['--version'], entry)).err).toContain('Cannot find package vitest')
})

test('checks the built-in emulator', async () => {
  const { code, out } = await withoutPeers(['check', '--safety', 'read', '--runs', '5', '--only', 'getUser'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('conforms') })
  // Colours are for terminals.
  expect(out).not.toContain('\u001b')
})
