import { expect, test } from 'vitest'
import { decisionWords, writtenValue } from '../../conformance/contract/decisions/index.js'
import { operationIds } from '../../conformance/contract/index.js'
import { decisionIds, drawOf, entry, exclusions, resolveDecisions } from './index.js'
import { learned } from './learned.js'

test('every entry has a question of its own, a section, operations, and a sentence for each of several values', () => {
  for (const id of decisionIds) {
    const { operations, section, question, why, values, alternatives, default: fallback } = entry(id)
    expect(operations.length, id).toBeGreaterThan(0)
    for (const operation of operations) expect(operationIds).toContain(operation)
    expect(section, id).toMatch(/^[1-9](\.\d)?$/)
    expect(question, id).toMatch(/^[A-Z][^?.!]*\?$/)
    expect(why, id).toMatch(/^["A-Z].*\.$/)
    // What is only ever learnt is not drawn.
    if (!Object.hasOwn(learned, id)) expect(alternatives.length, id).toBeGreaterThan(0)
    expect(alternatives, id).not.toContainEqual(fallback)
    expect(Object.keys(values).sort(), id).toEqual([fallback, ...alternatives].map(writtenValue).sort())
    for (const sentence of Object.values(values)) expect(sentence, id).toMatch(/^["A-Z\d`].*\.$/s)
    // An object has such members first, wherever they were written: the default would be another.
    const first = Object.keys(values).filter((value) => /^\d+$/.test(value))
    if (typeof fallback === 'string') expect(first, id).toEqual([])
  }
  expect(Object.keys(decisionWords)).toEqual(decisionIds)
  const questions = decisionIds.map((id) => entry(id).question)
  expect(new Set(questions).size).toBe(questions.length)
})

test.each<[object, string]>([
  [{ 'user-segment-rul': 'username-first' }, 'did you mean "user-segment-rule"?'],
  [{ 'usr-field': 'family' }, 'did you mean "user-field-names"?'],
  [{ 'wrong-method': 'teapot' }, 'must be one of method-not-allowed, not-found, invalid'],
  [{ 'create-permission': 26 }, 'cannot be 26'],
  [{ 'plugin-priority-range': { min: 4, max: 4 } }, 'min must be below max'],
  [{ 'impersonate-effect': 'token', 'write-success-body': 'empty-list' }, 'contradict each other'],
])('%j is refused: %s', (input, message) => {
  expect(() => resolveDecisions(input)).toThrow(message)
})

test('all mistakes are told at once, and what a file of decisions looks like', () => {
  const input = { 'wrong-metod': 'not-found', 'cf-list-order': 'nme' } as object
  expect(() => resolveDecisions(input)).toThrow(
    /did you mean "wrong-method"\?; .*"cf-list-order" is "nme"; it must be/,
  )
  const wrapped = { decisions: { 'wrong-method': 'not-found' } } as object
  expect(() => resolveDecisions(wrapped)).toThrow('it needs "schema": "tracker-kit/decisions@1" too')
})

test('what is given stays, and leaves the others as they are drawn', () => {
  const drawn = resolveDecisions({}, drawOf(7, undefined))
  const given = resolveDecisions({ 'user-segment-me': 'caller' }, drawOf(7, undefined))
  expect(given).toEqual({ ...drawn, 'user-segment-me': 'caller' })
})

test('every value of every entry is drawn by some number, and no draw contradicts itself', () => {
  const seen = new Map(decisionIds.map((id) => [id, new Set<string>()]))
  for (let vary = 0; vary < 300; vary++) {
    const decisions = resolveDecisions({}, drawOf(vary, undefined))
    for (const id of decisionIds) seen.get(id)?.add(JSON.stringify(decisions[id]))
    for (const { when, not } of exclusions) {
      const holds = (side: object) =>
        Object.entries(side).every(([id, values]) => values.includes(decisions[id as keyof typeof decisions]))
      expect(holds(when) && holds(not)).toBe(false)
    }
  }
  for (const id of decisionIds) expect(seen.get(id)?.size, id).toBe(entry(id).alternatives.length + 1)
})
