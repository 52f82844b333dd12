/** `state.mjs DIST`, with --expose-gc */
import { join } from 'node:path'
import { processorMs } from './time.mjs'

const { createTracker } = await import(join(process.argv[2], 'emulator/index.js'))

let start = processorMs()
const tracker = await createTracker()
const first = processorMs() - start

async function each(count, work) {
  for (let n = 0; n < count / 5; n++) await work()
  start = processorMs()
  for (let n = 0; n < count; n++) await work()
  return (processorMs() - start) / count
}

const headers = {
  authorization: `Bearer ${tracker.tokens.administrator}`,
  'content-type': 'application/json',
}
const url = `${tracker.baseUrl}/plugins/Ext/users`
const figures = {
  first,
  further: await each(500, () => createTracker()),
  fork: await each(1000, () => tracker.fork()),
  reset: await each(1000, async () => {
    tracker.db.recipients.delete((query) => query.where({ id: 1 }))
    await tracker.reset()
  }),
  requestAndReset: await each(500, async () => {
    await tracker.fetch(new Request(url, { method: 'POST', headers, body: '{"username":"otto"}' }))
    await tracker.reset()
  }),
  snapshot: await each(500, () => tracker.snapshot()),
}
const saved = tracker.snapshot()
figures.restore = await each(200, () => tracker.restore(saved))

const used = () => {
  gc()
  gc()
  return process.memoryUsage().heapUsed
}
const kept = []
const before = used()
for (let n = 0; n < 300; n++) kept.push(await createTracker())
figures.trackerKb = (used() - before) / kept.length / 1024
console.log(JSON.stringify(figures))
