/**
 * The checks: what users do with the kit in a project that has it. Each is a row of the table; `run` rejects if the kit
 * does not work, and may return a text for the table. `ruledOut` says why it does not have to work.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import semver from 'semver'
import { bin, createProject, devDependencies, name, version } from './project.mjs'
import * as sources from './sources.mjs'

/** The first of these packages that does not support this Node; undefined if all do. */
function unfit(packages) {
  const found = packages.find(({ engines }) => !semver.satisfies(process.version, engines.node))
  return found && `${found.name} ${found.version} needs Node ${found.engines.node}`
}

/** The tools that judge a package. */
export async function linters({ workshop, tarball }) {
  const tools = await createProject(workshop, 'linters', ['publint', '@arethetypeswrong/cli'])
  const run = async (...command) => void (await tools.run('npx', command))
  return [
    { row: 'publint', run: () => run('publint', '--strict', tarball) },
    {
      row: 'Are the types wrong? (ES modules alone)',
      run: () => run('attw', tarball, '--profile', 'esm-only'),
    },
  ]
}

/** What `npm install tracker-kit` installs, how large it is, and that it is enough. */
export async function alone({ workshop, tarball }) {
  const row = '`npm install tracker-kit` alone: embedded, required, `node:test`, `check`, `serve`'
  const run = async () => {
    const project = await createProject(workshop, 'alone', [tarball], sources.node)
    await project.run('node', ['embed.mjs'])
    await project.run('node', ['embed.cjs'])
    await project.run('node', ['--test', 'runner.mjs'])
    expectText(await project.run('npx', [name, '--help']), 'Usage:')
    expectText(await project.run('npx', [name, 'check', '--runs', '5', '--only', 'getUser']), 'conforms')
    await serve(project)
    return sizeOf(project)
  }
  return [{ row, run }]
}

