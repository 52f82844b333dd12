/** The kit beside other servers: requests per second, and the time from a start to the first answer. */
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProject } from '../compatibility/project.mjs'
import { interleaved, medianOf, printed, processorMsOf, ROOT, ratio, started } from './measure.mjs'

const bare = fileURLToPath(new URL('bare.mjs', import.meta.url))
const programOf = (dist) => join(dist, 'conformance/cli/main.js')

/** In fixed versions, so that two runs compare the same programs. */
const packages = ['json-server@0.17.4', '@stoplight/prism-cli@5.14.2', 'autocannon@9.0.0']

/** Installs the other programs into `root`, where an earlier run may have done so. */
async function installPeers(root) {
  const project = await createProject(root, 'peers', packages)
  return {
    bin: (program) => join(project.folder, 'node_modules', '.bin', program),
    require: createRequire(join(project.folder, 'package.json')),
  }
}

const BARE = 'node:http, constant JSON'

/** The kit, and a server that gives the kit's answer. `args(port)` is what Node gets to start it. */
async function kitAndBare(dist) {
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
async function others({ dist, peersIn, scratch }) {
  const { bin } = await installPeers(peersIn)
  await mkdir(scratch, { recursive: true })
  const [openapi, database] = ['openapi.json', 'db.json'].map((file) => join(scratch, file))
  await writeFile(openapi, JSON.stringify(await printed(programOf(dist), 'contract', 'openapi')))
  await writeFile(database, JSON.stringify({ users: [{ id: 1, name: 'nina' }] }))
  const local = ['--host', '127.0.0.1', '-q']
  return [
    { name: 'json-server', args: (port) => [bin('json-server'), database, '--port', port, ...local] },
    { name: 'Prism', args: (port) => [bin('prism'), 'mock', openapi, '-p', port, '-v', 'fatal'] },
  ]
}

const CONNECTIONS = 10
let number = 0
const field = () => JSON.stringify({ custom_field: { name: `Bench ${++number}`, type: 'string' } })

const requests = [
  { name: 'getUser', method: 'GET', path: '/users/nina', aim: 0.65 },
  { name: 'createCustomField', method: 'POST', path: '/custom_fields/create', body: field, aim: 0.3 },
]

/** Requests per second over HTTP, as a share of those of a server that gives one answer to every request. */
export async function http({ dist, peersIn }) {
  const { require } = await installPeers(peersIn)
  const autocannon = require('autocannon')
  const running = []
  for (const server of await kitAndBare(dist)) running.push({ ...server, ...(await started(server)) })
  try {
    const rows = []
    const aims = []
    for (const request of requests) {
      for (const server of running) await warm(autocannon, server, request)
      const results = await interleaved(5, running, (server) => load(autocannon, server, request))
      const [kit, bare] = ['tracker-kit', BARE].map((name) => results.get(name))
      const share = ratio(kit, bare, ({ perSecond }) => perSecond)
      const us = [kit, bare].map((runs) => medianOf(runs, ({ processorUs }) => processorUs).toFixed(0))
      const perSecond = medianOf(bare, (run) => run.perSecond).toFixed(0)
      rows.push([request.name, share.toFixed(2), ...us.map((text) => `${text} µs`), perSecond])
      aims.push({ what: `${request.name} of the bare server`, value: share, atLeast: request.aim })
    }
    return {
      title: `Over HTTP, at ${CONNECTIONS} connections: requests of a bare server`,
      columns: ['request', 'share', 'processor time', 'of the bare server', 'its requests a second'],
      rows,
      aims,
    }
  } finally {
    for (const { stop } of running) await stop()
  }
}

/** Warms the server up: for the first thousands of requests, compiling the code costs more than the requests. */
async function warm(autocannon, server, request) {
  for (let round = 0, done = 0; round < 4 && done < 10_000; round++)
    done += (await load(autocannon, server, request)).requests
}

/** Loads one server for a second. */
async function load(autocannon, { name, pid, origin, headers }, { method, path, body }) {
  // Without a reset, the records of earlier writes would make the lists longer in each round.
  if (name !== BARE) await fetch(`${origin}/__tracker/reset`, { method: 'POST' })
  const before = await processorMsOf(pid)
  const asked = { method, path: ROOT + path, headers: { ...headers, 'content-type': 'application/json' } }
  const { requests, duration, non2xx } = await autocannon({
    ...{ url: origin, connections: CONNECTIONS, duration: 1, sampleInt: 100 },
    requests: [{ ...asked, ...(body && { setupRequest: (sent) => ({ ...sent, body: body() }) }) }],
  })
  const processorUs = (((await processorMsOf(pid)) - before) * 1000) / requests.total
  if (non2xx > 0) throw new Error(`${name}: it refuses ${non2xx} requests`)
  return { requests: requests.total, perSecond: requests.total / duration, processorUs }
}

const ROUNDS = 9

/** Milliseconds to import the modules that follow. */
const IMPORTS = `const start = performance.now()
  for (const name of process.argv.slice(1)) await import(name)
  console.log(JSON.stringify({ ms: performance.now() - start }))`

/** The time of an import, and from the start of a program to its first answer. */
export async function start(context) {
  const libraries = '`@mswjs/data` and `zod` alone'
  const modules = [
    { name: 'tracker-kit', paths: [join(context.dist, 'emulator/index.js')] },
    { name: libraries, paths: ['@mswjs/data', 'zod'] },
  ]
  const imports = await interleaved(ROUNDS, modules, ({ paths }) =>
    printed('--input-type=module', '-e', IMPORTS, ...paths),
  )
  const servers = [...(await kitAndBare(context.dist)), ...(await others(context))]
  const starts = await interleaved(ROUNDS, servers, async (server) => {
    const { ms, stop } = await started(server)
    await stop()
    return { ms }
  })
  const ms = (run) => run.ms
  const imported = (name) => medianOf(imports.get(name), ms).toFixed(0)
  const of = (name, other) => ratio(starts.get(name), starts.get(other), ms)
  const ofImport = ratio(imports.get('tracker-kit'), imports.get(libraries), ms)
  return {
    title: 'Program start to the first answer',
    columns: ['program', 'ms', 'of tracker-kit'],
    rows: servers.map(({ name }) => [
      ...[name, medianOf(starts.get(name), ms).toFixed(0), of(name, 'tracker-kit').toFixed(2)],
    ]),
    notes: [
      `\`import 'tracker-kit'\` takes ${imported('tracker-kit')} ms, ${libraries} ${imported(libraries)} ms.`,
    ],
    aims: [
      { what: `\`import 'tracker-kit'\` of ${libraries}`, value: ofImport, atMost: 0.5 },
      { what: 'start of Prism', value: of('tracker-kit', 'Prism'), atMost: 0.5 },
    ],
  }
}
