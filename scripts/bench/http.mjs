/** Requests per second and p99 over HTTP, compared with servers that answer the same paths. */
import { join } from 'node:path'
import { interleaved, median, medianOf, processorMsOf, ratio, started } from './measure.mjs'
import { launch, servers } from './servers.mjs'

const CONNECTIONS = 10
let number = 0
const field = () => JSON.stringify({ custom_field: { name: `Bench ${++number}`, type: 'string' } })

const requests = [
  { name: 'getUser', method: 'GET', path: '/users/nina', expected: 200, aim: 0.65 },
  { name: 'listCustomFields', method: 'GET', path: '/custom_fields', expected: 200 },
  {
    name: 'createCustomField',
    method: 'POST',
    path: '/custom_fields/create',
    body: field,
    expected: 200,
    aim: 0.3,
  },
  { name: '401', method: 'GET', path: '/users/nina', anonymous: true, expected: 401 },
  {
    name: '400',
    method: 'POST',
    path: '/custom_fields/create',
    body: () => '{"custom_field":{"name":"Bench"}}',
    expected: 400,
  },
]

export const name = 'http'

export async function run({ dist, peers, scratch, quick }) {
  const autocannon = await peers.require('autocannon')
  const all = await servers({ dist, peers, scratch: join(scratch, 'http') })
  const running = []
  for (const server of all) {
    const command = await launch(server)
    running.push({ ...server, ...command, ...(await started(command)) })
  }
  try {
    const results = {}
    for (const request of requests) {
      for (const server of running) await warm(autocannon, server, request, quick ? 2 : 4)
      results[request.name] = await interleaved(quick ? 3 : 5, running, (server) =>
        load(autocannon, server, request, quick ? 0.2 : 1),
      )
    }
    return tables(running, results)
  } finally {
    for (const { stop } of running) await stop()
  }
}

/** Warms the server up: for the first thousands of requests, compiling the code costs more than the requests. */
async function warm(autocannon, server, request, seconds) {
  for (let round = 0, requests = 0; round < seconds && requests < 10_000; round++)
    requests += (await load(autocannon, server, request, 1)).requests
}

/** Loads one server for some seconds: requests, requests per second, p99 in ms, and the status of the answers. */
async function load(autocannon, server, request, seconds) {
  // Without a reset, the records of earlier writes would make the lists longer in each round.
  if (server.name === 'tracker-kit') await fetch(`${server.origin}/__tracker/reset`, { method: 'POST' })
  const { body } = request
  const before = await processorMsOf(server.pid)
  const result = await autocannon({
    url: server.origin,
    connections: CONNECTIONS,
    duration: seconds,
    sampleInt: 100,
    requests: [
      {
        method: request.method,
        path: server.root + (server.paths?.[request.path] ?? request.path),
        headers: {
          ...(request.anonymous ? {} : { authorization: server.authorization }),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { setupRequest: (sent) => ({ ...sent, body: body() }) } : {}),
      },
    ],
  })
  const processorUs = (((await processorMsOf(server.pid)) - before) * 1000) / result.requests.total
  const status = Object.entries(result.statusCodeStats).toSorted((a, b) => b[1].count - a[1].count)[0]?.[0]
  if (server.name === 'tracker-kit' && Number(status) !== request.expected)
    throw new Error(`${request.name}: the tracker answers ${status}, not ${request.expected}`)
  return {
    requests: result.requests.total,
    perSecond: result.requests.total / result.duration,
    p99: result.latency.p99,
    status: Number(status),
    processorUs,
  }
}

function tables(running, results) {
  const bare = 'node:http, constant JSON'
  const perSecond = ({ perSecond }) => perSecond
  const figures = running.map(({ name }) => ({
    name,
    requests: Object.fromEntries(
      Object.entries(results).map(([request, by]) => [
        request,
        {
          perSecond: Math.round(medianOf(by.get(name), perSecond)),
          p99: medianOf(by.get(name), ({ p99 }) => p99),
          processorUs: medianOf(by.get(name), ({ processorUs }) => processorUs),
          ofBare: ratio(by.get(name), by.get(bare), perSecond),
          status: median(by.get(name).map(({ status }) => status)),
        },
      ]),
    ),
  }))
  const of = (request, other) =>
    ratio(results[request].get('tracker-kit'), results[request].get(other), perSecond)
  const aims = [
    ...requests
      .filter(({ aim }) => aim)
      .map(({ name, aim }) => ({ what: `${name} of the bare server`, value: of(name, bare), atLeast: aim })),
    { what: 'getUser of Prism', value: of('getUser', 'Prism'), atLeast: 20 },
    { what: 'getUser of Mockoon', value: of('getUser', 'Mockoon'), atLeast: 20 },
  ]
  return {
    title: 'Over HTTP: requests of a bare node:http server (p99 in ms)',
    columns: ['server', ...requests.map(({ name }) => name)],
    rows: figures.map(({ name, requests: each }) => [
      name,
      // An object would put members with numeric names first.
      ...requests
        .map((request) => each[request.name])
        .map(({ ofBare, p99 }) => `${ofBare.toFixed(ofBare < 0.1 ? 3 : 2)} (${p99})`),
    ]),
    notes: [
      `Processor time of a getUser: ${figures
        .map(({ name, requests: { getUser } }) => `${name} ${getUser.processorUs.toFixed(0)} us`)
        .join(', ')}.`,
      `The bare server: ${Object.entries(figures.find((one) => one.name === bare).requests)
        .map(([request, { perSecond }]) => `${request} ${perSecond}/s`)
        .join(
          ', ',
        )}. ${CONNECTIONS} connections. The peers check no token, so their 401 is a 200 but for Prism's.`,
    ],
    aims,
    figures,
  }
}
