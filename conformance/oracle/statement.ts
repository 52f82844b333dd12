/** What a statement of the document is: a stage, which one request may violate, or a relation of several exchanges. */
import type { OperationId } from '../contract/index.js'
import type { Sighting } from './finding.js'
import type { Held, Level } from './held.js'
import type { Place } from './places.js'
import type { Request } from './request.js'
import type { World } from './world.js'

/** A statement of the document. */
export interface Statement {
  readonly id: string
  readonly section: string
  readonly level: Level
  readonly statement: string
  /** Those at which it can be judged. */
  readonly operations: readonly OperationId[]
}

/** Why a stage is violated: the exchange, and the operation to blame where it is not the request's. */
export interface Cause {
  readonly n?: number | undefined
  readonly op?: OperationId | undefined
}

export interface Stage extends Statement {
  /** Allowed while it is violated or open. */
  readonly statuses: readonly number[]
  holds(request: Request, world: World): Held
  /** The document never demands anything here. */
  readonly isSilent?: true
  /** A tracker may check it before the authentication. */
  readonly isEarly?: true
  /** A tracker checks it only after the permission. */
  readonly isLate?: true
  levelOf?(request: Request, world: World): Level
  because?(request: Request, world: World): Cause | undefined
  /** What in the request violates it, in words. */
  detail?(request: Request, world: World): string
}

/**
 * Rules over several exchanges. To add one, add a row to a table: `each` sees an exchange and the world after it,
 * `end` looks back at the whole trace; both yield what they see, right or not.
 */
export interface Watch {
  each?(request: Request, world: World): Iterable<Sighting> | undefined
  end?(world: World, places: readonly Place[]): Iterable<Sighting>
}

export interface Relation extends Statement, Watch {
  /** Begins to watch one trace, where a rule remembers what it saw. */
  watch?(): Watch
}

const row =
  (level: Level) =>
  (id: string, section: string, operations: readonly OperationId[], ...statuses: readonly number[]) => ({
    ...{ id, section, level, operations, statuses },
  })
export const must = row('must')
export const should = row('should')

/**
 * An administrator was served, nothing else was under way, and no impersonation has changed whose token it is. An unknown
 * caller who is served an administrative operation is an administrator.
 */
export function isPlain({ role, gate, status, isConcurrent, caller }: Request, world: World): boolean {
  const isAdministrators = role === 'administrator' || (role === 'unknown' && gate === 'gated')
  return isAdministrators && status === 200 && !isConcurrent && !world.unsettled.has(caller)
}
