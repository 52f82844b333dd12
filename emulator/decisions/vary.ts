/** Which decisions are drawn from their legal values, and by which number. */
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { noSuch } from '../../conformance/contract/nearest.js'
import { type DecisionId, decisionIds } from './ledger.js'

/**
 * Kinds of decisions, by what a client notices of them. What is in no list is in `rules`: which values are valid, and
 * what an operation does.
 */
const lists = {
  statuses: `wrong-method malformed-json disabled-caller-token user-id-zero-negative user-not-found-number
    id-existence-leak unknown-path-order check-order create-username-unique create-validation-order update-last-admin
    password-current-wrong password-current-missing password-protected impersonate-self impersonate-disabled
    reset-last-admin projadd-unknown-project projadd-bad-id projadd-missing-fields projadd-level-invalid
    settings-unknown-option settings-empty-configs settings-value-invalid ext-settings-not-array ext-settings-unknown
    ext-settings-readonly cf-sort-invalid cf-object-missing cf-type-invalid cf-projects-create cf-bad-id plugin-unknown
    plugin-update-not-installed plugin-update-forced plugin-uninstall-absent plugin-uninstall-protected
    recipient-unknown recipient-bad-id columns-project-unknown columns-project-hidden`,
  errors: 'error-body-members error-code-numbers error-code-when-unmapped error-localized-language',
  bodies: `success-envelope write-success-body page-content enum-in-response date-format select-default select-empty
    select-without-id user-field-names user-empty-fields user-extra-fields user-language-value get-user-sensitive
    account-page-content tokens-content own-timezone-default cf-record plugin-record columns-answer page-level-list
    answer-shapes`,
  extras: 'answer-member-order answer-extra-members',
  lists: 'cf-list-order cf-list-paging plugin-list-set',
  requests: `bearer-scheme-parsing missing-content-type body-where-none empty-object-body wrong-json-types null-member
    unknown-members select-location select-unknown select-normalisation create-username-required create-email-blank
    create-password-missing create-password-current access-level-form projadd-level-form projadd-integers
    settings-value-type ext-settings-element cf-sort-params cf-name-missing cf-type-form cf-type-missing
    columns-project-form plugin-update-partial`,
  rights: `low-level-caller impersonation-header get-user-permission get-user-disabled create-permission
    access-level-above-own update-self-rights update-others-rights update-protected-target
    update-unchanged-forbidden-field update-password-who impersonate-permission impersonate-higher
    impersonate-protected impersonate-chain-end reset-protected reset-self reset-disabled projadd-permission
    projadd-mixed-rights me-protected ext-settings-permission cf-permission plugin-permission recipient-permission
    page-permissions`,
  transport: 'error-content-type unauthenticated-header trailing-slash x-mantis-headers cache-and-etag',
} as const

const listed = new Map(
  Object.entries(lists).flatMap(([group, ids]) => ids.split(/\s+/).map((id) => [id, group as VaryGroup])),
)

export type VaryGroup = keyof typeof lists | 'rules'

export const varyGroups = [...Object.keys(lists), 'rules'] as readonly VaryGroup[]

/** Not drawn unless somebody asks for them: hardly any client can do without what these leave out. */
const MILD: readonly VaryGroup[] = ['bodies', 'requests']

export interface Variation {
  /** From 0 to 4294967295; one number always draws the same. Without it nothing is drawn, unless the environment says so. */
  readonly seed?: number
  /** Groups and ids of decisions to draw; default all but `bodies` and `requests`. */
  readonly only?: readonly (VaryGroup | DecisionId)[]
  /** Groups and ids to leave at their defaults. */
  readonly keep?: readonly (VaryGroup | DecisionId)[]
  /** Draws `bodies` and `requests` too: success answers without content, members that become required. */
  readonly wild?: boolean
}

/** What is drawn: each of the ids gets the value that the seed has for it. */
export interface Draw {
  readonly seed: number
  readonly ids: ReadonlySet<DecisionId>
}

/** The variable by which `tracker-kit vary` tells the trackers of a program what to draw. */
export const VARIABLE = 'TRACKER_KIT_VARY'

const LARGEST = 2 ** 32 - 1
const words = `a whole number from 0 to ${LARGEST}`
const seed = z
  .int({ error: `must be ${words}` })
  .min(0)
  .max(LARGEST)
const names = z.array(z.string()).optional()
const variationSchema = z.strictObject({
  seed: seed.optional(),
  only: names,
  keep: names,
  wild: z.boolean().optional(),
})

/**
 * A number alone is wild. Given `vary`, a draw in the environment comes first, within the tracker's own `only` and `keep`;
 * without `vary` the environment is not asked. Throws one line where either is not what it should be.
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

/** A text from outside: a number, or a `Variation` as JSON. Throws one line that begins with `place`. */
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
    return checked(variationSchema, value, place) as Variation
  if (seed.safeParse(value).success) return { seed: value as number, wild: true }
  throw new TypeError(`${place}: must be ${words}, or an object, not ${JSON.stringify(value)}`)
}

function idsOf({ only, keep = [], wild = false }: Variation): Set<DecisionId> {
  const wanted = only ?? varyGroups.filter((group) => wild || !MILD.includes(group))
  const kept = new Set(keep.flatMap(membersOf))
  return new Set(wanted.flatMap(membersOf).filter((id) => !kept.has(id)))
}

function membersOf(name: VaryGroup | DecisionId): readonly DecisionId[] {
  const ids = decisionIds.filter((id) => id === name || groupOf(id) === name)
  if (ids.length === 0)
    throw new TypeError(`vary: ${noSuch('group or decision', name, [...varyGroups, ...decisionIds])}`)
  return ids
}

/** The kind of a decision. */
export const groupOf = (id: DecisionId): VaryGroup => listed.get(id) ?? 'rules'
