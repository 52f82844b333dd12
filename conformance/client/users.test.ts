/** Made-up users at the end of a run: found again under whatever name, disabled, or told. */
import { describe, expect, test } from 'vitest'
import { idle, refusal, userIn, where } from '../../fixtures/faulty/behaviours.js'
import type { Behaviour, Call } from '../../fixtures/faulty/call.js'
import { disabled, type Guarded, type Guarding, opener, TAG } from '../../fixtures/guarded.js'
import { each, renaming, telling } from '../../fixtures/lying/answers.js'
import type { Call as Request } from './call.js'

const opening = opener()

const user = `${TAG}xaab`
const other = `${TAG}xaac`
const update = (user_id: string | number, body: object): Request => ({
  ...{ operation: 'updateUser', path: { user_id }, body },
})
/** With a user of the run. */
async function withUser(given: Guarding = {}): Promise<Guarded> {
  const target = await opening(given)
  await target.makeUser(user)
  return target
}
const isEnabled = ({ tracker: { db } }: Guarded, id: number) => db.users.find('id', id)?.enabled
const disables = ({ members }: Call) => members.enabled === false
const isProtected = (call: Call) => userIn(call)?.protected === true
/** Whoever lifts the protection alone may do so. */
const isProtectedOnly = (call: Call) => isProtected(call) && disables(call)

describe('a protected user', () => {
  test('has its protection lifted, and is disabled then', async () => {
    const target = await opening({ lie: each({ updateUser: where(isProtectedOnly, () => refusal(403)) }) })
    await target.makeUser(user, { protected: true })
    expect(await target.sweep()).toEqual([disabled(user)])
    expect(isEnabled(target, 21)).toBe(false)
    const bodies = target.arrived.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
    expect(bodies).toEqual([{ enabled: false }, { protected: false }, { enabled: false }])
  })

  const refused = /\(still enabled: the tracker answered 403 to disabling it; disable it there\)$/
  test.each<[string, Behaviour, RegExp]>([
    ['refused', () => refusal(403), refused],
    ['answered and not done', idle, /still shown as enabled/],
  ])('that stays so is told where its change is %s', async (_, behave, words) => {
    const target = await withUser({ lie: each({ updateUser: where(isProtected, behave) }) })
    await target.makeUser(other, { protected: true })
    const left = await target.sweep()
    expect(isEnabled(target, 21)).toBe(false)
    expect(isEnabled(target, 22)).toBe(true)
    expect(left).toEqual(expect.arrayContaining([disabled(user), expect.stringMatching(words)]))
    expect(left).not.toContain(disabled(other))
    expect(target.ledger.open.map(({ name }) => name)).toEqual([other])
  })
})

describe('a user whose name the tracker alters', () => {
  const forms: Readonly<Record<string, (name: string) => string>> = {
    cut: (name) => name.slice(0, 8),
    prefixed: (name) => `acme_${name}`,
    'in capitals': (name) => name.toUpperCase(),
    'another altogether': () => 'p4711',
    'with a number before it': (name) => `7${name}`,
  }
  test.each(Object.entries(forms))('is found again by its other words: %s', async (_, form) => {
    const lie: Behaviour = each({ createUser: (call) => call.own({ body: renaming(form)(call) }) })
    const target = await withUser({ lie })
    expect(await target.sweep()).toEqual([disabled(user)])
    expect(isEnabled(target, 21)).toBe(false)
    expect(target.changes.every((one) => /^POST \/users$|^PATCH \/users\/(21|tk\w+)$/.test(one))).toBe(true)
  })

  test('is found again by its e-mail where its name was none that the run has made up', async () => {
    const altered = renaming(() => 'p4711')
    const lie: Behaviour = each({ createUser: (call) => call.own({ body: altered(call) }) })
    const target = await opening({ lie })
    await target.makeUser('somebody.new', { email: `${user}@example.org`, realname: '' })
    expect(await target.sweep()).toEqual([disabled('somebody.new')])
    expect(isEnabled(target, 21)).toBe(false)
  })
})

test('a user whom the target renames to somebody else’s name is not looked for there', async () => {
  const target = await withUser()
  expect(await target.attempt(update(user, { username: 'archivist' }))).toBe(400)
  expect(await target.attempt(update(user, { username: other }))).toBe(200)
  expect(await target.sweep()).toEqual([disabled(other)])
  expect(target.changes.filter((one) => one.includes('archivist'))).toEqual([])
})

test('a user whose name another one was refused is still the one that has it', async () => {
  const target = await withUser()
  await target.makeUser(other)
  expect(await target.attempt(update(other, { username: user }))).toBe(400)
  expect(await target.attempt(update(user, { username: `${TAG}xaad` }))).toBe(200)
  expect(target.ledger.open.map(({ name }) => name)).toEqual([`${TAG}xaad`, other])
  expect(await target.sweep()).toEqual([disabled(`${TAG}xaad`), disabled(other)])
  expect([isEnabled(target, 21), isEnabled(target, 22)]).toEqual([false, false])
})

test('a user whose creation or renaming lost its answer is disabled', async () => {
  const silent: Behaviour = async (call) => {
    await call.own()
    return new Promise<never>(() => undefined)
  }
  const renaming = where(({ members }) => members.username !== undefined, silent)
  const lie = each({ createUser: silent, updateUser: renaming })
  const target = await opening({ lie, timeout: 400 })
  const body = { username: user, email: `${user}@example.org` }
  expect(await target.attempt({ operation: 'createUser', body })).toBe('timeout')
  expect(await target.attempt(update(user, { username: other }))).toBe('timeout')
  expect(await target.sweep(target.again())).toEqual([disabled(user)])
  expect(isEnabled(target, 21)).toBe(false)
})

test('a page that repeats its address is no proof, also where one by an id was', async () => {
  const echo: Behaviour = async (call) => {
    const right = await call.own()
    if (right.status !== 404) return right
    return telling((row) => ({ ...row, username: call.path.user_id, name: call.path.user_id }))({
      ...call,
      own: () => call.own({ path: { user_id: 13 } }),
    })
  }
  const target = await opening({ lie: each({ getUser: echo }) })
  await target.makeUser(other)
  expect(await target.attempt(update(21, { realname: 'Kit' }))).toBe(200)
  await target.makeUser(` ${user} `, { email: `${user}@example.org` })
  await target.sweep()
  expect(isEnabled(target, 22)).toBe(false)
})
