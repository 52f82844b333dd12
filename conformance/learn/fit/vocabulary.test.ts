import { expect, test } from 'vitest'
import type { Recorded, Step } from '../ask/script.js'
import { alsoTaken } from './vocabulary.js'

const recorded = (step: Step, status: number, index: number): Recorded => ({
  scenario: 'some',
  index,
  step,
  seen: { status, json: {}, headers: {} },
  bound: {},
})

const listed = (types: Readonly<Record<string, number>>) =>
  Object.entries(types).map(([type, status], index) =>
    recorded({ operation: 'manageColumns', body: { type } }, status, index),
  )

test('types of lists that other calls show to be taken are taken', () => {
  const transcript = listed({ board: 200, csv: 200, print: 400, 'none-such': 400 })
  expect(alsoTaken({ columnType: ['board'] }, transcript)).toEqual({ columnType: ['board', 'csv'] })
})

test('who takes any type of list has no list of types', () => {
  const transcript = listed({ board: 200, csv: 200, 'none-such': 200 })
  expect(alsoTaken({ columnType: ['board'] }, transcript)).toEqual({})
})

test('types of fields are those of fields that were made', () => {
  const transcript = ['line', 'day', ''].map((type, index) =>
    recorded({ operation: 'createCustomField', body: { custom_field: { type } } }, 200, index),
  )
  expect(alsoTaken({ customFieldType: ['line'] }, transcript)).toEqual({ customFieldType: ['line', 'day'] })
  expect(alsoTaken({}, transcript)).toEqual({})
})
