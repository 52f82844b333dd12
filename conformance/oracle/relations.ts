/**
 * Rules over several exchanges. To add one, add a row to a table: `each` sees an exchange and the world after it,
 * `end` looks back at the whole trace; both yield what they see, right or not.
 */
import type { Sighting } from './finding.js'
import type { Place } from './places.js'
import type { Request } from './request.js'
import type { Statement } from './statement.js'
import type { World } from './world.js'

export interface Watch {
  each?(request: Request, world: World): Iterable<Sighting> | undefined
  end?(world: World, places: readonly Place[]): Iterable<Sighting>
}

export interface Relation extends Statement, Watch {
  /** Begins to watch one trace, where a rule remembers what it saw. */
  watch?(): Watch
}

/**
 * An administrator was served, nothing else was under way, and no impersonation has changed whose token it is. An unknown
 * caller who is served an administrative operation is an administrator.
 */
export const isPlain = (
  { role, gate, status, isConcurrent, caller }: Request,
  { unsettled }: World,
): boolean =>
  (role === 'administrator' || (role === 'unknown' && gate === 'gated')) &&
  status === 200 &&
  !isConcurrent &&
  !unsettled.has(caller)
