import { describe, expect, test } from 'vitest'
import { sender } from '../../fixtures/client.js'
import { createTracker } from '../index.js'

const LIMIT = 1024 * 1024

/** Status, and the condition that the journal names for a refusal. */
async function createUser(body: string | Uint8Array<ArrayBuffer>) {
  const tracker = await createTracker()
  const { status } = await sender(tracker)('/users', { method: 'POST', body })
  return { status, condition: tracker.journal.at(-1)?.refusal?.condition ?? null }
}

describe('the limit counts bytes', () => {
  const bodyOf = (rest: string) => JSON.stringify({ username: 'otto', rest })
  const frame = bodyOf('').length

  test('one too many, in characters of three bytes each', async () => {
    const euros = Math.floor((LIMIT - frame) / 3) + 1
    expect(await createUser(bodyOf('€'.repeat(euros)))).toEqual({ status: 400, condition: 'body-too-large' })
  })

  test('as many as there may be', async () => {
    const body = bodyOf('a'.repeat(LIMIT - frame))
    expect(body.length).toBe(LIMIT)
    expect(await createUser(body)).toEqual({ status: 200, condition: null })
  })
})

test('text that is not UTF-8 is no JSON', async () => {
  const bytes = new TextEncoder().encode('{"username":"otto","realname":"Otto_"}')
  bytes[bytes.indexOf('_'.charCodeAt(0))] = 0xff
  expect(await createUser(bytes)).toEqual({ status: 400, condition: 'malformed-body' })
})
