import { describe, expect, test } from 'vitest'
import { createTracker } from '../../emulator/index.js'
import { createClient } from '../client/client.js'
import { operation, operationIds } from '../contract/index.js'
import type { Exchange } from '../oracle/exchange.js'
import { Oracle } from '../oracle/judge.js'
import { isDrawn } from '../oracle/names.js'
import { aspects } from '../oracle/operations.js'
import { addresses, malformed, members, otherKinds } from './defects.js'
import { type Ask, createDriver } from './driver.js'
import { fieldBody } from './fields.js'
import { userBody } from './users.js'
import { valid } from './valid.js'

const { profile } = await createTracker()
const client = createClient(profile, { safety: 'read', timeout: 1000, rate: 0 })
const driver = createDriver({ profile, client, pending: [], budget: 0, sends: () => true })
const user = driver.world.add('user', 'kit.somebody')
const field = driver.world.add('field', 'kit field', { id: '77' })
const requests = valid(driver, { user, field })

/** What the oracle would allow as the answer to a request. */
function foreseen({ op, at = '' }: Ask, { body, raw }: Pick<Ask, 'body' | 'raw'>) {
  const oracle = new Oracle(driver.knowledge)
  oracle.world.add('user', 'kit.somebody')
  oracle.world.add('field', 'kit field', { id: '77' })
  const { method, path } = operation(op)
  const exchange: Exchange = {
    ...{ n: 1, caller: 'administrator', method, query: '', headers: {}, status: 0, responseHeaders: {} },
    text: '',
    path: `/api/rest/plugins/Ext${path.replace(/\{\w+\}/, encodeURIComponent(at))}`,
    body: raw ?? JSON.stringify(body),
  }
  const found = oracle.foresee(exchange)
  if (!found) throw new Error(`${op} is not recognized`)
  return found
}

test('the oracle takes each name that the driver makes up for new', () => {
  const { username, email, realname } = userBody(driver)
  const { name } = fieldBody(driver).custom_field
  for (const text of [username, email, realname, name]) expect(text).toSatisfy(isDrawn)
})

test('each operation has a valid request with a full profile', () => {
  expect(requests.map(({ op }) => op)).toEqual(operationIds)
})

describe.each(requests.filter(({ op }) => aspects[op].family))('$op', (request) => {
  test('its valid request is not certainly refused', () => {
    const known = request.op === 'changeOwnPassword' ? ['password.current'] : []
    const { violated } = foreseen(request, request)
    expect(violated.map(({ id }) => id).filter((id) => !known.includes(id))).toEqual([])
  })

  test('each certain defect of its body is one to the oracle', () => {
    const all = [...malformed(request), ...otherKinds(request), ...members(request, driver.knowledge)]
    const certain = all.filter(({ isCertain }) => isCertain)
    const unseen = certain.filter((one) => foreseen(request, one).violated.length === 0)
    expect(certain.length).toBeGreaterThan(2)
    expect(unseen).toEqual([])
  })
})

test('addresses of nothing are made up, large, or only read', () => {
  const word = driver.word()
  for (const op of ['updateUser', 'resetUser', 'addUserToProjects'] as const)
    for (const at of addresses(op, word)) expect(at).toMatch(new RegExp(`${word}|^\\d{9,}$`))
})
