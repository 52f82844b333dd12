/** A probe for each decision that has alternatives: what is only ever learnt has none. */
import { accounts } from './accounts.js'
import { customFields } from './custom-fields.js'
import { management } from './management.js'
import { own } from './own.js'
import { type Probe, type Probed, probed, requestLine, type Step } from './probe.js'
import { reading } from './reading.js'
import { security } from './security.js'
import { transport } from './transport.js'

export type { Probe, Probed, Shown, Step } from './probe.js'

export const decisionProbes = {
  ...transport,
  ...reading,
  ...accounts,
  ...security,
  ...own,
  ...customFields,
  ...management,
}

const stepsOf = (id: string): readonly Step[] =>
  (Object.hasOwn(decisionProbes, id) && (decisionProbes as Readonly<Record<string, Probe>>)[id]?.steps) || []

/** The requests whose answers tell the values of a decision apart, each in one short line. */
export const requestLines = (id: string): string[] => stepsOf(id).flatMap((step) => requestLine(step))

/** Those of an operation, under this segment of the extension. */
export const probedBy = (id: string, ext: string): Probed[] =>
  stepsOf(id).flatMap((step) => probed(step, ext))
