/** The kit as npm installs it. */
import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const programs = fileURLToPath(new URL('programs', import.meta.url))
const npm = (args, cwd) => promisify(execFile)('npm', args, { cwd, maxBuffer: 64 * 1024 * 1024 })
const packed = new Map()

/** The tarball of a build, and folders where it is installed together with other packages. */
export function packedKit(dist, scratch) {
  const kit = packed.get(dist) ?? pack(dist, scratch)
  packed.set(dist, kit)
  return kit
}

async function pack(dist, scratch) {
  const folder = join(scratch, 'package')
  await mkdir(folder, { recursive: true })
  for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(join(root, file), join(folder, file))
  await cp(dist, join(folder, 'dist'), { recursive: true })
  // The folder is already built and has no build scripts.
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts'], folder)
  const tarball = join(folder, JSON.parse(stdout)[0].filename)
  const installs = new Map()

  async function install(name, others) {
    const project = join(scratch, name)
    await mkdir(project)
    await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--omit=dev']
    await npm(['install', ...flags, tarball, ...others], project)
    await cp(programs, join(project, 'programs'), { recursive: true })
    return project
  }

  return {
    /** The folder of a project with the kit, these packages, and `programs`, which then import them by name. */
    installed(name, others = []) {
      const project = installs.get(name) ?? install(name, others)
      installs.set(name, project)
      return project
    },
  }
}
