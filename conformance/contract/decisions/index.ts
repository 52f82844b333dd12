/**
 * Of each thing that the document leaves open: the question, what a tracker does under each value, and why the default. The
 * emulator's ledger has the values themselves; the report tells observations by their question.
 */
import { accounts } from './accounts.js'
import { customFields } from './custom-fields.js'
import { learned } from './learned.js'
import { management } from './management.js'
import { own } from './own.js'
import { reading } from './reading.js'
import { security } from './security.js'
import { transport } from './transport.js'
import type { DecisionWords } from './words.js'

export type { DecisionWords } from './words.js'

export const decisionWords = {
  ...transport,
  ...reading,
  ...accounts,
  ...security,
  ...own,
  ...customFields,
  ...management,
  ...learned,
}

/** The key of a value among the words. */
export const writtenValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** Null for an id that no decision has. */
export const wordsOf = (id: string): DecisionWords | null =>
  Object.hasOwn(decisionWords, id)
    ? ((decisionWords as Readonly<Record<string, DecisionWords>>)[id] ?? null)
    : null

/** What was seen, in words: a value of the decision, a status, or what the check said of it. */
export function seenText(id: string, value: string): string {
  const sentence = wordsOf(id)?.values[value]
  if (sentence !== undefined) return sentence
  return /^\d{3}$/.test(value) ? `It is answered ${value}.` : value
}
