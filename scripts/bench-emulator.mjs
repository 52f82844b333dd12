#!/usr/bin/env node
/**
 * Figures of the emulator, over a build: what it costs a test run to have one. Run `npm run build` first, or name the
 * folder of another build: `node scripts/bench-emulator.mjs [dist]`. Prints a table, and JSON with `--json`.
 */
import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'

const args = process.argv.slice(2)
const dist = args.find((argument) => !argument.startsWith('--')) ?? 'dist'
const entry = new URL('emulator/index.js', pathToFileURL(`${dist}/`)).href

/** Runs a piece of a module in a process of its own, so that nothing is warm; it writes one line of JSON. */
function child(source, ...flags) {
  const out = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', source], {
    encoding: 'utf8',
  })
  return JSON.parse(out.trim().split('\n').at(-1))
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

function repeated(times, source) {
  const runs = Array.from({ length: times }, () => child(source))
  return Object.fromEntries(Object.keys(runs[0]).map((key) => [key, median(runs.map((run) => run[key]))]))
}

const cold = repeated(
  9,
  `let start = performance.now()
  const { createTracker } = await import('${entry}')
  const importMs = performance.now() - start
  start = performance.now()
  await createTracker()
  console.log(JSON.stringify({ importMs, firstMs: performance.now() - start }))`,
)

const warm = repeated(
  5,
  `import { createTracker } from '${entry}'
  const each = async (count, work) => {
    for (let n = 0; n < count / 5; n++) await work()
    const start = performance.now()
    for (let n = 0; n < count; n++) await work()
    return (performance.now() - start) / count
  }
  const tracker = await createTracker()
  const headers = { authorization: 'Bearer ' + tracker.tokens.administrator, 'content-type': 'application/json' }
  const url = tracker.baseUrl + '/plugins/Ext/users'
  const create = () => tracker.fetch(new Request(url, { method: 'POST', headers, body: '{"username":"otto"}' }))
  const createMs = await each(500, () => createTracker())
  const forkMs = await each(2000, () => tracker.fork())
  const resetMs = await each(2000, async () => {
    tracker.db.recipients.delete((query) => query.where({ id: 1 }))
    await tracker.reset()
  })
  const requestAndResetMs = await each(1000, async () => {
    await create()
    await tracker.reset()
  })
  const snapshotMs = await each(500, () => tracker.snapshot())
  const saved = tracker.snapshot()
  const restoreMs = await each(300, () => tracker.restore(saved))
  const getMs = await each(3000, () => tracker.fetch(new Request(url + '/nina', { headers })))
  console.log(JSON.stringify({ createMs, forkMs, resetMs, requestAndResetMs, snapshotMs, restoreMs, getMs }))`,
)

const memory = child(
  `import { createTracker } from '${entry}'
  const count = 500
  const kept = [await createTracker()]
  const used = () => { gc(); gc(); return process.memoryUsage().heapUsed }
  const before = used()
  for (let n = 0; n < count; n++) kept.push(await createTracker())
  const created = (used() - before) / count / 1024
  const between = used()
  for (let n = 0; n < count; n++) kept.push(kept[0].fork())
  console.log(JSON.stringify({ createdKb: created, forkedKb: (used() - between) / count / 1024, kept: kept.length }))`,
  '--expose-gc',
)

/** What importing the emulator loads, by the packages that the modules are from. */
const packages = child(
  `import { register } from 'node:module'
  import { MessageChannel } from 'node:worker_threads'
  const { port1, port2 } = new MessageChannel()
  const hooks = 'let port; export const initialize = (data) => { port = data.port };'
    + 'export const load = (url, context, next) => { port.postMessage(url); return next(url, context) }'
  register('data:text/javascript,' + encodeURIComponent(hooks), { data: { port: port2 }, transferList: [port2] })
  const urls = []
  port1.on('message', (url) => urls.push(url))
  port1.unref()
  await import('${entry}')
  await new Promise((resolve) => setTimeout(resolve, 100))
  const names = urls.map((url) => /.*node_modules\\/((@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? (url.startsWith('node:') ? url : ''))
  console.log(JSON.stringify([...new Set(names)].filter((name) => name !== '').sort()))`,
)
const heavy = ['vitest', 'supertest', 'fast-check', 'msw'].filter((name) => packages.includes(name))

const rows = [
  ['import tracker-kit', cold.importMs, 'ms'],
  ['first createTracker()', cold.firstMs, 'ms', 15],
  ['further createTracker()', warm.createMs, 'ms'],
  ['fork()', warm.forkMs, 'ms'],
  ['a write to the state and reset()', warm.resetMs, 'ms', 1],
  ['a request that creates a user and reset()', warm.requestAndResetMs, 'ms'],
  ['snapshot()', warm.snapshotMs, 'ms'],
  ['restore()', warm.restoreMs, 'ms'],
  ['getUser', warm.getMs, 'ms'],
  ['one more idle tracker', memory.createdKb, 'KB', 300],
  ['one more idle fork', memory.forkedKb, 'KB', 300],
]

if (args.includes('--json')) {
  console.log(
    JSON.stringify(
      {
        node: process.version,
        figures: Object.fromEntries(rows.map(([name, value, unit]) => [name, { value, unit }])),
        packages,
        heavy,
      },
      null,
      2,
    ),
  )
} else {
  console.log(`Node ${process.version}, medians\n`)
  for (const [name, value, unit, aim] of rows) {
    const verdict = aim === undefined ? '' : `  aim ${aim} ${unit}: ${value < aim ? 'met' : 'missed'}`
    console.log(`${name.padEnd(44)}${value.toFixed(3).padStart(10)} ${unit}${verdict}`)
  }
  console.log(`\nLoaded packages: ${packages.join(', ')}`)
  console.log(
    heavy.length === 0 ? 'None of vitest, supertest, fast-check, msw' : `Too heavy: ${heavy.join(', ')}`,
  )
}
