/** What leaves where a target lies about ids: judged by the requests that arrived there. */
import { describe, expect, test } from 'vitest'
import { idle, reply } from '../../fixtures/faulty/behaviours.js'
import type { Behaviour, Call } from '../../fixtures/faulty/call.js'
import { disabled, type Guarded, opener, TAG } from '../../fixtures/guarded.js'
import { beside, each, renaming, telling } from '../../fixtures/lying/answers.js'
import { lyingTracker, lyingTrackers } from '../../fixtures/lying/index.js'
import { operation } from '../contract/index.js'
import type { Call as Request } from './call.js'

const opening = opener()

const user = `${TAG}xaab`
const field = `${TAG}xaac`
const change = (user_id: string | number, body: object): Request => ({
  ...{ operation: 'updateUser', path: { user_id }, body },
})
const deletion = (field_id: number | null): Request => ({
  ...{ operation: 'deleteCustomField', path: { field_id: field_id ?? 0 } },
})
const own = [`/users/${user}`, '/users/21', '/custom_fields/19']
/** Changes of what the run has not made. */
const foreignChanges = ({ changes }: Guarded) =>
  changes.filter((one) => !/^POST .*(users|create)$/.test(one) && !own.includes(one.split(' ')[1] ?? ''))

describe('a creation that tells another id', () => {
  const lies = lyingTrackers.filter(({ id }) => id.startsWith('created-'))
  test.each(lies.map((row) => [row.id, row] as const))('%s: that record is never changed', async (_, lie) => {
    const target = await opening({ lie })
    await target.makeUser(user)
    const made = await target.makeField(field)
    const users = [0, -7, 1, 3, 4, 10, 20, 22]
    const fields = [0, -7, 1, 3, 4, 18, 20]
    for (const id of users) await target.attempt(change(id, { enabled: false }))
    for (const field_id of fields)
      for (const operation of ['updateCustomField', 'deleteCustomField'] as const)
        await target.attempt({ operation, path: { field_id }, body: { custom_field: { type: 1 } } })
    const left = await target.sweep()
    const ownField = target.tracker.db.customFields.rows.find(({ name }) => name === field)
    expect(foreignChanges(target)).toEqual([])
    expect(target.tracker.db.users.find('username', user)?.enabled).toBe(false)
    // Deleted, or told.
    expect(ownField === undefined || left.some((line) => line.includes(field))).toBe(true)
    expect(made.id === null || made.id === 19).toBe(true)
  })

  test('of a second field with the same name: both are gone, or told', async () => {
    let first: number | undefined
    // The tracker keeps the second under another name, which nobody is shown.
    const shown = telling((row) => ({ ...row, name: String(row.name).replace(/ again$/, '') }))
    const lie: Behaviour = each({
      createCustomField: async (call) => {
        const right = await (first === undefined
          ? call.own()
          : call.own({ body: renaming((name) => `${name} again`)(call) }))
        const told = telling((row) => {
          first ??= Number(row.id)
          return { ...row, id: first, name: field }
        })
        return told({ ...call, own: async () => right })
      },
      listCustomFields: shown,
      getCustomFieldUpdatePage: shown,
    })
    const target = await opening({ lie })
    const both = [await target.makeField(field), await target.makeField(field)]
    expect(target.ledger.open).toEqual(both)
    const made = () => target.tracker.db.customFields.rows.filter(({ name }) => name.startsWith(field))
    expect(made()).toHaveLength(2)
    const left = await target.sweep()
    expect(left).toHaveLength(made().length)
  })
})

const pageOf = ({ path }: Call) => String(path.user_id ?? path.field_id)

describe('a page', () => {
  const others: readonly Request[] = [
    change(13, { enabled: false }),
    { operation: 'updateCustomField', path: { field_id: 3 }, body: { custom_field: { default_value: '1' } } },
    deletion(3),
    { ...change(13, { project_ids: ['1'], access_level: '25' }), operation: 'addUserToProjects' },
    { operation: 'resetUser', path: { user_id: 13 } },
  ]
  const tellsOthers = {
    createUser: telling((row) => ({ ...row, id: 13 })),
    createCustomField: telling((row) => ({ ...row, id: 3 })),
  }
  const on = (behave: Behaviour) =>
    each({ ...tellsOthers, getUser: behave, getUserEditPage: behave, getCustomFieldUpdatePage: behave })
  const names = [user, field]
  const pages: Readonly<Record<string, Behaviour>> = {
    'that repeats its address': on(async (call) => {
      const right = await call.own()
      return reply(right.status, { ...((await right.json()) as object), asked: pageOf(call), title: user })
    }),
    'that shows the newest names to all': on(beside(() => ({ newest: names.map((name) => ({ name })) }))),
    'that shows the newest names beside its own record': on(
      telling((row) => ({ ...row, newest_users: names, newest_fields: names })),
    ),
    'that shows [] of everything': on(async () => reply(200, [])),
    'that shows {} of everything': on(async () => reply(200, {})),
    'that shows every name as its own, with another id': on(async () =>
      reply(200, { user: { id: 21, name: user }, custom_field: { id: 19, name: field } }),
    ),
    'whose own id is another than that of its address': on(
      telling(({ id, ...row }) => ({ ...row, id: Number(id) + 1, name: id === 13 ? user : row.name })),
    ),
  }
  test.each(Object.entries(pages))('%s is no proof', async (_, lie) => {
    const target = await opening({ lie, safety: 'destructive' })
    await target.makeUser(user)
    await target.makeField(field)
    for (const call of others) expect(await target.attempt(call)).toMatch(/^not sent, since no read shows/)
    await target.sweep()
    expect(foreignChanges(target)).toEqual([])
  })
})

