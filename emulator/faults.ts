/** Answers that a test puts in the tracker's place. */

import { nearest } from '../conformance/contract/nearest.js'
import { type OperationId, operationIds } from '../conformance/contract/operations.js'
import type { Fault, Faults } from './types.js'

export interface FaultBox extends Faults {
  /** The fault that answers this call, counted as hit. */
  take(operation: OperationId): Fault | null
}

export function createFaults(): FaultBox {
  let injected: { fault: Fault; hits: number }[] = []
  return {
    inject(fault) {
      if (!operationIds.includes(fault.operation)) {
        const near = nearest(fault.operation, operationIds)
        throw new RangeError(
          `No operation is called "${fault.operation}"${near ? `; did you mean "${near}"?` : ''}`,
        )
      }
      if (!Number.isInteger(fault.status) || fault.status < 200 || fault.status > 599)
        throw new RangeError(`A fault needs a status from 200 to 599, not ${fault.status}`)
      if (fault.times !== undefined && !(Number.isInteger(fault.times) && fault.times > 0))
        throw new RangeError(`A fault answers a whole number of times, not ${fault.times}`)
      injected.push({ fault: { ...fault }, hits: 0 })
    },
    clear() {
      injected = []
    },
    get active() {
      return injected.map(({ fault, hits }) => ({ ...fault, hits }))
    },
    take(operation) {
      const found = injected.find(({ fault }) => fault.operation === operation)
      if (!found) return null
      found.hits += 1
      if (found.hits === found.fault.times) injected = injected.filter((other) => other !== found)
      return found.fault
    },
  }
}
