/** Refuses requests, with or without a decision, and makes error bodies from refusals. */
import type { DecisionId, Decisions } from '../decisions/index.js'
import { type Condition, type ConditionId, conditions, type Language, languages } from './conditions.js'

type Parameter = string | number

export interface RefusedOptions {
  /** The values of `{0}` and `{1}` in the sentence. */
  readonly with?: readonly Parameter[]
  /** The status, if a decision changes it. */
  readonly status?: Condition['status']
  /** Replaces the number of the condition; null for none. */
  readonly number?: number | null
  /** What was required and what the caller had, for the journal. */
  readonly detail?: string
  readonly decision?: DecisionId
  readonly headers?: Readonly<Record<string, string>>
  /** The answer of a live tracker, which replaces the one that follows from the decisions. */
  readonly literal?: { readonly status: number; readonly body: Readonly<Record<string, unknown>> }
}

/** Ends a request before its first write. No `Error`: its stack would take as long as the rest of a refusal. */
export class Refused {
  /** `step`: the step of the request that refused it; set when the exception passes it. */
  constructor(
    readonly condition: ConditionId,
    readonly options: RefusedOptions = {},
    public step: string | null = null,
  ) {}

  get message(): string {
    return this.sentence('english')
  }

  sentence(language: Language): string {
    const parameters = this.options.with ?? []
    const text = conditions[this.condition].text[language]
    return text.replace(/\{(\d)\}/g, (_, index: string) => String(parameters[Number(index)] ?? ''))
  }

  get status(): number {
    return this.options.literal?.status ?? this.options.status ?? conditions[this.condition].status
  }
}

export function refuse(condition: ConditionId, options?: RefusedOptions): never {
  throw new Refused(condition, options)
}

type Case =
  | ConditionId
  | readonly [condition: ConditionId, ...with_: Parameter[]]
  | ({ readonly condition: ConditionId } & RefusedOptions)

/** Refuses under every value of the decision, and names the decision as the reason. */
export function refuseFor(decision: DecisionId, one: Case, detail?: string): never {
  const { condition, ...options } =
    typeof one === 'string'
      ? { condition: one }
      : 'condition' in one
        ? one
        : { condition: one[0], with: one.slice(1) as Parameter[] }
  throw new Refused(condition, { ...options, decision, ...(detail === undefined ? {} : { detail }) })
}

type Cases<Id extends DecisionId> = { readonly [V in Decisions[Id] & string]?: Case }
type Given<C> = readonly [cases: C] | readonly [detail: string, cases: C]
type Some<Id extends DecisionId> = Given<Cases<Id>>
type All<Id extends DecisionId> = Given<Required<Cases<Id>>>
type Deciding = { readonly decisions: Decisions }

/**
 * Refuses under these values of the decision; under any other value, the call passes.
 *
 * @example refuseBy(c, 'cf-name-comma', { refused: ['custom-field-name-invalid', name] })
 */
export function refuseBy<Id extends DecisionId>(call: Deciding, decision: Id, ...given: All<Id>): never
export function refuseBy<Id extends DecisionId>(call: Deciding, decision: Id, ...given: Some<Id>): void
export function refuseBy<Id extends DecisionId>(call: Deciding, decision: Id, ...given: Some<Id>): void {
  const [detail, cases] = given.length === 1 ? [undefined, given[0]] : given
  const one = cases[call.decisions[decision] as Decisions[Id] & string]
  if (one !== undefined) refuseFor(decision, one, detail)
}

/** The refusals of an unknown project in a list of several, by decision; under other values it is left out. */
export const unknownProject = (member: string, id: string) =>
  ({
    invalid: { condition: 'invalid-value', with: [member], detail: `Project ${id} does not exist` },
    'not-found': ['project-not-found', id],
  }) as const

export function errorAnswer(refused: Refused, decisions: Decisions, language: string): object {
  if (refused.options.literal) return refused.options.literal.body
  const members = decisions['error-body-members']
  const inside = conditions[refused.condition].number !== null && refused.step !== 'credentials'
  const code = codeOf(refused, decisions)
  const caller = refused.sentence(languages.find((known) => known === language) ?? 'english')
  const texts = { absent: null, english: refused.message, caller }
  const localized = texts[decisions['error-localized-language']]
  const withCode =
    members === 'by-origin' || members === 'extra-members' ? inside : members !== 'message-only'
  return {
    message: refused.message,
    ...(withCode && members !== 'message-and-localized' && code !== null ? { code } : {}),
    ...(withCode && members !== 'message-and-code' && localized !== null ? { localized } : {}),
    ...(members === 'extra-members' ? { error: refused.condition, status: refused.status } : {}),
  }
}

function codeOf(refused: Refused, decisions: Decisions): number | null {
  const known: Condition = conditions[refused.condition]
  const { number: given, number = known.number } = refused.options
  if (decisions['error-code-numbers'] === 'http-status') return refused.status
  if (number === null) return null
  // Reads the decision only if it matters: learning tries each value of a decision on every call that read it.
  const when = known.unmapped && given === undefined ? decisions['error-code-when-unmapped'] : null
  if (when === 'absent') return null
  const kept = when === 'generic' ? 29 : number
  return decisions['error-code-numbers'] === 'shifted' ? 10_000 + kept : kept
}
