/**
 * Builds the kit, packs it as npm would publish it, installs the tarball into an empty project, and uses it from
 * there: the entry points, their types, and the program. Ends with 1 where something does not work.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { name, version, bin, browser, exports, devDependencies } = JSON.parse(
  await readFile(join(root, 'package.json'), 'utf8'),
)
const TIMEOUT_MS = 180_000

/** What a user of each entry point writes. */
const sources = {
  'embed.mjs': `
    import { createTracker } from 'tracker-kit'
    const tracker = await createTracker()
    const headers = { authorization: \`Bearer \${tracker.tokens.administrator}\` }
    const account = '/plugins/Ext/me/account'
    const direct = await tracker.fetch(new Request(tracker.baseUrl + account, { headers }))
    const server = await tracker.listen({ port: 0 })
    const served = await fetch(server.url + account, { headers })
    await server.close()
    if (direct.status !== 200 || served.status !== 200) throw new Error(\`\${direct.status}, \${served.status}\`)
  `,
  'conformance.test.mjs': `
    import { createTracker } from 'tracker-kit'
    import { defineConformance } from 'tracker-kit/conformance'
    const tracker = await createTracker()
    const server = await tracker.listen({ port: 0 })
    defineConformance(tracker.profileFor(server.url), { only: ['getUser'], runs: 5 })
  `,
  'fixture.test.mjs': `
    import { expect } from 'vitest'
    import { test } from 'tracker-kit/vitest'
    test('a fresh tracker', ({ tracker }) => expect(tracker).not.toHaveChanged())
  `,
  'intercept.mjs': `
    import { setupServer } from 'msw/node'
    import { createTracker } from 'tracker-kit'
    import { handlers } from 'tracker-kit/msw'
    const tracker = await createTracker()
    const server = setupServer(...handlers(tracker))
    server.listen({ onUnhandledRequest: 'error' })
    const headers = { authorization: \`Bearer \${tracker.tokens.administrator}\` }
    const { status } = await fetch(\`\${tracker.baseUrl}/plugins/Ext/me/account\`, { headers })
    server.close()
    if (status !== 200) throw new Error(String(status))
  `,
  'typed.ts': `
    import { createTracker, type Tracker } from 'tracker-kit'
    import { defineConformance } from 'tracker-kit/conformance'
    import { handlers } from 'tracker-kit/msw'
    import { test } from 'tracker-kit/vitest'
    const tracker: Tracker = await createTracker({ decisions: { 'wrong-method': 'not-found' } })
    const username: string | undefined = tracker.db.users.find('id', 1)?.username
    // @ts-expect-error a decision that there is not
    await createTracker({ decisions: { 'wrong-metod': 'not-found' } })
    export const used = [handlers(tracker), test, username, () => defineConformance(tracker.profile)]
  `,
}

const project = await mkdtemp(join(tmpdir(), `${name}-package-`))
const program = join(project, 'node_modules', '.bin', name)
try {
  await check()
  console.log(`${name} ${version} works from its package`)
} catch (error) {
  const {
    message,
    stdout = '',
    stderr = '',
  } = /** @type {Error & { stdout?: string, stderr?: string }} */ (error)
  // The message of a failed command repeats what it wrote.
  console.error(`check-package: ${stderr === '' ? message : message.split('\n')[0]}\n${stdout}${stderr}`)
  process.exitCode = 1
} finally {
  await rm(project, { recursive: true, force: true })
}

async function check() {
  // Anew, since what has run from an older build may have left something there.
  await step('npm run build', () => run('npm', ['run', 'build'], root))
  const tarball = await step('npm pack', pack)
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  for (const [file, source] of Object.entries(sources)) await writeFile(join(project, file), source)

  await step('npm install, without msw', () => install(tarball))
  await step('import tracker-kit', () => run(process.execPath, ['embed.mjs']))
  await step('import tracker-kit/conformance and tracker-kit/vitest in vitest files', () =>
    run('npx', ['vitest', 'run']),
  )
  await step('tracker-kit --help', async () =>
    expectText((await run('npx', [name, '--help'])).stdout, 'Usage:'),
  )
  await step('tracker-kit check', () => run('npx', [name, 'check', '--runs', '5']))
  await step('tracker-kit serve', serve)

  await step('npm install msw', () => install(`msw@${devDependencies.msw}`))
  await step('import tracker-kit/msw', () => run(process.execPath, ['intercept.mjs']))
  await step('types', compile)
}

/** @template T @param {string} what @param {() => Promise<T>} work */
async function step(what, work) {
  const started = performance.now()
  try {
    return await work()
  } finally {
    console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
}

/** @param {string} command @param {string[]} args */
function run(command, args, cwd = project) {
  return promisify(execFile)(command, args, { cwd, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 })
}

async function pack() {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], root)
  /** @type {{ filename: string, files: { path: string }[] }[]} */
  const [packed] = JSON.parse(stdout)
  const paths = packed.files.map(({ path }) => path)
  const strangers = paths.filter((path) => !/^(dist\/.+\.(js|d\.ts)|[A-Z]+(\.md)?|package\.json)$/.test(path))
  if (strangers.length > 0) throw new Error(`the package should not hold ${strangers.join(', ')}`)
  const promised = [bin, ...Object.entries(browser).flat(), ...Object.values(exports)].flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  )
  const missing = promised.filter((path) => !paths.includes(path.replace('./', '')))
  if (missing.length > 0) throw new Error(`the package promises ${missing.join(', ')}, but does not hold it`)
  return join(project, packed.filename)
}

/** @param {string} what */
function install(what) {
  return run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', what])
}

async function serve() {
  const served = spawn(program, ['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(served, 'exit')
  try {
    let said = ''
    for await (const chunk of served.stdout.setEncoding('utf8')) {
      said += chunk
      if (said.includes('curl')) break
    }
    const [, inspector = ''] = /Inspector +(\S+)/.exec(said) ?? []
    expectText(await (await fetch(`${inspector}health`)).text(), version)
    for (const [script, held] of Object.entries({ 'main.js': 'import', 'preact.js': 'export' }))
      expectText(await (await fetch(`${inspector}assets/${script}`)).text(), held)
  } finally {
    served.kill('SIGTERM')
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`it ended with ${code} after SIGTERM`)
}

async function compile() {
  const options = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    strict: true,
    noEmit: true,
    types: [],
  }
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['typed.ts'] }),
  )
  await run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project])
}

/** @param {string} text @param {string} wanted */
function expectText(text, wanted) {
  if (!text.includes(wanted)) throw new Error(`"${wanted}" is missing in:\n${text}`)
}
