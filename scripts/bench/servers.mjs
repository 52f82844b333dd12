/** The servers that are compared over HTTP: how to start each, and at which paths it takes the same requests. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createProject } from '../compatibility/project.mjs'
import { freePort } from './measure.mjs'

const bare = fileURLToPath(new URL('bare.mjs', import.meta.url))
const ROOT = '/api/rest/plugins/Ext'

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

/**
 * For each server, `args(port)` is what Node gets to start it; `root` precedes the paths of the interface;
 * `authorization` is a header that it accepts.
 */
export async function servers({ dist, peers, scratch }) {
  await mkdir(scratch, { recursive: true })
  const openapi = join(scratch, 'openapi.json')
  const program = join(dist, 'conformance/cli/main.js')
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'contract', 'openapi'])
  await writeFile(openapi, stdout)
  const { createTracker } = await import(join(dist, 'emulator/index.js'))
  const tracker = await createTracker()
  const authorization = `Bearer ${tracker.tokens.administrator}`
  async function ask(path) {
    const url = `${tracker.baseUrl}/plugins/Ext${path}`
    const answer = await tracker.fetch(new Request(url, { headers: { authorization } }))
    return answer.text()
  }
  // The other servers get the tracker's answer about this user.
  const user = await ask('/users/nina')
  const { users } = JSON.parse(user)
  const database = join(scratch, 'db.json')
  const fields = JSON.parse(await ask('/custom_fields'))
  await writeFile(database, JSON.stringify({ users, ...fields, created: [] }))
  const all = [
    { name: 'tracker-kit', root: ROOT, args: (port) => [program, 'serve', '--port', port] },
    { name: 'node:http, constant JSON', root: ROOT, args: (port) => [bare, port, user] },
    {
      name: 'json-server',
      root: '',
      // This server writes each change to its file.
      paths: { '/custom_fields/create': '/created', '/users/nina': `/users/${users[0].id}` },
      args: (port) => [peers.bin('json-server'), database, '--port', port, '--host', '127.0.0.1', '-q'],
    },
    // This server has the paths of the document, without those of its `servers`.
    {
      name: 'Prism',
      root: '',
      args: (port) => [peers.bin('prism'), 'mock', openapi, '-p', port, '-v', 'fatal'],
    },
  ]
  return all.map((server) => ({ ...server, authorization }))
}

/** What `started` in measure.mjs needs, with a free port. */
export async function launch({ args, root, paths, authorization }) {
  const port = String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const url = origin + root + (paths?.['/users/nina'] ?? '/users/nina')
  return { args: args(port), origin, url, headers: { authorization } }
}
