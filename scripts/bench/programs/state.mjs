/** Milliseconds of processor time for a new tracker and its state. `state.mjs DIST` */
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

const figures = {
  first,
  further: await each(500, () => createTracker()),
  fork: await each(1000, () => tracker.fork()),
  reset: await each(1000, async () => {
    tracker.db.recipients.delete((query) => query.where({ id: 1 }))
    await tracker.reset()
  }),
  snapshot: await each(500, () => tracker.snapshot()),
}
console.log(JSON.stringify(figures))
