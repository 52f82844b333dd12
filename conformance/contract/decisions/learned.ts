/** What is learnt about a live tracker, in words. */
import type { DecisionWords } from './probe.js'

export const learned = {
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
