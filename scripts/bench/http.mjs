/** Requests per second and p99 over HTTP, compared with servers that answer the same paths. */
import { join } from 'node:path'
import { interleaved, medianOf, processorMsOf, ratio, started } from './measure.mjs'
import { installPeers, launch, servers } from './servers.mjs'

const CONNECTIONS = 10
let number = 0
const field = () => JSON.stringify({ custom_field: { name: `Bench ${++number}`, type: 'string' } })

const requests = [
  { name: 'getUser', method: 'GET', path: '/users/nina', aim: 0.65 },
  { name: 'createCustomField', method: 'POST', path: '/custom_fields/create', body: field, aim: 0.3 },
]

export async function http({ dist, peersIn, scratch }) {
  const peers = await installPeers(peersIn)
  const autocannon = peers.require('autocannon')
  const running = []
  for (const server of await servers({ dist, peers, scratch: join(scratch, 'http') })) {
    const command = await launch(server)
    running.push({ ...server, ...command, ...(await started(command)) })
  }
  try {
    const results = {}
    for (const request of requests) {
      for (const server of running) await warm(autocannon, server, request)
      results[request.name] = await interleaved(5, running, (server) => load(autocannon, server, request))
    }
    return tableOf(running, results)
  } finally {
    for (const { stop } of running) await stop()
  }
}

/** Warms the server up: for the first thousands of requests, compiling the code costs more than the requests. */
async function warm(autocannon, server, request) {
  for (let round = 0, requests = 0; round < 4 && requests < 10_000; round++)
    requests += (await load(autocannon, server, request)).requests
}

/** Loads one server for a second. */
async function load(autocannon, server, { method, path, body }) {
  // Without a reset, the records of earlier writes would make the lists longer in each round.
  if (server.name === 'tracker-kit') await fetch(`${server.origin}/__tracker/reset`, { method: 'POST' })
  const before = await processorMsOf(server.pid)
  const result = await autocannon({
    url: server.origin,
    connections: CONNECTIONS,
    duration: 1,
    sampleInt: 100,
    requests: [
      {
        method,
        path: server.root + (server.paths?.[path] ?? path),
        headers: {
          authorization: server.authorization,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { setupRequest: (sent) => ({ ...sent, body: body() }) } : {}),
      },
    ],
  })
  const processorUs = (((await processorMsOf(server.pid)) - before) * 1000) / result.requests.total
  if (server.name === 'tracker-kit' && result.non2xx > 0)
    throw new Error(`${method} ${path}: the tracker refuses ${result.non2xx} requests`)
  return {
    requests: result.requests.total,
    perSecond: result.requests.total / result.duration,
    p99: result.latency.p99,
    processorUs,
  }
}

function tableOf(running, results) {
  const bare = 'node:http, constant JSON'
  const middle = (request, server, key) => medianOf(results[request].get(server), (run) => run[key])
  const share = (request, server, other) =>
    ratio(results[request].get(server), results[request].get(other), ({ perSecond }) => perSecond)
  return {
    title: 'Over HTTP: requests of a bare node:http server (p99 in ms)',
    columns: ['server', ...requests.map(({ name }) => name)],
    rows: running.map(({ name: server }) => [
      server,
      ...requests.map(({ name: request }) => {
        const ofBare = share(request, server, bare)
        return `${ofBare.toFixed(ofBare < 0.1 ? 3 : 2)} (${middle(request, server, 'p99')})`
      }),
    ]),
    notes: requests.map(({ name: request }) => {
      const times = running.map(({ name }) => `${name} ${middle(request, name, 'processorUs').toFixed(0)} us`)
      const perSecond = middle(request, bare, 'perSecond').toFixed(0)
      return `Processor time of a ${request}: ${times.join(', ')}. The bare server answers ${perSecond}/s at ${CONNECTIONS} connections.`
    }),
    aims: [
      ...requests.map(({ name, aim }) => ({
        what: `${name} of the bare server`,
        value: share(name, 'tracker-kit', bare),
        atLeast: aim,
      })),
      { what: 'getUser of Prism', value: share('getUser', 'tracker-kit', 'Prism'), atLeast: 20 },
    ],
  }
}
