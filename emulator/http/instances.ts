/** Many trackers behind one server, each under its own name, so that parallel tests do not affect each other. */
import type { Tracker } from '../types.js'

export type Instances = ReturnType<typeof createInstances>

export const INSTANCE_HEADER = 'x-tracker-instance'

const LIMIT = 100
const legal = /^[\w.-]{1,64}$/

/** Each instance starts in the present state of `origin`, to which a reset returns it. */
export function createInstances(origin: Tracker) {
  const start = origin.fork()
  // A Map keeps the order of insertion, so the tracker in use is inserted again at the end.
  const trackers = new Map<string, Tracker>()
  return {
    /** The tracker with that name, made on first use. If there are too many, the least recently used one is removed. */
    of(name: string): Tracker {
      const tracker = trackers.get(name) ?? start.fork()
      trackers.delete(name)
      trackers.set(name, tracker)
      const [oldest = name] = trackers.keys()
      if (trackers.size > LIMIT) trackers.delete(oldest)
      return tracker
    },
    /** The names, the least recently used first. */
    get names(): readonly string[] {
      return [...trackers.keys()]
    },
    limit: LIMIT,
    clear: () => trackers.clear(),
  }
}

/** The name in a request (null: the server's own tracker), and the path without it. Null if the name is invalid. */
export function addressOf(path: string, header: string | undefined) {
  const named = /^\/i\/([^/?]*)(.*)$/.exec(path)
  const name = named?.[1] ?? header ?? null
  if (name !== null && !legal.test(name)) return null
  return { name, path: named ? named[2] || '/' : path }
}
