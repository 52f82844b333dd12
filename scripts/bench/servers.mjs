/** The servers that are compared over HTTP: how to start each, and at which paths it takes the same requests. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from './measure.mjs'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const ROOT = '/api/rest/plugins/Ext'

/**
 * For each server, `start(port)` returns the command line; `root` precedes the paths of the interface; `authorization`
 * is a header that it accepts.
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
  const ask = async (path) =>
    (
      await tracker.fetch(
        new Request(`${tracker.baseUrl}/plugins/Ext${path}`, { headers: { authorization } }),
      )
    ).text()
  // The other servers get the tracker's answer about this user.
  const user = await ask('/users/nina')
  const database = join(scratch, 'db.json')
  const { users } = JSON.parse(user)
  await writeFile(
    database,
    JSON.stringify({ users, ...JSON.parse(await ask('/custom_fields')), created: [] }),
  )
  const bin = (set, name) => peers.bin(set, name)
  const node = (...args) => ({ command: process.execPath, args: args.map(String) })

  const all = [
    {
      name: 'tracker-kit',
      root: ROOT,
      start: async (port) => node(program, 'serve', '--port', port),
    },
    {
      name: 'node:http, constant JSON',
      root: ROOT,
      start: async (port) => node(here('programs/bare.mjs'), port, user),
    },
    {
      name: '@mswjs/http-middleware',
      root: ROOT,
      start: async (port) =>
        node(here('programs/middleware.mjs'), port, await peers.install('http-middleware'), openapi, user),
    },
    {
      name: 'json-server',
      root: '',
      // This server writes each change to its file.
      paths: { '/custom_fields/create': '/created', '/users/nina': `/users/${users[0].id}` },
      start: async (port) =>
        node(await bin('json-server', 'json-server'), database, '--port', port, '--host', '127.0.0.1', '-q'),
    },
    {
      name: 'Prism',
      // This server has the paths of the document, without those of its `servers`.
      root: '',
      start: async (port) => node(await bin('prism', 'prism'), 'mock', openapi, '-p', port, '-v', 'fatal'),
    },
    {
      name: 'Mockoon',
      root: ROOT,
      start: async (port) =>
        node(
          await bin('mockoon', 'mockoon-cli'),
          'start',
          '--data',
          openapi,
          '--port',
          port,
          '-X',
          '--disable-admin-api',
        ),
    },
  ]
  return all.map((server) => ({ ...server, authorization }))
}

/** A command line for `started` in measure.mjs, with a free port. */
export async function launch(server) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const url = origin + server.root + (server.paths?.['/users/nina'] ?? '/users/nina')
  return { ...(await server.start(port)), origin, url, headers: { authorization: server.authorization } }
}
