/** What of the profile's accounts is changed, and put back: judged by the requests that arrived, and by what is there. */
import { describe, expect, test } from 'vitest'
import { idle, refusal, reply, where } from '../../fixtures/faulty/behaviours.js'
import type { Behaviour, Call } from '../../fixtures/faulty/call.js'
import { type Guarded, opener, TAG } from '../../fixtures/guarded.js'
import { beside, each, telling } from '../../fixtures/lying/answers.js'
import { lyingTracker } from '../../fixtures/lying/index.js'
import type { LyingTracker } from '../../fixtures/lying/lying.js'
import type { Call as Request } from './call.js'
import { lookAround } from './survey.js'

const opening = opener({ safety: 'destructive' })

const user = `${TAG}xaab`
const identities = ['administrator', 'restricted', 'password'] as const
const ids = { administrator: 1, restricted: 5, password: 9 } as const
const names = { administrator: 'administrator', restricted: 'reporter', password: 'password' } as const
const settingsOf = ({ tracker: { db } }: Guarded) => db.userSettings.rows.map(({ ...row }) => row)
const columnsOf = ({ tracker: { db } }: Guarded) => db.columnConfigurations.rows.map(({ ...row }) => row)
const current = { password_current: 'Sunny-Day-2024' }

const named = telling((row) => ({ ...row, username: row.name }))
const refreshing = { configs: [{ option: 'refresh_delay', value: '44' }] }
const renames = identities.flatMap((as) =>
  [names.password, ids.password, names.restricted, ids.restricted].map(
    (user_id): Request => ({ operation: 'updateUser', as, path: { user_id }, body: { username: user } }),
  ),
)
const changing = (password: unknown, more: Partial<Request> = { as: 'password' }): Request => ({
  ...{ operation: 'changeOwnPassword', body: { ...current, password }, ...more },
})
const saving = (more: object): Request => ({ operation: 'updateUserSettings', body: refreshing, ...more })
const savings = () => identities.map((as) => saving({ as }))
const columns = { project: { id: 1 }, type: 'view', columns: ['id'] }
const savingColumns = (more: object): Request => ({ operation: 'manageColumns', body: columns, ...more })
const otherPasswords = (['administrator', 'restricted'] as const).flatMap((as) =>
  ['Rainy-Night-2025', 7, ['x']].map((password) => changing(password, { as })),
)
const eachBy = (more: Partial<Request>) => [changing('Rainy-Day', more), saving(more), savingColumns(more)]
const ofDisabled = ({ profile }: Guarded) => eachBy({ authorization: `Bearer ${profile.tokens.disabled}` })
const rawBody = '{"password_current":"Sunny-Day-2024","password":"Rainy-Ni'
const ending: Request = { operation: 'changeOwnPassword', as: 'password', rawBody }

test.each<[what: string, calls: (target: Guarded) => readonly Request[], lie?: Behaviour | LyingTracker]>([
  ['a body that ends within a new password', () => [ending]],
  ['what a disabled user wants changed', ofDisabled],
  ['the password of another account', () => otherPasswords],
  ['a new name for an account', () => renames, each({ getUser: named })],
  ['a setting that no page shows', savings, each({ getUserSettingsPage: async () => reply(200, []) })],
  ["a setting of one whose pages are another's", savings, lyingTracker('pages-of-first-caller')],
])('%s never leaves', async (_, calls, lie) => {
  const target = await opening(lie ? { lie } : {})
  for (const call of calls(target)) expect(await target.attempt(call)).toMatch(/^not sent/)
  expect(target.changes).toEqual([])
})

