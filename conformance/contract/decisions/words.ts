import type { Probe } from './probe.js'

/** What is said of a decision: of each thing that the document leaves open. */
export interface DecisionWords {
  /** One sentence that ends in a question mark. */
  readonly question: string
  /** Why the default is the default. */
  readonly why: string
  /** What a tracker does under each legal value, the default first. A value that is no text is written as JSON. */
  readonly values: Readonly<Record<string, string>>
  /** Requests whose answers differ under each value; what is only ever learnt has none. */
  readonly probe?: Probe
}

/** The values of a level that an operation asks for. */
export const thresholdValues = (what: string) => ({
  '90': `Only administrators (level 90) ${what}.`,
  '70': `Managers (level 70) ${what} too.`,
})
