/** Refusals that a decision makes: the helper looks the value up, refuses as it says, and names the decision. */
import type { DecisionId, Decisions } from '../decisions/index.js'
import type { ConditionId } from './conditions.js'
import { Refused, type RefusedOptions } from './errors.js'

type Parameter = string | number

/** A condition, with what fills its sentence, or with what else is otherwise than usual. */
type Case =
  | ConditionId
  | readonly [condition: ConditionId, ...with_: Parameter[]]
  | ({ readonly condition: ConditionId } & RefusedOptions)

type TextOf<Id extends DecisionId> = Decisions[Id] & string

interface Decided {
  readonly decisions: Decisions
}

/**
 * Refuses where the value of the decision is one of the cases; any other lets the call pass. `detail` tells what was
 * required and what was held.
 *
 * @example refuseBy(c, 'cf-name-comma', { refused: ['custom-field-name-invalid', name] })
 */
export function refuseBy<Id extends DecisionId>(
  c: Decided,
  decision: Id,
  cases: { readonly [V in TextOf<Id>]: Case },
  detail?: string,
): never
export function refuseBy<Id extends DecisionId>(
  c: Decided,
  decision: Id,
  cases: { readonly [V in TextOf<Id>]?: Case },
  detail?: string,
): void
export function refuseBy<Id extends DecisionId>(
  c: Decided,
  decision: Id,
  cases: { readonly [V in TextOf<Id>]?: Case },
  detail?: string,
): void {
  const one = cases[c.decisions[decision] as TextOf<Id>]
  if (one !== undefined) refuseIn(one, decision, detail)
}

/** Refuses whatever the decision's value is: what it rules is that there is a rule. */
export function refuseFor(decision: DecisionId, one: Case, detail?: string): never {
  refuseIn(one, decision, detail)
}

function refuseIn(one: Case, decision: DecisionId, detail?: string): never {
  const { condition, ...options } =
    typeof one === 'string'
      ? { condition: one }
      : 'condition' in one
        ? one
        : { condition: one[0], with: one.slice(1) as Parameter[] }
  throw new Refused(condition, { ...options, decision, ...(detail === undefined ? {} : { detail }) })
}

/** How decisions refuse a project that does not exist, in a list of several; skipped, it is left out. */
export const unknownProject = (member: string, id: string) =>
  ({
    invalid: { condition: 'invalid-value', with: [member], detail: `Project ${id} does not exist` },
    'not-found': ['project-not-found', id],
  }) as const
