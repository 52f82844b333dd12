/** What a client may cost the emulator that sends whatever it likes, for as long as it likes. */
import { expect, test } from 'vitest'
import { sender } from '../fixtures/client.js'
import { call, startEach, tracker } from '../fixtures/each.js'

startEach()

const nina = { user_id: 'nina' }
const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test.each([
  ['objects', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ['a member', (depth: number) => `{"username":"otto","more":${lists(depth)}}`],
])('a body that nests too deep is no JSON: %s', async (_, raw) => {
  for (const depth of [600, 10_000, 250_000 / raw(1).length]) {
    expect(await call('createUser', { raw: raw(depth) })).toMatchObject({ status: 400 })
    expect(tracker.journal.at(-1)?.refusal?.condition).toBe('malformed-body')
  }
  expect(JSON.stringify(tracker.journal)).not.toContain('[[')
})

test('a body that nests as deep as anybody needs is read, and brackets in a text are no depth', async () => {
  const more = JSON.parse(lists(400))
  const body = { username: 'otto', realname: `"\\${'['.repeat(200)}`, more }
  expect((await call('createUser', { body })).status).toBe(200)
})

test('a body holds as many bytes as there may be, and not one more', async () => {
  const bodyOf = (rest: string) => JSON.stringify({ username: 'otto', rest })
  const room = 1024 * 1024 - bodyOf('').length
  // Each of these characters takes three bytes.
  expect((await call('createUser', { raw: bodyOf('€'.repeat(Math.floor(room / 3) + 1)) })).status).toBe(400)
  expect(tracker.journal[0]?.refusal?.condition).toBe('body-too-large')
  expect((await call('createUser', { raw: bodyOf('a'.repeat(room)) })).status).toBe(200)
})

test('text that is not UTF-8 is no JSON', async () => {
  const body = new TextEncoder().encode('{"username":"otto","realname":"Otto_"}')
  body[body.indexOf('_'.charCodeAt(0))] = 0xff
  expect((await sender(tracker)('/users', { method: 'POST', body })).status).toBe(400)
  expect(tracker.journal[0]?.refusal?.condition).toBe('malformed-body')
})

// Were each of them looked for anew, this would take many minutes.
test('fifty thousand wrong members are mended or refused in one go', { timeout: 30_000 }, async () => {
  const numbers = Array(50_000).fill(1)
  expect((await call('manageColumns', { body: { project: { id: 1 }, columns: numbers } })).status).toBe(400)
  expect((await call('updateUserSettings', { body: { configs: numbers } })).status).toBe(400)
  expect(tracker.violations.length).toBeLessThanOrEqual(100)
})

test('the journal holds fewer calls than a thousand when they are large', async () => {
  const body = { avatar: 'x'.repeat(1_000_000) }
  for (let n = 0; n < 50; n++) await call('updateUser', { path: nina, body })
  const kept = tracker.journal.map(({ sequence }) => sequence)
  expect(kept.at(-1)).toBe(50)
  expect(kept.length).toBeLessThan(45)
  expect(kept).toEqual(kept.map((_, index) => 51 - kept.length + index))
  expect(tracker.calledWith('updateUser', body)).toBe(true)
})

test('the outbox and the journal hold the last thousand messages and calls', async () => {
  for (let n = 0; n < 1010; n++) await call('resetUser', { path: nina })
  expect([tracker.outbox.length, tracker.journal.length]).toEqual([1000, 1000])
  expect(tracker.outbox.at(-1)?.id).toBe(1010)
  expect(tracker.journal.at(-1)?.mails).toEqual([tracker.outbox.at(-1)])
})

test('of the impersonated sessions the last thousand are open', async () => {
  const before = tracker.db.tokens.rows.length
  const cookies: string[] = []
  for (let n = 0; n < 1010; n++) {
    const { headers } = await call('impersonateUser', { path: nina })
    cookies.push(headers.get('set-cookie')?.split(';')[0] ?? '')
  }
  expect(tracker.db.tokens.rows.length).toBe(before + 1000)
  const statusWith = async (cookie = '') =>
    (await call('getAccountPage', { as: null, headers: { cookie } })).status
  expect(await statusWith(cookies[0])).toBe(401)
  expect(await statusWith(cookies.at(-1))).toBe(200)
})
