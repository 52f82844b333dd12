/** What the answers of a run show, for the rules that hold for all of them: statuses, and one answer of each shape. */

import type { Answer } from '../client/call.js'
import type { OperationId } from '../contract/index.js'

/** So many shapes of one operation's answers are kept at most. */
const SHAPES = 200

export function createSeen() {
  const samples = new Map<OperationId, Map<string, Answer>>()
  const counts = new Map<OperationId, Map<number, number>>()
  const countsOf = (operation: OperationId): ReadonlyMap<number, number> => counts.get(operation) ?? new Map()
  return {
    note(answer: Answer): void {
      const { operation, status } = answer
      const ofOperation = counts.get(operation) ?? new Map<number, number>()
      counts.set(operation, ofOperation.set(status, (ofOperation.get(status) ?? 0) + 1))
      const shapes = samples.get(operation) ?? new Map<string, Answer>()
      if (shapes.size < SHAPES) samples.set(operation, shapes.set(shapeOf(answer), answer))
    },
    samples: (operation: OperationId): readonly Answer[] => [...(samples.get(operation)?.values() ?? [])],
    /** How often each status was answered. */
    statuses: countsOf,
    /** Operation, status, count. */
    table: (): Record<string, Record<string, number>> =>
      Object.fromEntries(
        [...counts.keys()].map((operation) => [operation, Object.fromEntries(countsOf(operation))]),
      ),
  }
}

/** Answers that no rule on answers can tell apart share a shape, so that a long run keeps few of them. */
function shapeOf({ status, headers, json }: Answer): string {
  const kinds =
    typeof json === 'object' && json !== null && !Array.isArray(json)
      ? ['message', 'code', 'localized'].map((name) => kindOf((json as Record<string, unknown>)[name]))
      : [kindOf(json), Array.isArray(json)]
  return JSON.stringify([status, headers['content-type'] ?? null, kinds])
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}
