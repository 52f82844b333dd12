/** Which addresses a changing request may leave to: judged by the requests that arrived. */
import { describe, expect, test } from 'vitest'
import { idle, reply } from '../../fixtures/faulty/behaviours.js'
import type { Behaviour } from '../../fixtures/faulty/call.js'
import { disabled, type Guarding, opener, TAG } from '../../fixtures/guarded.js'
import { each, listing } from '../../fixtures/lying/answers.js'
import { lyingTracker } from '../../fixtures/lying/index.js'
import type { OperationId, Safety } from '../contract/index.js'
import { looselyParsed } from './body.js'
import type { Call } from './call.js'

const opening = opener()

const levels: readonly Safety[] = ['read', 'write', 'destructive']
const user = `${TAG}xaab`
const ofUsers: readonly OperationId[] = ['updateUser', 'resetUser', 'impersonateUser', 'addUserToProjects']
const changing = ofUsers.filter((one) => one !== 'impersonateUser')
const ofFields: readonly OperationId[] = ['updateCustomField', 'deleteCustomField']

const bodies: Partial<Record<OperationId, unknown>> = {
  updateUser: { realname: 'Kit', enabled: false },
  addUserToProjects: { project_ids: ['1'], access_level: 'reporter' },
  updateCustomField: { custom_field: { name: `${TAG}xaac` } },
  installPlugin: { protected: false },
  uninstallPlugin: { protected: false },
  updatePlugin: { protected: false },
}

function to(operation: OperationId, name: string, address: string | number): Call {
  const body = bodies[operation]
  return { operation, path: { [name]: address }, ...(body === undefined ? {} : { body }) }
}

const addressed = (operations: readonly OperationId[], name: string, ...addresses: (string | number)[]) =>
  operations.flatMap((operation) => addresses.map((address) => to(operation, name, address)))
const foreignUsers = [0, -1, 1, 2, 4, 7, 13, 99, '07', '+7', ' 7', '7.0', '0x7', '1e1']
const numbersBeforeWords = [`8${TAG}`, `0${TAG}`, `-1${TAG}`, ` 8${TAG}`, `8 ${user}`]
const existing = ['archivist', 'ARCHIVIST', 'archivist ', 'nin', 'ninab', 'root2', '42', 'ghost']
const foreignFields = [0, -1, 1, 3, 7, 18, 19, 99, '03', '3abc', '-0', '1.5']
const nearPlugins = ['Sampl', 'Samples', 'Samplesx', 'Sam', 'helpdesk', 'Helpdesk ', ' Helpdesk']
const ofPlugins = ['installPlugin', 'uninstallPlugin', 'updatePlugin'] as const
const destructive: Guarding = { safety: 'destructive' }
const paged: Guarding = { ...destructive, lie: lyingTracker('plugins-paged') }
const otherSigns = listing((rows) => [...rows, { basename: 'Sample_Tóo', installed: true }])
const withOtherSigns: Guarding = { ...destructive, lie: each({ listPlugins: otherSigns }) }

const foreign: readonly [what: string, calls: readonly Call[]][] = [
  [
    'a user who is not the run’s own, nor to a number before made-up words',
    addressed(ofUsers, 'user_id', ...foreignUsers, ...numbersBeforeWords, ...existing),
  ],
  ['the user of the profile', addressed(changing, 'user_id', 10, '10', 'nina', 'NINA', ' nina')],
  ['a field that is not the run’s own', addressed(ofFields, 'field_id', ...foreignFields)],
  [
    'a recipient that the profile does not give away',
    addressed(['deleteHelpdeskRecipient'], 'recipient_id', 0, -1, 1, 9, 12, '1abc', '12.5'),
  ],
]
const creation = (username: string): Call => ({
  ...{ operation: 'createUser', body: { username, email: `${user}@example.org` } },
})
const plugins = (names: readonly string[]) => addressed(ofPlugins, 'plugin_name', ...names)
const likeListed = ['SampleToo', 'sample too', 'Sample-too.php']

test.each<readonly [what: string, calls: readonly Call[], given: Guarding]>([
  ...levels.flatMap((safety) =>
    foreign.map(([what, calls]) => [`at ${safety} to ${what}`, calls, { safety }] as const),
  ),
  ['under the name of a user', ['archivist', 'nina', 'administrator'].map(creation), destructive],
  ['to a plugin that something in the list could be', plugins(nearPlugins), destructive],
  ['to a plugin where the list is a page of one', plugins(['Sampl']), paged],
  ['to a plugin that the list has with other signs in between', plugins(likeListed), withOtherSigns],
])('no change leaves %s', async (_, calls, given) => {
  const target = await opening(given)
  for (const call of calls)
    expect(await target.attempt(call), JSON.stringify(call)).toMatch(/not sent|needs --safety/)
  expect(target.changes).toEqual([])
})