test.each(['getUser', 'getCustomFieldUpdatePage'] as const)(
  'without %s another read proves what may be changed',
  async (missing) => {
    const target = await opening({ profile: (one) => ({ ...one, notImplemented: [missing] }) })
    await target.makeUser(user)
    const { id } = await target.makeField(field)
    expect(await target.attempt(change(user, { realname: 'Kit' }))).toBe(200)
    expect(await target.attempt(deletion(id))).toBe(200)
    expect(await target.sweep()).toEqual([disabled(user)])
  },
)

test('an update whose body names another user by id leaves only where that is one of the run', async () => {
  const target = await opening()
  await target.makeUser(user)
  await target.makeUser(`${TAG}xaad`)
  await target.attempt(change(22, { realname: 'Kit' }))
  expect(await target.attempt(change(user, { realname: 'Kit', id: 5 }))).toMatch(/^not sent/)
  expect(await target.attempt(change(user, { realname: 'Kit', id: 22 }))).toBeTypeOf('number')
})

test('a field whose deletion is answered and not done is told', async () => {
  const target = await opening({ lie: each({ deleteCustomField: idle }) })
  expect(await target.attempt(deletion((await target.makeField(field)).id))).toBe(200)
  expect(await target.sweep()).toEqual([expect.stringContaining(`custom field ${field} (still shown`)])
  expect(target.ledger.open).toHaveLength(1)
})

test('a field that may not be deleted while a project has it is taken out of it first', async () => {
  const decisions = { 'cf-delete-linked': 'refused', 'cf-projects-update': 'replaced' } as const
  const target = await opening({ lie: { ...lyingTracker('honest'), options: { decisions } } })
  const { id } = await target.makeField(field)
  await target.tracker.db.customFieldLinks.create({ field_id: id ?? 0, project_id: 1 })
  expect(await target.sweep()).toEqual([])
  expect(target.tracker.db.customFields.find('name', field)).toBeUndefined()
})

test('of two deletions of a field that are asked for together the second is judged by what stands there behind the first', async () => {
  const target = await opening({
    async lie(call) {
      const answer = await call.own()
      const id = Number(call.path.field_id)
      if (call.operation === 'deleteCustomField')
        await call.tracker.db.customFields.create({ id, name: 'of a colleague' })
      return answer
    },
  })
  const id = (await target.makeField(field)).id ?? 0
  const both = await Promise.all([1, 2].map(() => target.attempt(deletion(id))))
  expect(both).toEqual([200, expect.stringContaining('not sent')])
  expect(target.tracker.db.customFields.find('id', id)?.name).toBe('of a colleague')
})

/** Changes that are answered with the wish to come back later are asked for again only where a read shows that they were not done. */
const later = () => Response.json({ message: 'later' }, { status: 503, headers: { 'retry-after': '0' } })

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

const creations: readonly Request[] = [
  { operation: 'createUser', body: { username: user, email: `${user}@example.org` } },
  { operation: 'createCustomField', body: { custom_field: { name: field, type: 'string' } } },
]
const deletions: readonly Request[] = [{ operation: 'deleteHelpdeskRecipient', path: { recipient_id: 10 } }]
const told = [expect.stringMatching(/^recipient 10 .*answer lost/)]

test.each<[what: string, calls: readonly Request[], isDone: boolean, left: readonly unknown[]]>([
  ['what was not done is asked for again', creations, false, [disabled(user)]],
  ['what was done is not done twice, and is removed', creations, true, [disabled(user)]],
  ['what no read shows is told where it was done', deletions, true, told],
  ['what no read shows is told where it was not done', deletions, false, told],
])('where the target asks to come back later, %s', async (_, calls, isDone, left) => {
  const target = await opening({ safety: 'destructive', lie: once(isDone) })
  const isAgain = !isDone && calls !== deletions
  for (const call of calls) expect(await target.attempt(call)).toBe(isAgain ? 200 : 'throttled')
  expect(target.changes).toHaveLength(isAgain ? 2 * calls.length : calls.length)
  expect(target.ledger.open).toHaveLength(calls.length)
  expect(await target.sweep()).toEqual(left)
  const { db } = target.tracker
  expect(db.users.rows.filter(({ id, enabled }) => id > 20 && enabled)).toEqual([])
  expect(db.customFields.rows.filter(({ name }) => name.startsWith(TAG))).toEqual([])
})
