/**
 * The programs that the kit is compared with. They have their own folder, since neither users nor developers of the kit
 * need them. Their versions are fixed, so that two runs compare the same programs.
 */
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const platform = `${process.platform}-${process.arch}`

/** Packages by folder. Each peer is alone in its folder, so that its dependencies can be counted. */
const sets = {
  'http-middleware': ['@mswjs/http-middleware@0.10.3', 'msw@2.15.0'],
  'json-server': ['json-server@0.17.4'],
  prism: ['@stoplight/prism-cli@5.14.2'],
  mockoon: ['@mockoon/cli@9.9.0'],
  load: ['autocannon@9.0.0'],
  node22: [`node-${platform}@22`],
}

/** `folder` is kept for the next run; if it is absent, a folder is made and removed at the end. */
export async function createPeers(folder) {
  const root = folder ?? (await mkdtemp(join(tmpdir(), 'tracker-kit-peers-')))
  const ready = new Map()

  /** The folder in which a set is installed. */
  function install(name, what = sets[name]) {
    const promise = ready.get(name) ?? installed(join(root, name), what)
    ready.set(name, promise)
    return promise
  }

  return {
    install,
    async bin(name, program) {
      return join(await install(name), 'node_modules', '.bin', program)
    },
    async require(name, module) {
      return createRequire(join(await install(name), 'package.json'))(module)
    },
    /** A Node of another version, or null if there is none for this platform. */
    async node22() {
      const node = join(root, 'node22', 'node_modules', `node-${platform}`, 'bin', 'node')
      return install('node22').then(
        () => node,
        () => null,
      )
    },
    close: () => (folder === undefined ? rm(root, { recursive: true, force: true }) : undefined),
  }
}

async function installed(folder, what) {
  const done = join(folder, 'node_modules')
  const present = await access(done).then(
    () => true,
    () => false,
  )
  if (present) return folder
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  console.error(`npm install ${what.join(' ')}`)
  await promisify(execFile)(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', '--omit=dev', ...what],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  )
  return folder
}
