/** A probe for each decision that has alternatives: what is only ever learnt has none. */
import { accounts } from './accounts.js'
import { customFields } from './custom-fields.js'
import { management } from './management.js'
import { own } from './own.js'
import { type Probe, requestLine } from './probe.js'
import { reading } from './reading.js'
import { security } from './security.js'
import { transport } from './transport.js'

export type { Probe, Shown, Step } from './probe.js'

export const decisionProbes = {
  ...transport,
  ...reading,
  ...accounts,
  ...security,
  ...own,
  ...customFields,
  ...management,
}

/** The requests whose answers tell the values of a decision apart, each in one short line. */
export const requestLines = (id: string): string[] =>
  Object.hasOwn(decisionProbes, id)
    ? ((decisionProbes as Readonly<Record<string, Probe>>)[id]?.steps.flatMap(requestLine) ?? [])
    : []
