import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { run } from '../../fixtures/program.js'
import packageJson from '../../package.json' with { type: 'json' }
import { decisionWords } from '../contract/decisions/index.js'
import { operationIds } from '../contract/index.js'
import { version } from '../contract/version.js'

test('a reader that goes away early is no error', async () => {
  const program = fileURLToPath(new URL('../../dist/conformance/cli/main.js', import.meta.url))
  const child = spawn(process.execPath, [program, 'contract', 'openapi'])
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  expect({ code, err: child.stderr.setEncoding('utf8').read() }).toEqual({ code: 0, err: null })
})

/** People and programs rely on them. */
const fixedFlags: Readonly<Record<string, string>> = {
  serve: 'port host seed decisions vary ext profile-out state',
  check:
    'base-url profile token ext safety runs seed only baseline fail-on strict fail-on-leftovers shard timeout rate concurrency out',
  judge: 'profile ext base-url only baseline fail-on strict out',
  sweep: 'base-url profile token ext timeout rate',
  merge: 'out',
  learn: 'from base-url profile token ext safety seed out max-requests fail-on-leftovers',
  diff: 'from base-url profile token ext safety seed out max-requests decisions fail-on-leftovers',
}

test('every command explains itself, and keeps its flags', async () => {
  const { out } = await run('--help')
  const names = [...out.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name as string)
  expect(names).toEqual(expect.arrayContaining(Object.keys(fixedFlags)))
  for (const name of names) {
    const help = await run(name, '--help')
    expect(help.code).toBe(0)
    expect(help.out).toMatch(new RegExp(`^Usage: tracker-kit ${name}`))
    const [flags = '', examples = ''] = help.out.split('\nExamples:\n')
    expect(examples).toMatch(new RegExp(`^ {2}npx tracker-kit ${name}`))
    for (const [flag] of examples.matchAll(/--[\w-]+/g)) expect(flags).toContain(`  ${flag} `)
    for (const flag of fixedFlags[name]?.split(' ') ?? []) expect(flags).toContain(`\n  --${flag} `)
  }
})

test('the version is that of the package', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, out: `${packageJson.version}\n` })
  expect(version).toBe(packageJson.version)
})

test('the contract is printed as JSON', async () => {
  const openapi = JSON.parse((await run('contract', 'openapi')).out)
  const methods = Object.values<object>(openapi.paths).flatMap((path) => Object.values(path))
  expect(methods.map(({ operationId }) => operationId).sort()).toEqual([...operationIds].sort())
  const requirements = JSON.parse((await run('contract', 'requirements')).out)
  expect(new Set(requirements.map(({ id }: { id: string }) => id)).size).toBe(requirements.length)
  const decisions: { id: string }[] = JSON.parse((await run('contract', 'decisions')).out)
  expect(decisions.map(({ id }) => id)).toEqual(Object.keys(decisionWords))
  const profileSchema = JSON.parse((await run('contract', 'profile')).out)
  // The administrator's token may come from the environment.
  expect(profileSchema.required).toEqual(['baseUrl'])
  expect(profileSchema.properties.tokens.required).toBeUndefined()
})
