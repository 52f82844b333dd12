/** What a ledger entry is. A choice has named alternatives; an open entry takes any value of a schema. */
import { z } from 'zod'
import { type OperationId, operations } from '../../conformance/contract/operations.js'

interface Entry {
  readonly operations: readonly OperationId[]
  /** Where the interface document is silent. */
  readonly section: string
  readonly why: string
}

export interface Choice<V extends string = string> extends Entry {
  readonly default: V
  readonly alternatives: readonly V[]
}

export interface Open<V = unknown> extends Entry {
  readonly default: V
  readonly schema: z.ZodType<V>
  /** Samples, from which `vary` draws. */
  readonly alternatives: readonly V[]
}

export type Decision = Choice | Open

export function choice<const D extends string, const A extends string>(
  on: readonly OperationId[],
  section: string,
  fallback: D,
  alternatives: readonly A[],
  why: string,
): Choice<D | A> {
  return { operations: on, section, default: fallback, alternatives, why }
}

export function open<V>(
  on: readonly OperationId[],
  section: string,
  schema: z.ZodType<V>,
  fallback: V,
  alternatives: readonly V[],
  why: string,
): Open<V> {
  return { operations: on, section, default: fallback, schema, alternatives, why }
}

/** Levels that a gate may ask for: never more than an administrator has. */
export const threshold = z.literal([10, 25, 40, 55, 70, 90])

export const gate = (on: readonly OperationId[], why: string) =>
  open<number>(on, '5', threshold, 90, [70], why)

/** Operations by the document's own numbers. */
export function ops(...numbers: readonly number[]): readonly OperationId[] {
  return operations.filter(({ number }) => numbers.includes(number)).map(({ id }) => id)
}

export const all = operations.map(({ id }) => id)
export const withBody = operations.filter(({ body }) => body).map(({ id }) => id)
export const withoutBody = operations.filter(({ body }) => !body).map(({ id }) => id)
