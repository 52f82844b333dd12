/** Changes that are answered with the wish to come back later: not asked for again but where a read shows that they were not done. */
import { expect, test } from 'vitest'
import { reply } from '../../fixtures/faulty/behaviours.js'
import type { Behaviour } from '../../fixtures/faulty/call.js'
import { disabled, opener, TAG } from '../../fixtures/guarded.js'
import { operation } from '../contract/index.js'
import type { Call } from './call.js'

const opening = opener({ safety: 'destructive' })

const later = () => {
  const answer = reply(503, { message: 'later' })
  answer.headers.set('retry-after', '0')
  return answer
}

/** The first time of each change; `done`: the tracker has done it nevertheless. */
const once =
  (done: boolean): Behaviour =>
  async (call) => {
    const key = `${call.operation} ${JSON.stringify([call.path, call.json])}`
    if (operation(call.operation).method === 'GET' || call.memory.has(key)) return call.own()
    call.memory.set(key, true)
    if (done) await call.own()
    return later()
  }

const user = `${TAG}xaab`
const creations: readonly Call[] = [
  { operation: 'createUser', body: { username: user, email: `${user}@example.org` } },
  { operation: 'createCustomField', body: { custom_field: { name: `${TAG}xaac`, type: 'string' } } },
]
const deletions: readonly Call[] = [{ operation: 'deleteHelpdeskRecipient', path: { recipient_id: 10 } }]
const told = [expect.stringMatching(/^recipient 10 .*answer lost/)]

test.each<[what: string, calls: readonly Call[], isDone: boolean, left: readonly unknown[]]>([
  ['what was not done is asked for again', creations, false, [disabled(user)]],
  ['what was done is not done twice, and is removed', creations, true, [disabled(user)]],
  ['what no read shows is told where it was done', deletions, true, told],
  ['what no read shows is told where it was not done', deletions, false, told],
])('%s', async (_, calls, isDone, left) => {
  const target = await opening({ lie: once(isDone) })
  const isAgain = !isDone && calls !== deletions
  for (const call of calls) expect(await target.attempt(call)).toBe(isAgain ? 200 : 'throttled')
  expect(target.changes).toHaveLength(isAgain ? 2 * calls.length : calls.length)
  expect(target.ledger.open).toHaveLength(calls.length)
  expect(await target.sweep()).toEqual(left)
  const { db } = target.tracker
  expect(db.users.rows.filter(({ id, enabled }) => id > 20 && enabled)).toEqual([])
  expect(db.customFields.rows.filter(({ name }) => name.startsWith(TAG))).toEqual([])
})
