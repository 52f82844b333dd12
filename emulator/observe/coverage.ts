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
  const counts = new Map(operationIds.map((id) => [id, new Map<number, number>()]))
  const callsOf = new Map(roles.map((name) => [name, 0]))
  return {
    count(operation: OperationId, status: number, level: number | null): void {
      const answers = counts.get(operation)
      answers?.set(status, (answers.get(status) ?? 0) + 1)
      const role = roleOf(level)
      callsOf.set(role, (callsOf.get(role) ?? 0) + 1)
    },
    get coverage(): Coverage {
      return {
        operations: [...counts].map(([id, answers]) => ({
          id,
          calls: [...answers.values()].reduce((sum, calls) => sum + calls, 0),
          statuses: Object.fromEntries(statuses.map((status) => [status, answers.get(status) ?? 0])),
        })),
        roles: [...callsOf].map(([name, calls]) => ({ name, calls })),
      }
    },
  }
}

/** A level between two roles has the rights of the lower one. */
const roleOf = (level: number | null): string =>
  Object.entries(levels).findLast(([, least]) => level !== null && level >= least)?.[0] ?? 'anonymous'

/** The sum of several coverages, for example of all tests of a run. */
export function mergeCoverage(parts: readonly Coverage[]): Coverage {
  const sum = (of: (part: Coverage) => number | undefined) =>
    parts.reduce((total, part) => total + (of(part) ?? 0), 0)
  const operationOf = (part: Coverage, id: OperationId) => part.operations.find((each) => each.id === id)
  return {
    operations: operationIds.map((id) => ({
      id,
      calls: sum((part) => operationOf(part, id)?.calls),
      statuses: Object.fromEntries(
        statuses.map((status) => [status, sum((part) => operationOf(part, id)?.statuses[status])]),
      ),
    })),
    roles: roles.map((name) => ({
      name,
      calls: sum((part) => part.roles.find((role) => role.name === name)?.calls),
    })),
  }
}

/** A few lines for people. Errors are listed only for operations that were called. */
export function coverageText({ operations, roles }: Coverage): string {
  const errors = Object.keys(errorStatuses)
  const called = operations.filter(({ calls }) => calls > 0)
  const unseen = called.map(({ id, statuses }) => [id, errors.filter((status) => !statuses[status])] as const)
  const seen = unseen.reduce((sum, [, missing]) => sum + errors.length - missing.length, 0)
  const neverCalled = operations.filter(({ calls }) => calls === 0).map(({ id }) => id)
  const neverUsed = roles.filter(({ calls }) => calls === 0).map(({ name }) => name)
  const line = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`  ${title}: ${names.join(', ')}`]
  return [
    `Tracker: ${called.length} of ${operations.length} operations called, ` +
      `${seen} of ${operations.length * errors.length} documented errors seen, ` +
      `${roles.length - neverUsed.length} of ${roles.length} roles used`,
    ...line('never called', neverCalled),
    ...line(
      'errors never seen',
      unseen.flatMap(([id, missing]) => (missing.length === 0 ? [] : [`${id} ${missing.join(' ')}`])),
    ),
    ...line('roles never used', neverUsed),
  ].join('\n')
}
