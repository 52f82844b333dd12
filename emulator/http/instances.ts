/** Many trackers behind one server, each under a name of its own, so that parallel tests do not meet. */
import type { Tracker } from '../types.js'

export type Instances = ReturnType<typeof createInstances>

export const INSTANCE_HEADER = 'x-tracker-instance'

const LIMIT = 100
const legal = /^[\w.-]{1,64}$/

/** Each starts in the state that `origin` has now, and can be reset to it. */
export function createInstances(origin: Tracker) {
  const start = origin.fork()
  // A Map keeps the order of insertion, so what was used last is put in again at the end.
  const trackers = new Map<string, Tracker>()
  return {
    /** The tracker of that name, made on first use; where there are too many, the longest unused one makes room. */
    of(name: string): Tracker {
      const tracker = trackers.get(name) ?? start.fork()
      trackers.delete(name)
      trackers.set(name, tracker)
      if (trackers.size > LIMIT) {
        const [oldest] = trackers.keys()
        if (oldest !== undefined) trackers.delete(oldest)
      }
      return tracker
    },
    /** The longest unused first. */
    get names(): readonly string[] {
      return [...trackers.keys()]
    },
    limit: LIMIT,
    clear: () => trackers.clear(),
  }
}

/**
 * The tracker that a request is for, from `/i/NAME/…` or else the header `X-Tracker-Instance`, and the path without the
 * name. The name is null for the server's own tracker; all is null for what is no name.
 */
export function addressOf(path: string, header: string | undefined) {
  const named = /^\/i\/([^/?]*)(.*)$/.exec(path)
  const name = named?.[1] ?? header ?? null
  if (name !== null && !legal.test(name)) return null
  return { name, path: named ? named[2] || '/' : path }
}
