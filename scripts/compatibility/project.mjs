/** Empty projects that install the kit as npm publishes it. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const TIMEOUT_MS = 300_000

/** With these packages, or flags for their installation, and these files. Its `run` rejects with what a program said. */
export async function createProject(workshop, name, packages = [], files = {}) {
  const folder = join(workshop, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }))
  const run = async (command, args, more = {}) => {
    const { NODE_OPTIONS: _, ...inherited } = process.env
    try {
      const { stdout, stderr } = await promisify(execFile)(command, args, {
        cwd: folder,
        env: { ...inherited, NO_COLOR: '1', CI: '1', ...more },
        timeout: TIMEOUT_MS,
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout + stderr
    } catch (error) {
      const { stdout = '', stderr = '', message } = error
      throw new Error(`${command} ${args.join(' ')}: ${stderr + stdout || message}`)
    }
  }
  const write = async (sources) => {
    for (const [name, source] of Object.entries(sources)) await writeFile(join(folder, name), source)
  }
  if (packages.length > 0)
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages])
  await write(files)
  return {
    ...{ folder, run, write },
    manifest: async (name) =>
      JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')),
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
export const { bin, devDependencies, name, version } = JSON.parse(
  await readFile(join(root, 'package.json'), 'utf8'),
)

const published =
  /^(dist\/.+\.(js|d\.ts)|dist\/schemas\/\w+\.json|docs\/(recipes\/)?[\w-]+\.md|(dist\/.+\/|dist\/)?[A-Z]+(\.md)?|package\.json)$/

/** Builds again, since a run of an older build may have left files; returns the path of the tarball. */
export async function pack(workshop) {
  await workshop.run('npm', ['run', 'build', '--prefix', root])
  const said = await workshop.run('npm', ['pack', root, '--json', '--silent', '--ignore-scripts'])
  const [packed] = JSON.parse(said.slice(said.indexOf('[')))
  const strangers = packed.files.map(({ path }) => path).filter((path) => !published.test(path))
  if (strangers.length > 0) throw new Error(`the package should not hold ${strangers.join(', ')}`)
  return join(workshop.folder, packed.filename)
}
