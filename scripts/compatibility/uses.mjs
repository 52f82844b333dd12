/** What users do with the kit in a project that has it. Each function rejects if something does not work. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bin, name, version } from './project.mjs'
import * as sources from './sources.mjs'

/** By import, by require, and under Node's own test runner. */
export async function embedded(project) {
  await project.write(sources.node)
  await project.run('node', ['embed.mjs'])
  await project.run('node', ['embed.cjs'])
  await project.run('node', ['--test', 'runner.mjs'])
}

export async function besideTestTools(project) {
  await project.write({ ...sources.msw, ...sources.vitest })
  await project.run('node', ['intercept.mjs'])
  await project.run('npx', ['vitest', 'run'])
}

/** CommonJS is checked only under nodenext, since TypeScript rejects it under node16. */
export const resolutions = ['nodenext', 'node16', 'bundler']

export async function typed(project, resolution) {
  const compilerOptions = {
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    target: 'es2023',
    lib: ['es2023', 'dom'],
    strict: true,
    noEmit: true,
    types: [],
  }
  const files = ['typed.mts', ...(resolution === 'nodenext' ? ['typed.cts'] : [])]
  await project.write({
    ...sources.types,
    [`${resolution}.json`]: JSON.stringify({ compilerOptions, files }),
  })
  await project.run('npx', ['tsc', '-p', `${resolution}.json`])
}

/** A bundle for a web page, which must contain nothing of Node. */
export async function bundled(project) {
  await project.write(sources.browser)
  const said = await project.run('npx', ['vite', 'build', '--logLevel', 'warn'])
  if (said.includes('externalized')) throw new Error(said)
  const page = await readFile(join(project.folder, 'built', 'page.mjs'), 'utf8')
  if (/from ?["']node:/.test(page)) throw new Error('the bundle for the browser imports modules of Node')
  await project.run('node', ['built/page.mjs'])
}

/** The commands that need no tracker of the user's own. */
export async function program(project) {
  expectText(await project.run('npx', [name, '--help']), 'Usage:')
  expectText(await project.run('npx', [name, 'check', '--runs', '5', '--only', 'getUser']), 'conforms')
  await serve(project)
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
export async function sizeOf(project) {
  const lock = JSON.parse(await readFile(join(project.folder, 'node_modules', '.package-lock.json'), 'utf8'))
  const kilobytes = Number.parseInt(await project.run('du', ['-sk', 'node_modules']), 10)
  return `${Object.keys(lock.packages).length} packages, ${Math.round(kilobytes / 1024)} MB`
}

function expectText(text, wanted) {
  if (!text.includes(wanted)) throw new Error(`"${wanted}" is missing in:\n${text}`)
}
