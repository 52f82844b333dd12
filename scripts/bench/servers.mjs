/** The servers that are compared, and how to start each. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createProject } from '../compatibility/project.mjs'

const bare = fileURLToPath(new URL('bare.mjs', import.meta.url))
const programOf = (dist) => join(dist, 'conformance/cli/main.js')

/** In fixed versions, so that two runs compare the same programs. */
const packages = ['json-server@0.17.4', '@stoplight/prism-cli@5.14.2', 'autocannon@9.0.0']

/** Installs the other programs into `root`, where an earlier run may have done so. */
export async function installPeers(root) {
  const project = await createProject(root, 'peers')
  await project.install(packages)
  return {
    bin: (program) => join(project.folder, 'node_modules', '.bin', program),
    require: createRequire(join(project.folder, 'package.json')),
  }
}

export const BARE = 'node:http, constant JSON'

/** The kit, and a server that gives the kit's answer. `args(port)` is what Node gets to start it. */
export async function kitAndBare(dist) {
  const { createTracker } = await import(join(dist, 'emulator/index.js'))
  const { baseUrl, tokens, fetch } = await createTracker()
  const headers = { authorization: `Bearer ${tokens.administrator}` }
  const answer = await fetch(new Request(`${baseUrl}/plugins/Ext/users/nina`, { headers }))
  const user = await answer.text()
  return [
    { name: 'tracker-kit', headers, args: (port) => [programOf(dist), 'serve', '--port', port] },
    { name: BARE, headers, args: (port) => [bare, port, user] },
  ]
}

/** Other mock servers. */
export async function others({ dist, peersIn, scratch }) {
  const { bin } = await installPeers(peersIn)
  await mkdir(scratch, { recursive: true })
  const [openapi, database] = ['openapi.json', 'db.json'].map((file) => join(scratch, file))
  const { stdout } = await promisify(execFile)(process.execPath, [programOf(dist), 'contract', 'openapi'])
  await writeFile(openapi, stdout)
  await writeFile(database, JSON.stringify({ users: [{ id: 1, name: 'nina' }] }))
  const local = ['--host', '127.0.0.1', '-q']
  return [
    { name: 'json-server', args: (port) => [bin('json-server'), database, '--port', port, ...local] },
    { name: 'Prism', args: (port) => [bin('prism'), 'mock', openapi, '-p', port, '-v', 'fatal'] },
  ]
}
