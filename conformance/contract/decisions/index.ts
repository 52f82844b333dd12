/**
 * For everything that the document leaves open: the question, what a tracker does under each value, the reason for the
 * default, and the requests that tell the values apart. The emulator's ledger uses these values; the report shows
 * observations by their question.
 */
import { accounts } from './accounts.js'
import { customFields } from './custom-fields.js'
import { management } from './management.js'
import { own } from './own.js'
import { type DecisionWords, requestLine, type Step } from './probe.js'
import { reading } from './reading.js'
import { security } from './security.js'
import { transport } from './transport.js'

export type { DecisionWords, Probe, Shown, Step } from './probe.js'

export const decisionWords = {
  ...transport,
  ...reading,
  ...accounts,
  ...security,
  ...own,
  ...customFields,
  ...management,
  // What is learnt about a live tracker.
  'learned-answers': {
    question: 'Which answers of the tracker does no other decision describe?',
    why: 'There are none before learning; of several that fit, the first one counts.',
    values: { '[]': 'None.' },
  },
  'answer-shapes': {
    question: 'Which operations answer in a form that no other decision describes?',
    why: 'Before learning, the other decisions define the envelope and the records.',
    values: { '{}': 'None.' },
  },
  'accepted-values': {
    question: 'Which values does the tracker accept for levels, types, projects, columns and settings?',
    why: 'Before learning, the values are those of the family.',
    values: { '{}': 'Those of the family.' },
  },
} as const satisfies Readonly<Record<string, DecisionWords>>

/** The key of a value in `values`. */
export const writtenValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

const byId = new Map<string, DecisionWords>(Object.entries(decisionWords))

/** The words for a decision; undefined if no decision has the id. */
export const wordsOf = (id: string): DecisionWords | undefined => byId.get(id)

/** An observation in words: a value of the decision, a status, or the words of the check. */
export function seenText(id: string, value: string): string {
  const sentence = wordsOf(id)?.values[value]
  if (sentence !== undefined) return sentence
  return /^\d{3}$/.test(value) ? `The tracker answers ${value}.` : value
}

export const stepsOf = (id: string): readonly Step[] => wordsOf(id)?.probe?.steps ?? []

/** The requests whose answers tell the values of a decision apart, in one short line each. */
export const requestLines = (id: string): string[] => stepsOf(id).flatMap(requestLine)
