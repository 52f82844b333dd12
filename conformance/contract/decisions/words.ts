import type { Probe } from './probe.js'

/** The words for a decision, which is anything that the document leaves open. */
export interface DecisionWords {
  /** One sentence that ends in a question mark. */
  readonly question: string
  /** The reason for the default. */
  readonly why: string
  /** What a tracker does under each legal value, the default first. A value other than a text is written as JSON. */
  readonly values: Readonly<Record<string, string>>
  /** Requests whose answers differ between the values; absent if values can only be learnt. */
  readonly probe?: Probe
}

/** The values of a level that an operation requires. */
export const thresholdValues = (what: string) => ({
  '90': `Only administrators (level 90) ${what}.`,
  '70': `Managers (level 70) ${what} too.`,
})
