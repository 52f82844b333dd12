/** The type of an operation: the steps that check a call and carry it out. */
import type { Answer } from './answers.js'
import type { AdmittedCall } from './call.js'
import { Refused } from './errors.js'

/** The steps in their order, each as `Refusal.step` explains it. A check refuses by throwing; only `run` writes. */
export interface Steps<Target, Input> {
  /** Whether the family checks values before rights. */
  readonly valuesFirst?: true
  gate?(c: AdmittedCall): void
  find?(c: AdmittedCall): Target
  guard?(c: AdmittedCall, target: Target): void
  accept?(c: AdmittedCall, target: Target): Input
  permit?(c: AdmittedCall, target: Target, input: Input): void
  run(c: AdmittedCall, target: Target, input: Input): Answer
}

export interface Operation {
  (c: AdmittedCall): Answer
  /** Only the checks: throws like the operation, and writes nothing. */
  check(c: AdmittedCall): void
}

export function define<Target = undefined, Input = undefined>(steps: Steps<Target, Input>): Operation {
  const run = (c: AdmittedCall) => {
    const { target, input } = inputOf(steps, c)
    return steps.run(c, target, input)
  }
  return Object.assign(run, { check: (c: AdmittedCall) => void inputOf(steps, c) })
}

function inputOf<Target, Input>(steps: Steps<Target, Input>, c: AdmittedCall) {
  /** The refusal for lack of rights, which is thrown later if values are checked first. */
  let refusal: unknown
  const rights = (name: string, check: () => void) => {
    c.step = name
    try {
      if (refusal === undefined) check()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      error.step = name
      // Reads the decision only if it matters: learning tries each value of a decision on every call that read it.
      const order = c.decisions['check-order']
      if (order === 'by-operation' ? !steps.valuesFirst : order === 'rights-first') throw error
      refusal = error
    }
  }
  rights('gate', () => steps.gate?.(c))
  c.step = 'find'
  const target = steps.find?.(c) as Target
  rights('guard', () => steps.guard?.(c, target))
  c.step = 'accept'
  const input = steps.accept?.(c, target) as Input
  if (refusal !== undefined) throw refusal
  c.step = 'permit'
  steps.permit?.(c, target, input)
  return { target, input }
}
