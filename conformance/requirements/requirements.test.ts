import { describe, expect, test } from 'vitest'
import ids from '../../fixtures/requirement-ids.json' with { type: 'json' }
import { operationIds } from '../contract/index.js'
import { requirements } from './index.js'
import { unobservable } from './unobservable.js'

/** The sections of the interface document that state something; 2.9, 3, 4.3, 6, 8 and 9 list what is not shown. */
const sections = ['1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '4', '4.1', '4.2', '5', '7']

test('an id is given once and never taken away', () => {
  const present = requirements.map(({ id }) => id)
  expect(new Set(present).size).toBe(present.length)
  // Reports, baselines and CI configurations of others name these: add to the file, take nothing out.
  expect(present.toSorted()).toEqual(ids.toSorted())
})

test('the right password is tried before wrong ones, which may lock the account', () => {
  const present = requirements.map(({ id }) => id)
  const [right, wrong] = ['account.password-change', 'account.password-current-checked'] as const
  expect(present.indexOf(right)).toBeLessThan(present.indexOf(wrong))
})

test.each(requirements.map((one) => [one.id, one] as const))('%s is a whole entry', (id, requirement) => {
  expect(id).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/)
  expect(requirement.statement).toMatch(/^[A-Z`].*\.$/)
  expect(sections).toContain(requirement.section)
  expect(requirement.operations.length).toBeGreaterThan(0)
  for (const operation of requirement.operations) expect(operationIds).toContain(operation)
})

describe('the document is covered', () => {
  test.each(sections)('section %s', (section) => {
    const all = [...requirements, ...unobservable]
    expect(all.filter((one) => one.section === section).length).toBeGreaterThan(0)
  })

  test.each(operationIds)('%s', (id) => {
    const own = requirements.filter(({ operations }) => operations.includes(id) && operations.length < 20)
    expect(own.length).toBeGreaterThan(0)
  })
})
