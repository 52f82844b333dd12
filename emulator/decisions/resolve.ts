/** Finds one value for each entry, from the input and the defaults. */
import { noSuch } from '../../conformance/contract/nearest.js'
import type { OperationId } from '../../conformance/contract/operations.js'
import { generator } from '../random.js'
import type { DecisionId, DecisionInput, Decisions, Exclusion } from './ledger.js'
import { decisionIds, entry, exclusions } from './ledger.js'
import type { Draw } from './vary.js'

type Values = Record<string, unknown>

type Input = DecisionInput | DecisionFile

/** Checks the input and fills in the rest: defaults, or draws. A seed always draws the same value for a decision. */
export function resolveDecisions(input: Input = {}, draw: Draw | null = null): Decisions {
  const values: Values = {}
  const mistakes: string[] = []
  for (const [id, value] of Object.entries(valuesOf(input))) {
    if (value === undefined) continue
    try {
      values[id] = legalValue(id, value)
    } catch (error) {
      mistakes.push((error as RangeError).message)
    }
  }
  if (mistakes.length > 0) throw new RangeError(mistakes.join('; '))
  for (const exclusion of exclusions) {
    if (contradicts(values, exclusion)) {
      const pair = [...Object.keys(exclusion.when), ...Object.keys(exclusion.not)]
      throw new RangeError(`The decisions ${pair.join(' and ')} contradict each other: ${exclusion.why}`)
    }
  }
  const random = draw && generator(draw.seed)
  for (const id of decisionIds) {
    const { default: fallback, alternatives } = entry(id)
    const legal: readonly unknown[] = [fallback, ...alternatives]
    const sample = random ? legal[Math.floor(random() * legal.length)] : fallback
    const drawn = draw?.ids.has(id) ? sample : fallback
    if (id in values) continue
    // A value that contradicts an earlier one is replaced by the first legal value that fits, beginning with the default.
    const bound = exclusions.filter(({ when, not }) => id in when || id in not)
    values[id] = [drawn, ...legal].find((candidate) => {
      values[id] = candidate
      return !bound.some((exclusion) => contradicts(values, exclusion))
    })
  }
  return values as unknown as Decisions
}

/** The file that `tracker-kit learn` writes: decisions and the evidence for them. */
export interface DecisionFile {
  readonly schema: 'tracker-kit/decisions@1'
  readonly decisions: DecisionInput
  /** The operations that the tracker does not have. */
  readonly notImplemented?: readonly OperationId[]
  /** The numbers of the exchanges that show a decision, by its id. */
  readonly evidence?: Readonly<Record<string, { readonly exchanges?: readonly (number | string)[] }>>
}

/** What was learnt, by decision: its value, and the numbers of the exchanges that show it. */
export type Learnt = ReadonlyMap<
  string,
  { readonly value: unknown; readonly exchanges: readonly (number | string)[] }
>

/** Null if `learn` did not write the input. `decisions`: those in force. */
export function learntIn(input: Input | undefined, decisions: Decisions): Learnt | null {
  const { evidence } = (input ?? {}) as Partial<DecisionFile>
  if (input === undefined || evidence === undefined) return null
  const given = Object.keys(valuesOf(input)) as DecisionId[]
  return new Map(given.map((id) => [id, { value: decisions[id], exchanges: evidence[id]?.exchanges ?? [] }]))
}

/** The values of a file, without a `$schema` for editors. Throws one line if it is no file of decisions. */
export function valuesOf(input: Input): DecisionInput {
  if (!('schema' in input)) {
    const { $schema: _, ...values } = input as DecisionInput & { readonly $schema?: string }
    return values
  }
  const { schema, decisions } = input as DecisionFile
  if (schema === 'tracker-kit/decisions@1' && typeof decisions === 'object' && decisions !== null)
    return decisions
  throw new RangeError(`Not a file of decisions: its schema is ${JSON.stringify(schema)}`)
}

/** The decisions with another value of one. Inherits them, since a copy of nearly two hundred would take longer. */
export const decidedAs = (decisions: Decisions, id: DecisionId, value: unknown): Decisions =>
  Object.create(decisions, { [id]: { value } })

/** The decisions, of which each read is told. */
export const noting = (decisions: Decisions, note: (id: string) => void): Decisions =>
  new Proxy(decisions, {
    get(target, id) {
      if (typeof id === 'string') note(id)
      return Reflect.get(target, id)
    },
  })

function legalValue(id: string, value: unknown): unknown {
  if (id === 'decisions')
    throw new RangeError(
      'A file of decisions is {"wrong-method": "not-found"}; with "decisions" around them it needs "schema": "tracker-kit/decisions@1" too',
    )
  if (!decisionIds.some((known) => known === id)) throw new RangeError(noSuch('decision', id, decisionIds))
  const decision = entry(id as DecisionId)
  if ('schema' in decision) {
    const result = decision.schema.safeParse(value)
    if (result.success) return result.data
    throw new RangeError(
      `The decision "${id}" cannot be ${JSON.stringify(value)}: ${result.error.issues[0]?.message}`,
    )
  }
  const legal = [decision.default, ...decision.alternatives]
  if (typeof value === 'string' && legal.includes(value)) return value
  throw new RangeError(
    `The decision "${id}" is ${JSON.stringify(value)}; it must be one of ${legal.join(', ')}`,
  )
}

function contradicts(values: Values, { when, not }: Exclusion): boolean {
  const holds = (side: object) =>
    Object.entries(side).every(([id, listed]) => id in values && (listed as unknown[]).includes(values[id]))
  return holds(when) && holds(not)
}
