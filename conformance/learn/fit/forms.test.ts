import { expect, test } from 'vitest'
import { recordedCall, replayedAs } from '../../../fixtures/recorded/calls.js'
import type { Pair } from '../copy/emulator.js'
import { inducedForms, selectionIn } from './forms.js'

/** A success of the target, and what the emulator knows of the same thing. */
function shown(json: unknown, subject: object, index = 0): Pair {
  const seen = { status: 200, json, headers: {} }
  const source = { value: subject, subject, body: null, lists: {} }
  const cause = { outcome: 'ok', features: [], parameters: {}, own: null, source }
  return {
    recorded: recordedCall({ n: index + 1, seen }),
    replayed: replayedAs({ seen: { ...seen, json: subject }, cause }),
  }
}

const user = (id: number) => ({ id: 1000 + id, username: `user-${id}` })

test('the value of one record is not given to the others', () => {
  const pictures = [null, 'initials:KT', null, 'initials:KT']
  const { getUser } = inducedForms(
    pictures.map((picture, index) => shown({ userId: 1000 + index, picture }, user(index))),
  )
  expect(getUser).toMatchObject({ picture: null })
})

test('a member that some answers lack comes from a place that their sources lack, too', () => {
  const pictures = [undefined, 'first.png', undefined, 'second.png', undefined]
  const pairs = pictures.map((avatar, index) => {
    const subject = { ...user(index), avatar: avatar ?? null, shown: avatar ?? `user-${index}.png` }
    return shown({ userId: 1000 + index, ...(avatar !== undefined && { picture: avatar }) }, subject, index)
  })
  const { getUser } = inducedForms(pairs)
  expect(getUser).toMatchObject({ 'picture?': { $from: 'subject.avatar', $as: 'string' } })
  expect(getUser).not.toHaveProperty(['picture?', '$else'])
})

test('an empty list in the place of whatever the emulator shows is a form of its own', () => {
  const formsOf = (answer: (index: number) => unknown) =>
    inducedForms([0, 1, 2].map((index) => shown(answer(index), [user(index)], index)))
  expect(formsOf(() => [])).toEqual({ getUser: [] })
  expect(formsOf((index) => [user(index)])).toEqual({})
})

test('the fields of a form keep their own words, and take their values from the thing', () => {
  const form = (index: number) => [
    { name: 'login', type: 'text', value: `user-${index}` },
    { name: 'shown', type: 'select', value: index % 2 === 0, options: ['yes', 'no'] },
  ]
  const subject = (index: number) => ({ ...user(index), client_preferred: index % 2 === 0 })
  const pairs = [0, 1, 2, 3].map((index) => shown({ fields: form(index) }, subject(index), index))
  const { getUser } = inducedForms(pairs)
  expect(getUser).toEqual({
    fields: [
      { name: 'login', type: 'text', value: expect.objectContaining({ $from: 'subject.username' }) },
      {
        ...{ name: 'shown', type: 'select', options: ['yes', 'no'] },
        value: expect.objectContaining({ $from: 'subject.client_preferred' }),
      },
    ],
  })
})

test('to save may be answered otherwise than to read', () => {
  const columns = (json: unknown, feature: string, index: number): Pair => {
    const { recorded, replayed } = shown(json, { columns: ['id'] }, index)
    const { cause } = replayed
    return {
      recorded: { ...recorded, operation: 'manageColumns' },
      replayed: { ...replayed, cause: cause && { ...cause, features: [feature] } },
    }
  }
  const list = { own: { list: ['id'] } }
  const { manageColumns } = inducedForms([
    ...[0, 1].map((index) => columns(list, 'columns:missing', index)),
    ...[2, 3, 4].map((index) => columns({ saved: true }, 'columns:given', index)),
  ])
  const shape = { own: { list: { $from: expect.anything(), $each: expect.anything() } } }
  expect(manageColumns).toEqual({ $cases: [{ when: ['columns:missing'], shape }], $else: { saved: true } })
})

const selecting = (query: string, json: unknown, index: number): Pair => {
  const seen = { status: 200, json, headers: {} }
  return { recorded: recordedCall({ n: index + 1, query, seen }), replayed: replayedAs({ seen }) }
}

const wholeUser = { user: { id: 5, state: 'on', own: { name: 'nina', mail: 'nina@example.org' } }, meta: {} }
const shownUser = (id: object, own: object) => ({ user: { ...id, own }, meta: {} })
const selectionOf = (answers: Readonly<Record<string, unknown>>) => {
  const pairs = Object.entries(answers).map(([query, json], index) => selecting(query, json, index))
  return selectionIn(pairs, wholeUser)
}

test('what stays though nobody asked for it is told from what was asked for', () => {
  const id = { id: 5 }
  const { name, mail } = wholeUser.user.own
  const both = { 'select=id,name': shownUser(id, { name }), 'select=mail': shownUser(id, { mail }) }
  expect(selectionOf(both)).toEqual({ user: ['id', 'own'], 'user.own': [] })
  const named = { 'select=id,name': shownUser(id, { name }), 'select=mail': shownUser({}, { mail }) }
  expect(selectionOf(named)).toEqual({ user: ['own'], 'user.own': [] })
  const encoded = { 'select=id%2Cname': shownUser(id, { name }) }
  expect(selectionOf(encoded)).toEqual({ user: ['own'], 'user.own': [] })
})

test('a selection that leaves nothing out tells nothing, nor does what a caller with fewer rights is shown', () => {
  expect(selectionOf({ 'select=nonsense': wholeUser, 'select=%': wholeUser })).toBeNull()
  const less = ['', 'select=id'].map((query, index) => selecting(query, { user: { id: 5 } }, index))
  expect(selectionIn(less, wholeUser)).toBeNull()
})
