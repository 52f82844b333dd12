import { expect, test } from 'vitest'
import { recordedCall, replayedAs } from '../../../fixtures/recorded/calls.js'
import type { Pair } from '../copy/emulator.js'
import { selectionIn } from './forms.js'

const selecting = (query: string, json: unknown, index: number): Pair => {
  const seen = { status: 200, json, headers: {} }
  return { recorded: recordedCall({ n: index + 1, query, seen }), replayed: replayedAs({ seen }) }
}

const whole = { user: { id: 5, state: 'on', own: { name: 'nina', mail: 'nina@example.org' } }, meta: {} }
const user = (id: object, own: object) => ({ user: { ...id, own }, meta: {} })
const learnt = (answers: Readonly<Record<string, unknown>>) =>
  selectionIn(
    Object.entries(answers).map(([query, json], index) => selecting(query, json, index)),
    whole,
  )

test('what stays though nobody asked for it is told from what was asked for', () => {
  const id = { id: 5 }
  const { name, mail } = whole.user.own
  const both = { 'select=id,name': user(id, { name }), 'select=mail': user(id, { mail }) }
  expect(learnt(both)).toEqual({ user: ['id', 'own'], 'user.own': [] })
  const named = { 'select=id,name': user(id, { name }), 'select=mail': user({}, { mail }) }
  expect(learnt(named)).toEqual({ user: ['own'], 'user.own': [] })
  expect(learnt({ 'select=id%2Cname': user(id, { name }) })).toEqual({ user: ['own'], 'user.own': [] })
})

test('a selection that leaves nothing out tells nothing', () => {
  expect(learnt({ 'select=nonsense': whole, 'select=%': whole })).toBeNull()
})
