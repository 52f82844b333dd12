/** The types of ledger entries. The first value that the contract describes is the default of a choice. */
import { z } from 'zod'
import type { DecisionWords } from '../../conformance/contract/decisions/index.js'
import { type OperationId, operations } from '../../conformance/contract/operations.js'

/** The groups of decisions, by what a client notices. `rules`: which values are valid, and what an operation does. */
export const varyGroups = [
  'statuses',
  'errors',
  'bodies',
  'extras',
  'lists',
  'requests',
  'rights',
  'transport',
  'rules',
] as const

export type VaryGroup = (typeof varyGroups)[number]

export interface Entry {
  readonly operations: readonly OperationId[]
  /** The section in which the interface document is silent. */
  readonly section: string
  readonly group: VaryGroup
}

export interface Choice<V = string> extends Entry {
  readonly default: V
  readonly alternatives: readonly V[]
}

export interface Open<V = unknown> extends Choice<V> {
  readonly schema: z.ZodType<V>
}

export type Decision = (Choice | Open) & DecisionWords

export function choice(on: readonly OperationId[], section: string, group: VaryGroup = 'rules'): Entry {
  return { operations: on, section, group }
}

export function open<V>(
  on: readonly OperationId[],
  section: string,
  schema: z.ZodType<V>,
  fallback: V,
  alternatives: readonly V[],
  group: VaryGroup = 'rules',
): Open<V> {
  return { operations: on, section, default: fallback, schema, alternatives, group }
}

/** The levels that a gate may require: never more than an administrator has. */
export const threshold = z.literal([10, 25, 40, 55, 70, 90])

export const gate = (on: readonly OperationId[]) => open<number>(on, '5', threshold, 90, [70], 'rights')

/** The operations with these numbers in the document. */
export const ops = (...numbers: readonly number[]): readonly OperationId[] =>
  operations.filter(({ number }) => numbers.includes(number)).map(({ id }) => id)

export const all = operations.map(({ id }) => id)
export const withBody = operations.filter(({ body }) => body).map(({ id }) => id)
export const withoutBody = operations.filter(({ body }) => !body).map(({ id }) => id)
