/** Which checks a run makes, and in what order. */

import { type OperationId, operationIds } from '../contract/index.js'
import { nearest } from '../contract/nearest.js'
import { UsageError } from '../contract/trouble.js'
import { requirements } from '../requirements/index.js'
import { shardOf } from './shard.js'
import type { Requirement, RunOptions } from './types.js'

/** Generated cases of each property; in a night one may have more. */
export const DEFAULT_RUNS = 50

export interface Step {
  readonly requirement: Requirement
  /** Of a requirement that is checked once for all its operations: the first of them. */
  readonly operation: OperationId
  /** Run for the answers that it sees alone: nobody asked for its verdict. */
  readonly silent: boolean
}

export interface Plan {
  readonly main: readonly Step[]
  /** After the clean-up: these may change who the administrator's token speaks for. */
  readonly last: readonly Step[]
  /** Judged from all that was seen. */
  readonly end: readonly Step[]
}

/** The operations that one check is about. */
export const aboutOf = ({ requirement, operation }: Omit<Step, 'silent'>): readonly OperationId[] =>
  requirement.each ? [operation] : requirement.operations

type Selection = Pick<RunOptions, 'only' | 'shard'>

export function planOf(selection: Selection): Plan {
  const inPhase = (phase: Requirement['phase']) =>
    requirements.filter((one) => one.phase === phase).flatMap((one) => stepsOf(one, selection))
  const end = inPhase('end')
  // What holds for every answer cannot be judged without any, so naming such a rule alone runs all the rest unseen.
  const rulesOnly = selection.only.some((id) => end.some(({ requirement }) => requirement.id === id))
  const main = inPhase(undefined)
  const asked = new Set(main.map(keyOf))
  const all = rulesOnly ? stepsOfAll() : []
  const unseen = all.filter((step) => !asked.has(keyOf(step))).map((step) => ({ ...step, silent: true }))
  return { main: [...main, ...unseen], last: inPhase('last'), end }
}

const keyOf = ({ requirement, operation }: Step) => `${requirement.id} ${operation}`

const stepsOfAll = () =>
  requirements
    .filter(({ phase }) => phase === undefined)
    .flatMap((requirement) => stepsOf(requirement, { only: [], shard: null }))

function stepsOf(requirement: Requirement, { only, shard }: Selection): Step[] {
  const { id, operations, phase } = requirement
  // Each shard judges the answers that it alone has seen.
  if (shard !== null && phase !== 'end' && shardOf(id, shard.count) !== shard.index) return []
  const named = only.length === 0 || only.includes(id)
  const wanted = named ? operations : operations.filter((operation) => only.includes(operation))
  // A requirement that is checked once for all its operations is checked whole, whichever of them was asked for.
  const checked = requirement.each || wanted.length === 0 ? wanted : operations.slice(0, 1)
  return checked.map((operation) => ({ requirement, operation, silent: false }))
}

/** Throws a `UsageError`, begun by `source`, on an id that names neither a requirement nor an operation. */
export function checkIds(ids: readonly string[], source: string): void {
  const known = [...requirements.map(({ id }) => id), ...operationIds]
  for (const id of ids) {
    if (known.includes(id)) continue
    const near = nearest(id, known)
    const hint = near ? `did you mean ${near}?` : 'see tracker-kit contract requirements'
    throw new UsageError(`${source}: no requirement or operation is called "${id}"; ${hint}`)
  }
}
