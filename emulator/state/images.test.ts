import { expect, test } from 'vitest'
import { alike, differences, unified, withEffect } from './images.js'
import { exact } from './state.js'
import { createStore } from './store.js'

function stores() {
  const { db, image } = createStore(exact)
  for (const option of ['a', 'b', 'c']) db.extensionSettings.insert({ option, value: 'old' })
  const setting = (option: string) => db.extensionSettings.find('option', option) as never
  return { db, image, setting }
}

test.each([
  ['a change', ({ db, setting }) => void db.extensionSettings.change(setting('b'), { value: 'new' })],
  ['a new record', ({ db }) => void db.extensionSettings.insert({ option: 'd', value: 'new' })],
  ['a removal', ({ db, setting }) => db.extensionSettings.remove(setting('b'))],
] satisfies [string, (store: ReturnType<typeof stores>) => void][])(
  '%s has the same effect on a state in which other records differ',
  (_, change) => {
    const [one, other] = [stores(), stores()]
    const from = one.image()
    other.db.extensionSettings.put(from.tables.extensionSettings as never)
    other.db.extensionSettings.change(other.setting('a'), { value: 'other' })
    const state = other.image()
    change(one)
    change(other)
    expect(withEffect(state, from, one.image()).tables).toEqual(other.image().tables)
  },
)

test('two states differ in the records that only one of them has', () => {
  const { db, image, setting } = stores()
  const before = image()
  db.extensionSettings.change(setting('c'), { value: 'new' })
  const values = (differences(before)(image()).get('extensionSettings') ?? []).map((one) =>
    Reflect.get(one, 'value'),
  )
  expect(values).toEqual(['old', 'new'])
  expect(alike(before, image())).not.toBe(before)
})

test('a state with equal records is the known state', () => {
  const { db, image, setting } = stores()
  const [before, known] = [image(), new Map<string, object>()]
  const after = () => {
    db.extensionSettings.change(setting('c'), { value: 'new' })
    return unified(image(), before, known)
  }
  const first = after()
  db.extensionSettings.put(before.tables.extensionSettings as never)
  expect(alike(first, after())).toBe(first)
})
