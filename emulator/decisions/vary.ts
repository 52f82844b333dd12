/** Which decisions are drawn from their legal values, and with which seed. */
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { noSuch } from '../../conformance/contract/nearest.js'
import { type VaryGroup, varyGroups } from './define.js'
import { type DecisionId, decisionIds, entry } from './ledger.js'

/** Groups that are drawn only on request: hardly any client works with their other values. */
const MILD: readonly VaryGroup[] = ['bodies', 'requests']

export interface Draw {
  readonly seed: number
  readonly ids: ReadonlySet<DecisionId>
}

/** The environment variable with which `tracker-kit vary` tells the trackers of a program what to draw. */
export const VARIABLE = 'TRACKER_KIT_VARY'

const LARGEST = 2 ** 32 - 1
const words = `a whole number from 0 to ${LARGEST}`
const seed = z
  .int({ error: `must be ${words}` })
  .min(0)
  .max(LARGEST)
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
