// Serves so many trackers that each behave in another way, and tells their profiles, one JSON line each. The last of
// them are not well: the first `faulty` of those give a server error, the others do not answer.
import { createTracker } from '../../dist/emulator/index.js'

const [count, faulty, dead] = process.argv.slice(2).map(Number)
for (let number = 1; number <= count; number++) {
  const tracker = await createTracker({ vary: number })
  const server = await tracker.listen()
  if (number > count - faulty - dead) tracker.faults.inject({ operation: 'listPlugins', status: 500 })
  if (number > count - dead) await server.close()
  process.stdout.write(`${JSON.stringify(tracker.profileFor(server.url))}\n`)
}
process.stdout.write('\n')
