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
  each?(request: Request): Iterable<Sighting> | undefined
  end?(places: readonly Place[]): Iterable<Sighting>
}

export interface Relation extends Statement {
  /** Begins to watch one trace; what it remembers is its own. */
  watch(world: World): Watch
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