describe('the password account', () => {
  const passwordIn = ({ tracker }: Guarded) => tracker.db.users.find('id', 9)?.password

  test('has its password changed at destructive alone, and back, also one that the profile does not have', async () => {
    const careful = await opening({ safety: 'write' })
    for (const password of ['Rainy-Night-2025', 7, true, ['x'], { a: 'x' }])
      expect(await careful.attempt(changing(password))).toMatch(/needs --safety/)
    expect(careful.changes).toEqual([])
    for (const password of ['Rainy-Night-2025', 'abcdef']) {
      const target = await opening({})
      expect(await target.attempt(changing(password))).toBe(200)
      expect(target.ledger.open).toMatchObject([{ kind: 'password' }])
      expect(await target.sweep()).toEqual([])
      expect(passwordIn(target)).toBe('Sunny-Day-2024')
    }
  })

  test('is told where its password is said to be put back, and is not', async () => {
    const password = current.password_current
    const isBack = ({ members }: Call) => members.password === password
    const target = await opening({ lie: each({ changeOwnPassword: where(isBack, idle) }) })
    expect(await target.attempt(changing('abcdef'))).toBe(200)
    const body = { password_current: 'abcdef', password }
    expect(await target.attempt({ ...changing('abcdef'), body })).toBe(200)
    const told = /^the password account's password \(answered as put back/
    expect(await target.sweep()).toEqual([expect.stringMatching(told)])
    expect(passwordIn(target)).toBe('abcdef')
  })

  test('is told where it is changed there and back for a proof, and only there', async () => {
    const password = current.password_current
    const isBack = ({ members, tracker: { db } }: Call) =>
      members.password === password && members.password_current === db.users.find('id', 9)?.password
    const target = await opening({ lie: each({ changeOwnPassword: where(isBack, idle) }) })
    expect(await target.attempt(changing('Rainy-Night-2025'))).toBe(200)
    const { users } = target.tracker.db
    const user = users.find('id', 9)
    if (user) await users.change(user, { password })
    expect(await target.sweep()).toEqual([expect.stringMatching(/answered as put back/)])
    expect(passwordIn(target)).toBe('Rainy-Night-2025')
  })

  test.each([
    ['password', 'honest'],
    ['restricted', 'honest'],
    ['restricted', 'pages-cached'],
  ] as const)('has its record put back, and so has %s: %s', async (as, id) => {
    const target = await opening({ lie: lyingTracker(id) })
    const record = () => ({ ...target.tracker.db.users.find('id', ids[as]) })
    const before = record()
    const path = { user_id: names[as] }
    for (const body of [{ realname: 'Kit' }, { access_level: 90 }, { email: `${user}@example.org` }])
      await target.attempt({ operation: 'updateUser', path, body })
    expect(record()).not.toEqual(before)
    expect(await target.sweep()).toEqual([])
    const { access_level, email, realname } = before
    expect(record()).toMatchObject({ access_level, email, realname })
  })
})

describe.each(identities)('of the %s', (as) => {
  const save = (option: string, value = '7') =>
    ({ operation: 'updateUserSettings', as, body: { configs: [{ option, value }] } }) as const

  test('settings are put back, also where pages are cached', async () => {
    const target = await opening({ lie: lyingTracker('pages-cached') })
    const before = settingsOf(target)
    for (const option of ['refresh_delay', 'redirect_delay'])
      for (const value of ['7', '9', '50']) expect(await target.attempt(save(option, value))).toBe(200)
    expect(await target.sweep()).toEqual([])
    for (const row of before) expect(settingsOf(target)).toContainEqual(row)
  })

  test('a setting that is named in an odd body is put back too', async () => {
    const updateUserSettings: Behaviour = ({ members, own }) => {
      const named = Object.entries(members).map(([option, value]) => ({ option, value }))
      return own({ body: { configs: [members.configs ?? named].flat() } })
    }
    const target = await opening({ lie: each({ updateUserSettings }) })
    const option = 'refresh_delay'
    const page = settingsOf(target).find((row) => row.user_id === ids[as] && row.option === option)
    const send = (body: object) => target.attempt({ operation: 'updateUserSettings', as, body })
    expect(await send({ configs: { option, value: '33' } })).toBe(200)
    expect(await send({ redirect_delay: '8' })).toBe(200)
    expect(target.ledger.open.map(({ name }) => name).toSorted()).toEqual(['redirect_delay', option])
    expect(await target.sweep()).toEqual([])
    expect(page === undefined || settingsOf(target).some((row) => row.value === page.value)).toBe(true)
  })

  test('a setting that is not put back is told', async () => {
    let count = 0
    const once: Behaviour = (call) => (++count === 1 ? call.own() : refusal(403).clone())
    const target = await opening({ lie: each({ updateUserSettings: async (call) => once(call) }) })
    expect(await target.attempt(save('refresh_delay', '44'))).toBe(200)
    const [line] = await target.sweep()
    expect(line).toMatch(/^setting refresh_delay.*not put back: 403/)
    expect(target.ledger.open).toHaveLength(1)
  })

  test('columns are put back, however their project is written', async () => {
    const target = await opening({})
    const body = { project: { id: 1 }, type: 'view' }
    const shown = async () => (await target.client.send({ operation: 'manageColumns', as, body })).json
    const before = await shown()
    const bodies = [
      { project: { id: 1 }, type: 'view', columns: ['id', 'os'] },
      { project: '1', type: 'view', columns: ['id', 'priority'] },
      { type: 'view', project: { id: 1 }, columns: ['summary'] },
      { project: { id: '1' }, columns: ['status'] },
    ]
    for (const body of bodies) await target.attempt({ operation: 'manageColumns', as, body })
    expect(await shown()).not.toEqual(before)
    await target.sweep()
    expect(await shown()).toEqual(before)
  })
})

