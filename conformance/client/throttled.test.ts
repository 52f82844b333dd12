/** Changes that are answered with the wish to come back later: not asked for again but where a read shows that they were not done. */
import { describe, expect, test } from 'vitest'
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
const deletion: Call = { operation: 'deleteHelpdeskRecipient', path: { recipient_id: 10 } }

describe('what was not done', () => {
  test.each(creations)('is asked for again: $operation', async (call) => {
    const target = await opening({ lie: once(false) })
    expect(await target.attempt(call)).toBe(200)
    expect(target.changes).toHaveLength(2)
    expect(target.ledger.open).toHaveLength(1)
  })

  test('is left where no read shows it', async () => {
    const target = await opening({ lie: once(false) })
    expect(await target.attempt(deletion)).toBe('throttled')
    expect(target.changes).toHaveLength(1)
    expect(await target.sweep()).toEqual([expect.stringMatching(/^recipient 10 .*answer lost/)])
  })
})

describe('what was done', () => {
  test.each([...creations, deletion])('is not done twice: $operation', async (call) => {
    const target = await opening({ lie: once(true) })
    expect(await target.attempt(call)).toBe('throttled')
    expect(target.changes).toHaveLength(1)
    expect(target.ledger.open).toHaveLength(1)
  })

  test('is removed, or told', async () => {
    const target = await opening({ lie: once(true) })
    for (const call of creations) await target.attempt(call)
    expect(await target.sweep()).toEqual([disabled(user)])
    const { db } = target.tracker
    expect(db.users.find('username', user)?.enabled).toBe(false)
    expect(db.customFields.rows.filter(({ name }) => name.startsWith(TAG))).toEqual([])
  })
})
