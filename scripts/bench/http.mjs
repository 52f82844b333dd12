/** Requests per second over HTTP, as a share of those of a server that gives one answer to every request. */
import { interleaved, medianOf, processorMsOf, ROOT, ratio, started } from './measure.mjs'
import { BARE, installPeers, kitAndBare } from './servers.mjs'

const CONNECTIONS = 10
let number = 0
const field = () => JSON.stringify({ custom_field: { name: `Bench ${++number}`, type: 'string' } })

const requests = [
  { name: 'getUser', method: 'GET', path: '/users/nina', aim: 0.65 },
  { name: 'createCustomField', method: 'POST', path: '/custom_fields/create', body: field, aim: 0.3 },
]

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
    const columns = ['request', 'share', 'processor time', 'of the bare server', 'its requests a second']
    return {
      title: `Over HTTP, at ${CONNECTIONS} connections: requests of a bare server`,
      columns,
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