describe('a recipient that there is not', () => {
  const deleting = (recipient_id: string | number): Call =>
    to('deleteHelpdeskRecipient', 'recipient_id', recipient_id)

  test('is addressed at destructive alone', async () => {
    const target = await opening({ safety: 'destructive' })
    for (const status of [200, 404]) expect(await target.attempt(deleting(10))).toBe(status)
    for (const address of ['10abc', -10, 1_234_567_890])
      expect(await target.attempt(deleting(address))).toBe(404)
    expect(await target.sweep()).toEqual([expect.stringMatching(/^recipient 10 \(its deletion was answered/)])
  })

  test('and is answered 200 is the last, and the others are told', async () => {
    const nearest: Behaviour = (call) => call.own({ path: { recipient_id: call.count > 1 ? 11 : 10 } })
    const lie = each({ deleteHelpdeskRecipient: nearest })
    const target = await opening({ safety: 'destructive', lie })
    for (const _ of [1, 2]) expect(await target.attempt(deleting(10))).toBe(200)
    for (const address of [10, 11, 'abc'])
      expect(await target.attempt(deleting(address))).toMatch(/^not sent/)
    expect((await target.sweep()).toSorted()).toEqual([
      expect.stringMatching(/^recipient 10 \(its deletion was answered as done/),
      expect.stringMatching(/^recipient 11 \(may be gone/),
      expect.stringMatching(/^recipient whichever \(may be gone/),
    ])
  })
})

test('an own user with a number before the name is addressed by the id, unless nobody has that number', async () => {
  const target = await opening({})
  const [small, large] = [`8${user}`, `9876543210${TAG}xaac`]
  const { id } = await target.makeUser(small)
  await target.makeUser(large)
  expect(await target.attempt(to('updateUser', 'user_id', small))).toMatch(/^not sent/)
  expect(await target.attempt(to('updateUser', 'user_id', id ?? 0))).toBe(200)
  expect(await target.attempt(to('updateUser', 'user_id', large))).toBe(200)
  expect(await target.sweep()).toEqual([disabled(small), disabled(large)])
  expect(target.changes.filter((one) => one.includes(small))).toEqual([])
})

test('nobody and what no tracker has counted to may be addressed at read', async () => {
  const target = await opening({ safety: 'read' })
  for (const operation of ofUsers) {
    expect(await target.attempt(to(operation, 'user_id', `${TAG}nobody`))).toBe(404)
    expect(await target.attempt(to(operation, 'user_id', 987_654_321))).toBe(404)
  }
  for (const operation of ofFields)
    expect(await target.attempt(to(operation, 'field_id', 1_234_567_890))).toBe(404)
})

describe('letters in place of the id of a field', () => {
  const zero = (path: string): Behaviour =>
    each({
      getCustomFieldUpdatePage: async (call) =>
        call.path.field_id === path ? reply(200, { custom_field: { id: 0, name: 'Zero' } }) : call.own(),
    })
  test.each([
    ['leave where neither they nor 0 are anything', undefined, /^(400|404)$/, 1],
    ['stay where 0 is something', zero('0'), /^not sent/, 0],
    ['stay where they are something', zero('letters'), /^not sent/, 0],
  ])('%s', async (_, lie, outcome, times) => {
    const target = await opening({ safety: 'read', ...(lie ? { lie } : {}) })
    const answer = await target.attempt(to('deleteCustomField', 'field_id', 'letters'))
    expect(String(answer)).toMatch(outcome)
    expect(target.changes).toHaveLength(times)
  })
})

const whole = ['{}', '[]', 'null', '', '{"kit":1,}', "{'kit':1}", '{"a":"{["} x', '{"username":"a"}']
const cutOff = '{"kit":[{"a":1}'
test.each([
  ['createCustomField', true],
  ['updateUserSettings', true],
  ['updateSettings', true],
  ['changeOwnPassword', true],
  // No body at all may be a right one.
  ['createUser', false],
  ['manageColumns', false],
] as const)('at read %s leaves with a body that is cut off alone: %s', async (operation, leaves) => {
  const target = await opening({ safety: 'read' })
  for (const rawBody of [...whole, ...(leaves ? [] : [cutOff])])
    for (const as of ['administrator', 'restricted', 'password'] as const)
      expect(await target.attempt({ operation, as, rawBody }), rawBody).toMatch(/needs --safety/)
  expect(target.changes).toEqual([])
  if (leaves) expect(await target.attempt({ operation, rawBody: cutOff })).toBe(400)
  expect(target.changes).toHaveLength(leaves ? 1 : 0)
})

describe('a body that is no JSON is judged by what a loose parser would make of it', () => {
  const created = `{"username":"${user}","email":"${user}@example.org`
  const saved = '{"configs":[{"option":"refresh_delay","value":"31"}'
  const settings = '[{"option":"page_size","value":9'

  test.each([
    ['createUser', created],
    ['createUser', created.replaceAll('"', "'")],
    ['createCustomField', `{"custom_field":{"name":"${user}",}`],
    ['updateUserSettings', saved],
    ['updateSettings', settings],
    ['manageColumns', '{"columns":["id"'],
    ['changeOwnPassword', '{"password_current":"x","password":"y"'],
  ] as const)('%s stays at read: %s', async (operation, rawBody) => {
    const settings = [{ option: 'page_size', value: 5 }]
    const target = await opening({ safety: 'read', profile: (one) => ({ ...one, settings }) })
    for (const as of ['administrator', 'restricted'] as const)
      expect(await target.attempt({ operation, as, rawBody })).toMatch(/needs --safety|not sent/)
    expect(target.changes).toEqual([])
  })

  const heeded: Behaviour = async (call) => {
    if (call.json !== undefined || call.text === '') return call.own()
    await call.own({ body: looselyParsed(call.text) })
    return reply(400, { message: 'no JSON' })
  }

  test('and what it makes or changes is put back', async () => {
    const target = await opening({ safety: 'destructive', lie: heeded })
    const before = target.tracker.db.userSettings.rows.map((row) => ({ ...row }))
    for (const rawBody of [created, `${created}",}`.replace(user, `${TAG}xaac`)])
      await target.attempt({ operation: 'createUser', rawBody })
    await target.attempt({ operation: 'updateUserSettings', rawBody: saved })
    expect(target.tracker.db.userSettings.rows).not.toEqual(before)
    expect(await target.sweep()).toContain(disabled(user))
    expect(target.tracker.db.userSettings.rows.map((row) => ({ ...row }))).toEqual(before)
    expect(target.tracker.db.users.rows.filter(({ id, enabled }) => id > 20 && enabled)).toEqual([])
  })
})

describe('the name of a plugin', () => {
  const near = ['sample', 'SAMPLE', ' Sample', ...nearPlugins, 'Helpdesk', 'a', '', 'Sample', 'Nothing']
  const made = [`${TAG}NoPlugin`, `${TAG}x`]
  const body = { protected: false }
  // Of the neighbours of the profile's plugin nothing is listed.
  const alone = each({
    listPlugins: listing((rows) => [
      ...rows.filter((row) => !/^Sampl(e|es)?$/.test(String(row.basename))),
      { basename: 'Sample', installed: false },
    ]),
  })

  test.each(['read', 'write'] as const)('leaves at %s where the run has made it up', async (safety) => {
    const target = await opening({ safety })
    for (const operation of ofPlugins) {
      const attempt = (plugin_name: string) => target.attempt({ operation, path: { plugin_name }, body })
      for (const name of near) expect(await attempt(name), name).toBeTypeOf('string')
      expect(target.changes).toEqual([])
      for (const name of made) expect(await attempt(name)).toBe(404)
      target.arrived.splice(0)
    }
  })

  test('of the profile leaves nowhere if it was installed before the run, whatever else was asked for first', async () => {
    const installed = listing(() => [{ basename: 'Sample' }, { basename: 'Helpdesk' }])
    const lie = each({ listPlugins: installed, installPlugin: () => reply(404, { message: 'None' }) })
    const target = await opening({ safety: 'destructive', lie })
    const to = (plugin_name: string, operation: OperationId = 'installPlugin') =>
      target.attempt({ operation, path: { plugin_name } })
    expect(await to(`${TAG}Sample`)).toBe(404)
    expect(await to('Sampl')).toMatch(/may be meant/)
    for (const operation of ofPlugins) expect(await to('Sample', operation)).toMatch(/before the run/)
    expect(target.ledger.open).toEqual([])
  })

  test('of the profile in another case is in the ledger where it was answered as done', async () => {
    const lie: Behaviour = each({
      installPlugin: (call) => call.own({ path: { plugin_name: 'Sample' } }),
      listPlugins: alone,
    })
    const target = await opening({ safety: 'destructive', lie })
    expect(await target.attempt({ operation: 'installPlugin', path: { plugin_name: 'sample' } })).toBe(200)
    expect(target.ledger.open).toMatchObject([{ kind: 'plugin', name: 'Sample' }])
    expect(await target.sweep()).toEqual([])
    expect(target.tracker.db.plugins.find('basename', 'Sample')?.installed).toBe(false)
  })

  test('of the profile is in the ledger of an update, and told where its removal was answered and not done', async () => {
    const target = await opening({ safety: 'destructive', lie: each({ uninstallPlugin: idle }) })
    const path = { plugin_name: 'Sample' }
    expect(await target.attempt({ operation: 'installPlugin', path })).toBe(200)
    expect(await target.attempt({ operation: 'updatePlugin', path, body })).toBe(200)
    expect(await target.attempt({ operation: 'uninstallPlugin', path })).toBe(200)
    expect(target.ledger.open).toMatchObject([{ kind: 'plugin', name: 'Sample', state: 'gone' }])
    expect(await target.sweep()).toEqual([expect.stringMatching(/^plugin Sample \(may be installed still/)])
  })
})
