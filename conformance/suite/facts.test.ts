/** What is learnt of answers whose shape nobody has shown, and what is not. */
import { expect, test } from 'vitest'
import { factsOf, isKnown, learn, learnOwn, meets, ownFactsOf, shows, showsWholly } from './facts.js'

const sightsOf = (shape: (value: string, index: number) => unknown) =>
  ['A', 'B', 'B', 'A'].map((value, index) => ({ facts: factsOf(shape(value, index)), value }))

test.each([
  ['a member', (value: string) => ({ user: { lang: value } })],
  ['a label in place of the value', (value: string) => ({ speaks: value === 'A' ? 'German' : 'French' })],
  [
    'a table of names and values',
    (value: string) => [
      { name: 'tz', value: 'A' },
      { name: 'lang', value },
    ],
  ],
  ['a choice that is marked', (value: string) => ['A', 'B'].map((one) => ({ one, chosen: one === value }))],
  ['a list of marks', (value: string) => ({ marks: value === 'A' ? ['old', 'set'] : ['old'] })],
])('%s is learnt whatever it is called', (_, shape) => {
  const evidence = learn(sightsOf(shape))
  expect(isKnown(evidence)).toBe(true)
  for (const value of ['A', 'B']) {
    expect(showsWholly(evidence, factsOf(shape(value)), value)).toBe(true)
    expect(showsWholly(evidence, factsOf(shape(value === 'A' ? 'B' : 'A')), value)).toBe(false)
  }
})

test('what counts, or tells the time, is no sign of a value', () => {
  expect(isKnown(learn(sightsOf((_, index) => ({ id: index, at: `12:00:0${Math.floor(index / 2)}` }))))).toBe(
    false,
  )
})

test('a third value in the place says no value, and the lack of the place nothing', () => {
  const evidence = learn(sightsOf((lang) => ({ lang })))
  expect(showsWholly(evidence, factsOf({ lang: 'C' }), 'A')).toBe(false)
  expect(shows(evidence, factsOf({ lang: 'C' }), 'A')).toBeNull()
  expect(showsWholly(evidence, factsOf({}), 'A')).toBeNull()
})

test('a text of one’s own is learnt, and not where the text of another stands as well', () => {
  const page = (own: string) => ({
    name: own,
    all: ['kit one', 'kit two', 'kit six'].map((name) => ({ name })),
  })
  const texts = ['kit one', 'kit two', 'kit six']
  const own = learnOwn(texts.map((text) => ({ shown: page(text), text })))
  expect(own.size).toBeGreaterThan(0)
  expect(meets(own, ownFactsOf(page('kit two'), 'kit two'))).toBe(true)
  expect(meets(own, ownFactsOf(page('kit two'), 'kit one'))).toBe(false)
})
