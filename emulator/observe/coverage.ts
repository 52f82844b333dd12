/** Which parts of the interface the client's tests have used, and which answers they never saw. */
import { errorStatuses } from '../../conformance/contract/errors.js'
import { type OperationId, operationIds } from '../../conformance/contract/operations.js'
import { levels } from '../state/levels.js'

const statuses = [200, ...Object.keys(errorStatuses).map(Number)]
const roles = ['anonymous', ...Object.keys(levels)]

/** Contains every documented operation, status and role; those that never occurred have the number 0. */
export interface Coverage {
  readonly operations: readonly {
    readonly id: OperationId
    readonly calls: number
    /** How often each documented status was answered, including answers of injected faults. */
    readonly statuses: Readonly<Record<string, number>>
  }[]
  /** Calls by the level of their caller; `anonymous` had no valid credentials. */
  readonly roles: readonly { readonly name: string; readonly calls: number }[]
}

export function createCoverage() {
  const counts = new Map<string, number>()
  const callsOf = (what: string) => counts.get(what) ?? 0
  return {
    count(operation: OperationId, status: number, level: number | null): void {
      // A level between two roles has the rights of the lower one.
      const role = Object.entries(levels).findLast(([, least]) => level !== null && level >= least)?.[0]
      for (const what of [operation, `${operation} ${status}`, role ?? 'anonymous'])
        counts.set(what, callsOf(what) + 1)
    },
    get coverage(): Coverage {
      const statusesOf = (id: OperationId) =>
        Object.fromEntries(statuses.map((status) => [status, callsOf(`${id} ${status}`)]))
      return {
        operations: operationIds.map((id) => ({ id, calls: callsOf(id), statuses: statusesOf(id) })),
        roles: roles.map((name) => ({ name, calls: callsOf(name) })),
      }
    },
  }
}
