/** What a statement of the document is, and what a stage is: a statement that one request may violate. */
import type { OperationId } from '../contract/index.js'
import type { Held, Level } from './held.js'
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

const row =
  (level: Level) =>
  (id: string, section: string, operations: readonly OperationId[], ...statuses: readonly number[]) => ({
    ...{ id, section, level, operations, statuses },
  })
export const must = row('must')
export const should = row('should')
