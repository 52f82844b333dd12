/** Finds one value for each entry: from the input, the defaults, or a draw from the legal values. */
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { noSuch } from '../../conformance/contract/nearest.js'
import type { OperationId } from '../../conformance/contract/operations.js'
import { generator } from '../random.js'
import { type VaryGroup, varyGroups } from './define.js'
import type { DecisionId, DecisionInput, Decisions, Exclusion } from './ledger.js'
import { decisionIds, entry, exclusions } from './ledger.js'

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
  /** How sure a decision is, and the numbers of the exchanges that show it, by its id. */
  readonly evidence?: Readonly<Record<string, { readonly sure?: string; readonly exchanges?: Exchanges }>>
}

type Exchanges = readonly (number | string)[]

/**
 * What was learnt, by decision: its value, how sure that is, and the numbers of the exchanges that show it. `isDefault`: the
 * emulator does the same by itself.
 */
export type Learnt = ReadonlyMap<
  string,
  Readonly<{ value: unknown; sure: string; exchanges: Exchanges; isDefault: boolean }>
>

/** Null if `learn` did not write the input. `decisions`: those in force. */
export function learntIn(input: Input | undefined, decisions: Decisions): Learnt | null {
  const { evidence } = (input ?? {}) as Partial<DecisionFile>
  if (input === undefined || evidence === undefined) return null
  const given = valuesOf(input)
  const learnt = decisionIds.flatMap((id) => {
    const { sure = 'never-shown', exchanges = [] } = evidence[id] ?? {}
    if (sure === 'never-shown' && !(id in given)) return []
    return [[id, { value: decisions[id], sure, exchanges, isDefault: !(id in given) }] as const]
  })
  return new Map(learnt)
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

/** The decisions, of which each read is told; for a decision with members, each read of a member, or of `*` for all. */
export function noting(decisions: Decisions, note: (id: string, member?: string) => void): Decisions {
  return new Proxy(decisions, {
    get(target, id) {
      const value: unknown = Reflect.get(target, id)
      if (typeof id !== 'string') return value
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return notingMembers(value, (member) => note(id, member))
      note(id)
      return value
    },
  })
}

const notingMembers = (members: object, note: (member: string) => void) =>
  new Proxy(members, {
    get(target, member) {
      note(String(member))
      return Reflect.get(target, member)
    },
    ownKeys(target) {
      note('*')
      return Reflect.ownKeys(target)
    },
  })

function legalValue(id: string, value: unknown): unknown {
  if (id === 'decisions')
    throw new RangeError(
      'A file of decisions is {"wrong-method": "not-found"}; with "decisions" around them it needs "schema": "tracker-kit/decisions@1" too',
    )
  if (!decisionIds.some((known) => known === id)) throw new RangeError(noSuch('decision', id, decisionIds))
  const decision = entry(id as DecisionId)
  const given = () => JSON.stringify(value)
  if ('schema' in decision) {
    const result = decision.schema.safeParse(value)
    if (result.success) return result.data
    throw new RangeError(`The decision "${id}" cannot be ${given()}: ${result.error.issues[0]?.message}`)
  }
  const legal = [decision.default, ...decision.alternatives]
  if (typeof value === 'string' && legal.includes(value)) return value
  throw new RangeError(`The decision "${id}" is ${given()}; it must be one of ${legal.join(', ')}`)
}

function contradicts(values: Values, { when, not }: Exclusion): boolean {
  const holds = (side: object) =>
    Object.entries(side).every(([id, listed]) => id in values && (listed as unknown[]).includes(values[id]))
  return holds(when) && holds(not)
}

/** Groups that are drawn only on request: hardly any client works with their other values. */
const MILD: readonly VaryGroup[] = ['bodies', 'requests']

type Draw = Readonly<{ seed: number; ids: ReadonlySet<DecisionId> }>

/** The environment variable with which `tracker-kit vary` tells the trackers of a program what to draw. */
export const VARIABLE = 'TRACKER_KIT_VARY'

const LARGEST = 2 ** 32 - 1
const words = `a whole number from 0 to ${LARGEST}`
const seed = z.uint32({ error: `must be ${words}` })
const names = (z.array(z.string()) as unknown as z.ZodType<readonly (VaryGroup | DecisionId)[]>).optional()
const variationSchema = z.strictObject({
  seed: seed.optional(),
  only: names,
  keep: names,
  wild: z.boolean().optional(),
})

/**
 * Each `seed` always draws the same; without one, only the environment can cause a draw. `only` has the groups and ids
 * of the decisions to draw, by default all but `bodies` and `requests`; `keep` has those to leave at their defaults.
 * `wild` also draws `bodies` and `requests`: success answers without content, members that become required.
 */
export type Variation = Readonly<z.infer<typeof variationSchema>>

/**
 * What to draw; a number draws all groups. If `vary` is given, a draw in the environment replaces it, limited by the
 * tracker's own `only` and `keep`; otherwise the environment is ignored. Throws one line if either is invalid.
 */
export function drawOf(vary: number | Variation | undefined, environment: string | undefined): Draw | null {
  if (vary === undefined) return null
  const own = variationOf(vary, 'createTracker: vary')
  if (environment === undefined || environment === '') return drawn(own, idsOf(own))
  const asked = variationIn(environment, VARIABLE)
  const may = idsOf({ ...own, wild: true })
  return drawn(asked, new Set([...idsOf(asked)].filter((id) => may.has(id))))
}

const drawn = ({ seed }: Variation, ids: Draw['ids']) => (seed === undefined ? null : { seed, ids })

/** A variation from a text: a number, or a `Variation` as JSON. Throws one line that begins with `place`. */
export function variationIn(text: string, place: string): Variation {
  const variation = variationOf(parsed(text), place)
  idsOf(variation)
  return variation
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function variationOf(value: unknown, place: string): Variation {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return checked(variationSchema, value, place)
  if (seed.safeParse(value).success) return { seed: value as number, wild: true }
  throw new TypeError(`${place}: must be ${words}, or an object, not ${JSON.stringify(value)}`)
}

function idsOf({ only, keep = [], wild = false }: Variation): Set<DecisionId> {
  const wanted = only ?? varyGroups.filter((group) => wild || !MILD.includes(group))
  const kept = new Set(keep.flatMap(membersOf))
  return new Set(wanted.flatMap(membersOf).filter((id) => !kept.has(id)))
}

function membersOf(name: VaryGroup | DecisionId): readonly DecisionId[] {
  const ids = decisionIds.filter((id) => id === name || entry(id).group === name)
  if (ids.length === 0)
    throw new TypeError(`vary: ${noSuch('group or decision', name, [...varyGroups, ...decisionIds])}`)
  return ids
}
