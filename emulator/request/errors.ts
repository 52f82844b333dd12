/** How a request is refused, and how a refusal becomes an error body under the decisions in force. */

import type { DecisionId, Decisions } from '../decisions/index.js'
import { type Condition, type ConditionId, conditions, type Language, languages } from './conditions.js'

export interface RefusedOptions {
  /** Fill `{0}`, `{1}` of the sentence. */
  readonly with?: readonly (string | number)[]
  /** Where a decision answers a condition with another status than the family. */
  readonly status?: Condition['status']
  /** Another number than the condition's; null for none. */
  readonly number?: number | null
  /** What was required and what was held, for the journal. */
  readonly detail?: string
  /** The decision that gave this answer. */
  readonly decision?: DecisionId
  readonly headers?: Readonly<Record<string, string>>
  /** The answer as a live tracker gave it, in place of all that the decisions would make of it. */
  readonly literal?: { readonly status: number; readonly body: Readonly<Record<string, unknown>> }
}

/**
 * Ends a request. Thrown before anything was written, so a refused request changes nothing. No `Error`: nobody reads where
 * it was thrown, and noting that takes as long as the rest of a refusal.
 */
export class Refused {
  readonly condition: ConditionId
  readonly options: RefusedOptions
  /** The step of the request that refused; noted on the way up. */
  step: string | null = null

  constructor(condition: ConditionId, options: RefusedOptions = {}) {
    this.condition = condition
    this.options = options
  }

  /** The sentence of the condition, in English. */
  get message(): string {
    return fill(conditions[this.condition].text.english, this.options.with)
  }

  get status(): number {
    return this.options.literal?.status ?? this.options.status ?? conditions[this.condition].status
  }
}

/** Refuses in an expression. */
export function refuse(condition: ConditionId, options?: RefusedOptions): never {
  throw new Refused(condition, options)
}

export interface ErrorAnswer {
  readonly message: string
  readonly code?: number
  readonly localized?: string
}

export function errorAnswer(refused: Refused, decisions: Decisions, language: string): ErrorAnswer {
  if (refused.options.literal) return refused.options.literal.body as unknown as ErrorAnswer
  const members = decisions['error-body-members']
  const inside = conditions[refused.condition].number !== null && refused.step !== 'credentials'
  const code = codeOf(refused, decisions)
  const localized = localizedOf(refused, decisions, language)
  const withCode =
    members === 'by-origin' || members === 'extra-members' ? inside : members !== 'message-only'
  const withLocalized = withCode && members !== 'message-and-code'
  return {
    message: refused.message,
    ...(withCode && members !== 'message-and-localized' && code !== null ? { code } : {}),
    ...(withLocalized && localized !== null ? { localized } : {}),
    ...(members === 'extra-members' ? { error: refused.condition, status: refused.status } : {}),
  }
}

function codeOf(refused: Refused, decisions: Decisions): number | null {
  const known: Condition = conditions[refused.condition]
  const given = refused.options.number
  const number = given === undefined ? known.number : given
  if (decisions['error-code-numbers'] === 'http-status') return refused.status
  if (number === null) return null
  // Read only where it matters: learning tries each value of a decision on every call that read it.
  const when = known.unmapped && given === undefined ? decisions['error-code-when-unmapped'] : null
  if (when === 'absent') return null
  const kept = when === 'generic' ? 29 : number
  return decisions['error-code-numbers'] === 'shifted' ? 10_000 + kept : kept
}

function localizedOf(refused: Refused, decisions: Decisions, language: string): string | null {
  switch (decisions['error-localized-language']) {
    case 'absent':
      return null
    case 'english':
      return sentence(refused, 'english')
    case 'caller':
      return sentence(refused, languages.find((known) => known === language) ?? 'english')
  }
}

const sentence = (refused: Refused, language: Language) =>
  fill(conditions[refused.condition].text[language], refused.options.with)

/** Missing parameters become empty. */
function fill(text: string, parameters: readonly (string | number)[] = []): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => String(parameters[Number(index)] ?? ''))
}
