/** What is learnt about a live tracker, in words. */
import type { DecisionWords } from './words.js'

export const learned = {
  'learned-answers': {
    question: 'Which situations does the tracker answer in a way that no other decision describes?',
    why: 'There are none before something was learnt; the first that fits counts.',
    values: { '[]': 'None.' },
  },
  'answer-shapes': {
    question: 'Which operations answer in a form that no other decision describes?',
    why: 'Nothing was learnt, so the other decisions say what the envelope and the records are.',
    values: { '{}': 'None.' },
  },
  'accepted-values': {
    question: 'Which values does the tracker accept for levels, types, projects, columns and settings?',
    why: 'Nothing was learnt, so the values are those of the family.',
    values: { '{}': 'Those of the family.' },
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