async function serve(project) {
  const main = join(project.folder, 'node_modules', name, bin[name])
  const served = spawn(process.execPath, [main, 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(served, 'exit')
  try {
    let said = ''
    for await (const chunk of served.stdout.setEncoding('utf8')) {
      said += chunk
      if (said.includes('curl')) break
    }
    const [, inspector = ''] = /Inspector +(\S+)/.exec(said) ?? []
    expectText(await (await fetch(`${inspector}health`)).text(), version)
    expectText(await (await fetch(`${inspector}assets/main.js`)).text(), 'createElement')
  } finally {
    served.kill('SIGTERM')
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`tracker-kit serve ended with ${code} after SIGTERM`)
}

/** The size of an installation: packages, and MB on the disk. */
async function sizeOf(project) {
  const lock = JSON.parse(await readFile(join(project.folder, 'node_modules', '.package-lock.json'), 'utf8'))
  const kilobytes = Number.parseInt(await project.run('du', ['-sk', 'node_modules']), 10)
  return `${Object.keys(lock.packages).length} packages, ${Math.round(kilobytes / 1024)} MB`
}

function expectText(text, wanted) {
  if (!text.includes(wanted)) throw new Error(`"${wanted}" is missing in:\n${text}`)
}

/** With the tools of its users' tests. */
export async function beside({ workshop, tarball, pairs }) {
  const checks = []
  for (const { msw, vitest } of pairs) {
    const folder = `msw-${msw}-vitest-${vitest}`.replaceAll(/[^\w-]/g, '')
    const project = await createProject(workshop, folder, [tarball, `msw@${msw}`, `vitest@${vitest}`])
    const found = [await project.manifest('msw'), await project.manifest('vitest')]
    const run = async () => {
      await project.write({ ...sources.msw, ...sources.vitest })
      await project.run('node', ['intercept.mjs'])
      await project.run('npx', ['vitest', 'run'])
    }
    const row = found.map((one) => `${one.name} ${one.version}`).join(', ')
    checks.push({ row, ruledOut: unfit(found), run })
  }
  return checks
}

/** Jest's ways to load modules. */
export async function jest({ workshop, tarball }) {
  const packages = ['jest', 'ts-jest', '@types/jest', 'babel-jest', '@babel/preset-env', 'typescript@6']
  const project = await createProject(workshop, 'jest', [tarball, ...packages], sources.jest)
  const found = await project.manifest('jest')
  const modules = { NODE_OPTIONS: '--experimental-vm-modules' }
  const ways = [
    { way: 'ES modules', config: 'esm.config.cjs', env: modules },
    { way: 'ts-jest to ES modules', config: 'typed.config.cjs', env: modules },
    { way: 'Babel to CommonJS', config: 'babel.config-jest.cjs', env: {} },
    { way: 'require of ES modules', config: 'required.config.cjs', env: modules, node: '>=24.9' },
  ]
  return ways.map(({ way, config, env, node = '*' }) => ({
    row: `Jest ${found.version}, ${way}`,
    ruledOut: unfit([found, { ...found, engines: { node } }]),
    run: async () => void (await project.run('npx', ['jest', '--config', config], env)),
  }))
}

/** TypeScript projects. */
export async function types({ workshop, tarball, compilers }) {
  const checks = []
  for (const wanted of compilers) {
    const { msw, vitest } = devDependencies
    const packages = [tarball, `msw@${msw}`, `vitest@${vitest}`, `typescript@${wanted}`]
    const folder = `typescript-${wanted.replaceAll(/\W/g, '')}`
    const project = await createProject(workshop, folder, packages, sources.types)
    const { version } = await project.manifest('typescript')
    for (const moduleResolution of ['nodenext', 'node16', 'bundler']) {
      const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution
      // CommonJS is checked only under nodenext, since TypeScript rejects it under node16.
      const files = ['typed.mts', ...(module === 'nodenext' ? ['typed.cts'] : [])]
      checks.push({
        row: `TypeScript ${version}, moduleResolution ${moduleResolution}`,
        run: () => compile(project, files, { module, moduleResolution, types: [] }),
      })
    }
  }
  return checks
}

async function compile(project, files, options) {
  const common = { target: 'es2023', lib: ['es2023', 'dom'], strict: true, noEmit: true }
  const config = { compilerOptions: { ...common, ...options }, files }
  await project.write({ 'tsconfig.json': JSON.stringify(config) })
  await project.run('npx', ['tsc', '-p', 'tsconfig.json'])
}

/** Recipes for Cypress and Testcontainers, by their types. */
export async function recipes({ workshop, tarball }) {
  const tools = ['cypress', 'testcontainers', '@types/node@20', `typescript@${devDependencies.typescript}`]
  const packages = ['--ignore-scripts', tarball, ...tools]
  const project = await createProject(workshop, 'recipes', packages, sources.typedRecipes)
  const { version } = await project.manifest('cypress')
  const check = (types, files) => compile(project, files, { module: 'nodenext', skipLibCheck: true, types })
  return [
    {
      row: `Cypress ${version}, types of the recipe`,
      run: () => check(['cypress'], ['cypress.config.ts', 'users.cy.ts']),
    },
    { row: 'Testcontainers, types of the recipe', run: () => check(['node'], ['container.mts']) },
  ]
}

/** A bundle for a web page, which must contain nothing of Node. */
export async function browser({ workshop, tarball }) {
  const { msw, vite } = devDependencies
  const packages = [tarball, `msw@${msw}`, `vite@${vite}`]
  const project = await createProject(workshop, 'browser', packages, sources.browser)
  const run = async () => {
    const said = await project.run('npx', ['vite', 'build', '--logLevel', 'warn'])
    if (said.includes('externalized')) throw new Error(said)
    const page = await readFile(join(project.folder, 'built', 'page.mjs'), 'utf8')
    if (/from ?["']node:/.test(page)) throw new Error('the bundle for the browser imports modules of Node')
    await project.run('node', ['built/page.mjs'])
  }
  const { version } = await project.manifest('vite')
  return [{ row: `Vite ${version}, a bundle for the browser`, run }]
}
