/** Failures of one check that read the same. */

import { expect, test } from 'vitest'
import type { Exchange } from '../client/call.js'
import type { OperationId } from '../contract/index.js'
import { toldApart } from './check.js'
import type { Failure } from './types.js'

const failure = (message: string, seenIn: OperationId): Failure => ({
  operation: 'updateUser',
  message,
  exchange: {
    operation: seenIn,
    request: { method: 'GET', url: '', headers: {}, body: null },
    response: { status: 200, headers: {}, body: null },
    curl: '',
  } satisfies Exchange,
})

const messages = (...failures: Failure[]) => toldApart(failures).map(({ message }) => message)

test('those that two operations showed say which', () => {
  expect(messages(failure('lost', 'getUser'), failure('lost', 'getUserEditPage'))).toEqual([
    'lost (seen in getUser)',
    'lost (seen in getUserEditPage)',
  ])
})

test('of those that one operation showed the first is left, as it was', () => {
  expect(messages(failure('lost', 'getUser'), failure('lost', 'getUser'))).toEqual(['lost'])
})

test('others stay as they are', () => {
  expect(messages(failure('lost', 'getUser'), failure('found', 'getUser'))).toEqual(['lost', 'found'])
})