describe('the columns on which it is tried whether they can be read', () => {
  const tried = async (lie?: Behaviour | LyingTracker) => {
    const target = await opening(lie ? { lie } : {})
    await lookAround(target.client, target.profile)
    return target
  }

  test('are put back at once', async () => {
    const target = await tried()
    expect(target.changes.length).toBeGreaterThan(4)
    expect(target.ledger.open).toEqual([])
    const { columns } = target.tracker.db.columnConfigurations.find('place', '1/1/view') ?? {}
    expect(columns).toEqual(['id', 'status', 'summary', 'last_updated'])
  })

  test('stay in the ledger where they are not put back', async () => {
    let saves = 0
    const once: Behaviour = (call) => (call.members.columns && ++saves > 1 ? idle(call) : call.own())
    const target = await tried(each({ manageColumns: once }))
    expect(saves).toBeGreaterThan(1)
    expect(await target.sweep()).toEqual([expect.stringContaining('"type":"view"} (not put back: 200')])
  })
})

test('columns and settings are put back where other members show them', async () => {
  const renamed = (rename: (text: string) => string) => async (call: Call) => {
    const answer = await call.own()
    return reply(answer.status, JSON.parse(rename(await answer.text())))
  }
  const target = await opening({
    lie: each({
      manageColumns: renamed((text) => text.replaceAll('"columns":[', '"sequence":[')),
      getUserSettingsPage: renamed((text) => text.replaceAll('"value":', '"standard":"7","now":')),
    }),
  })
  const { columns, userSetting } = target.profile
  const before = [columnsOf(target), settingsOf(target)]
  expect(await target.attempt({ operation: 'manageColumns', body: columns })).toBe(200)
  const configs = [userSetting]
  expect(await target.attempt({ operation: 'updateUserSettings', body: { configs } })).toBe(200)
  expect([columnsOf(target), settingsOf(target)]).not.toEqual(before)
  expect(await target.sweep()).toEqual([])
})

test('columns, the settings of the extension, and a recipient are told where they cannot be read', async () => {
  const opaque: Behaviour = async (call) =>
    'columns' in call.members ? reply((await call.own()).status, []) : refusal(400)
  const target = await opening({ lie: each({ manageColumns: opaque }) })
  const { columns, settings } = target.profile
  expect(await target.attempt({ operation: 'manageColumns', body: columns })).toBe(200)
  expect(await target.attempt({ operation: 'updateSettings', body: settings })).toBe(200)
  const path = { recipient_id: 10 }
  expect(await target.attempt({ operation: 'deleteHelpdeskRecipient', path })).toBe(200)
  expect((await target.sweep()).toSorted()).toEqual([
    expect.stringMatching(/^columns .*what they were before is not shown/),
    expect.stringMatching(/^extension settings .*what they were before is not shown/),
    expect.stringMatching(/^recipient 10 .*answered as done/),
  ])
})

test.each([{ configs: [] }, {}, []])(
  'a body without a setting, %j, leaves at destructive alone',
  async (body) => {
    const call = { operation: 'updateUserSettings', body } as const
    const careful = await opening({ safety: 'write' })
    expect(await careful.attempt(call)).toMatch(/^needs --safety destructive/)
    const madeUp = { configs: [{ option: `${TAG}option`, value: `${TAG}value` }] }
    expect(await careful.attempt({ ...call, body: madeUp })).toBe(400)
    expect(await (await opening({})).attempt(call)).toBe(400)
  },
)

describe('what is changed without credentials', () => {
  const calls = eachBy({ authorization: null })

  test('and refused leaves nothing to tell', async () => {
    const target = await opening({})
    for (const call of calls) expect(await target.attempt(call)).toBe(401)
    expect(await target.sweep()).toEqual([])
  })

  test('and done for whomever is told, and never asked for below destructive', async () => {
    const lie = lyingTracker('strangers-are-guest')
    const careful = await opening({ safety: 'write', lie })
    for (const call of calls) expect(await careful.attempt(call)).toMatch(/^needs --safety destructive/)
    const target = await opening({ lie })
    for (const call of calls) expect(await target.attempt(call)).toBe(200)
    expect((await target.sweep()).toSorted()).toEqual([
      expect.stringMatching(/^columns .* of an unknown user \(saved/),
      'setting password of an unknown user (changed; what it was before is not shown)',
      'setting refresh_delay of an unknown user (changed; what it was before is not shown)',
    ])
  })
})

test('whose account page names the newest users is not taken for one of them', async () => {
  const target = await opening({ lie: each({ getAccountPage: beside(() => ({ newest: [user] })) }) })
  await target.makeUser(user)
  const authorization = `bearer ${target.profile.tokens.administrator}`
  await target.attempt(saving({ authorization }))
  expect(await target.attempt(changing('Rainy-Night-2025', { authorization }))).toMatch(/^not sent/)
  await target.sweep()
  expect(settingsOf(target)).toContainEqual({ user_id: 1, option: 'refresh_delay', value: '20' })
})
