/** Empty projects that install the kit as npm publishes it, and the versions of Node that they use. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const TIMEOUT_MS = 300_000

/**
 * @typedef {object} Project
 * @property {string} folder
 * @property {string} node The program that runs here as `node`.
 * @property {(files: Record<string, string>) => Promise<void>} write
 * @property {(packages: readonly string[], flags?: readonly string[]) => Promise<void>} install
 * @property {(command: string, args: readonly string[], env?: Record<string, string>) => Promise<string>} run Returns
 * the output of the program; rejects with it, shortened, if the exit code is not 0.
 * @property {(name: string) => Promise<any>} manifest The package.json of an installed package.
 * @property {(node: NodeVersion) => Project} under The same folder, with another Node first in the PATH.
 */

/** @typedef {{ major: number, version: string, bin: string }} NodeVersion */

/** @param {string} folder @param {NodeVersion | null} node @returns {Project} */
function projectIn(folder, node) {
  /** @type {Project['run']} */
  const run = async (command, args, more = {}) => {
    const { NODE_OPTIONS: _, ...inherited } = process.env
    const path = node ? `${node.bin}${delimiter}${process.env.PATH}` : process.env.PATH
    // npm sets this variable for its scripts; it would lead child processes to the Node of this script.
    const env = { ...inherited, PATH: path, npm_node_execpath: undefined, NO_COLOR: '1', CI: '1', ...more }
    try {
      const { stdout, stderr } = await promisify(execFile)(command, args, {
        cwd: folder,
        env,
        timeout: TIMEOUT_MS,
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout + stderr
    } catch (error) {
      const { stdout = '', stderr = '', message } = /** @type {any} */ (error)
      throw new Error(`${command} ${args.join(' ')}: ${stderr + stdout || message}`)
    }
  }
  return {
    folder,
    node: node ? join(node.bin, 'node') : process.execPath,
    run,
    async write(files) {
      for (const [name, source] of Object.entries(files)) await writeFile(join(folder, name), source)
    },
    async install(packages, flags = []) {
      await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...flags, ...packages])
    },
    manifest: async (name) =>
      JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')),
    under: (other) => projectIn(folder, other),
  }
}

/** @param {string} workshop @param {string} name @param {object} manifest */
export async function createProject(workshop, name, manifest = {}) {
  const folder = join(workshop, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }))
  return projectIn(folder, null)
}

/** The Node that runs this. @returns {NodeVersion} */
export const thisNode = () => ({
  major: Number(process.versions.node.split('.')[0]),
  version: process.versions.node,
  bin: dirname(process.execPath),
})

/** Node of a major version: the one that runs this, or one from npm. @param {string} workshop @param {number} major */
export async function nodeOf(workshop, major) {
  const here = thisNode()
  if (here.major === major) return here
  const project = await createProject(workshop, `node-${major}`)
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${system}-${process.arch}`
  await project.install([`${name}@${major}`])
  const { version } = await project.manifest(name)
  return { major, version, bin: join(project.folder, 'node_modules', name, 'bin') }
}

/** A package of a project, to be used by this script. @param {Project} project @param {string} name */
export async function loadModule(project, name) {
  const { main } = await project.manifest(name)
  const module = await import(pathToFileURL(join(project.folder, 'node_modules', name, main)).href)
  return module.default
}
