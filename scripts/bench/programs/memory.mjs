/** Heap of a served tracker and the suite's client after many requests. `memory.mjs DIST REQUESTS`, with --expose-gc */
import { join } from 'node:path'

const [dist, text] = process.argv.slice(2)
const requests = Number(text)
const { createTracker } = await import(join(dist, 'emulator/index.js'))
// No entry has it, so it is that of `npm run bench` itself.
const { createClient } = await import('../../../.self-test/conformance/client/client.js')

const tracker = await createTracker()
const server = await tracker.listen()
const options = { safety: 'destructive', timeout: 10_000, rate: 0 }
const client = createClient(tracker.profileFor(server.url), options)

// They leave no more records than there were: reads, refusals, an update back and forth.
const calls = [
  () => ({ operation: 'getUser', path: { user_id: 'nina' } }),
  () => ({ operation: 'listCustomFields' }),
  () => ({ operation: 'getUser', path: { user_id: 'nobody' } }),
  (n) => ({
    operation: 'updateUserSettings',
    body: { configs: [{ option: 'refresh_delay', value: `${20 + (n % 7)}` }] },
  }),
  () => ({ operation: 'createCustomField', rawBody: '{"custom_field"' }),
]
const heapMb = () => {
  gc()
  gc()
  return process.memoryUsage().heapUsed / 2 ** 20
}
let firstMb = 0
for (let n = 1; n <= requests; n++) {
  await client.send(calls[n % calls.length](n))
  if (n === requests / 5) firstMb = heapMb()
}
console.log(JSON.stringify({ requests, firstMb, lastMb: heapMb() }))
client.close()
await server.close()
