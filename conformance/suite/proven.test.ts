/** A profile that is wrong in one field: told as such, once, and held against nobody. A faulty tracker does not hide behind it. */
import { describe, expect, test } from 'vitest'
import { reply } from '../../fixtures/faulty/behaviours.js'
import { type Behaviour, behaving } from '../../fixtures/faulty/call.js'
import { type FaultyTracker, faultyTrackers } from '../../fixtures/faulty/index.js'
import { planAbout, planFor, runSuite, withFaulty } from '../../fixtures/self-test.js'
import type { OperationId, Profile } from '../contract/index.js'
import { leaveOut } from './trial.js'

const refusedFor = (field: string, words: string) =>
  expect.stringContaining(`the profile's ${field} is refused by the target: ${words}`)

/** What the suite makes of a profile that is changed, on a tracker that is right but for `behave`. */
function judged(
  change: (profile: Profile) => Profile,
  operations: readonly OperationId[],
  touched: readonly OperationId[] = [],
  behave: Behaviour = (call) => call.own(),
) {
  return withFaulty({ wrap: (tracker) => behaving(tracker, touched, behave) }, (profile) =>
    runSuite(change(profile), { runs: 3, plan: planAbout(operations) }),
  )
}

const wrong: readonly {
  readonly field: string
  readonly change: (profile: Profile) => Profile
  readonly about: readonly OperationId[]
  /** What is said, as it begins. */
  readonly words: string
}[] = [
  {
    field: 'user',
    change: (profile) => ({ ...profile, user: { id: 10, username: 'nobody.at.all' } }),
    about: ['getUser'],
    words: '404',
  },
  {
    field: 'user',
    change: (profile) => ({ ...profile, user: { id: 11, username: 'nina' } }),
    about: ['getUser'],
    words: 'nina is the user 10, and not 11',
  },
  {
    field: 'user',
    change: (profile) => ({ ...profile, user: { id: 5, username: 'reporter' } }),
    about: ['getUser'],
    words: 'reporter is the owner of tokens.restricted',
  },
  {
    field: 'user',
    change: (profile) => ({ ...profile, user: { id: 7, username: 'former' } }),
    about: ['getUser'],
    words: 'former is disabled',
  },
  {
    field: 'accessLevel',
    change: (profile) => ({ ...profile, accessLevel: 26 }),
    about: ['createUser'],
    words: '400',
  },
  {
    field: 'emailDomain',
    change: (profile) => ({ ...profile, emailDomain: 'not a domain' }),
    about: ['createUser'],
    words: '400',
  },
  {
    field: 'password.valid',
    change: (profile) => ({ ...profile, password: { valid: 'x'.repeat(1100) } }),
    about: ['createUser'],
    words: '400',
  },
  {
    field: 'password.invalid',
    change: (profile) => ({ ...profile, password: { ...profile.password, invalid: 'Bright-Copper-8' } }),
    about: ['changeOwnPassword'],
    words: 'it is accepted, and other passwords are not',
  },
  {
    field: 'projects',
    change: (profile) => ({ ...profile, projects: ['1', '4711'] }),
    about: ['addUserToProjects'],
    words: '404',
  },
  {
    field: 'projectAccessLevel',
    change: (profile) => ({ ...profile, projectAccessLevel: 'captain' }),
    about: ['addUserToProjects'],
    words: '400',
  },
  {
    field: 'customField.type',
    change: (profile) => ({ ...profile, customField: { ...profile.customField, type: 'poem' } }),
    about: ['createCustomField'],
    words: '400',
  },
  {
    field: 'customField.nameLimit',
    change: (profile) => ({ ...profile, customField: { ...profile.customField, nameLimit: 90 } }),
    about: ['createCustomField'],
    words: '400',
  },
  {
    field: 'customField.nameLimit',
    change: (profile) => ({ ...profile, customField: { ...profile.customField, nameLimit: 40 } }),
    about: ['createCustomField'],
    words: 'a name of 42 characters is stored, and a longer one is not',
  },
  {
    field: 'customField.ids',
    change: (profile) => ({ ...profile, customField: { ...profile.customField, ids: [12, 999] } }),
    about: ['getCustomFieldUpdatePage'],
    words: 'the field 999 is not there: 404',
  },
  {
    field: 'plugin',
    change: (profile) => ({ ...profile, plugin: { name: 'Sampel' } }),
    about: ['installPlugin', 'updatePlugin'],
    words: '404',
  },
  {
    field: 'plugin.priority',
    change: (profile) => ({ ...profile, plugin: { name: 'Snippets', priority: { min: 1, max: 9 } } }),
    about: ['updatePlugin'],
    words: '400',
  },
  {
    field: 'plugin.priority',
    change: (profile) => ({ ...profile, plugin: { name: 'Snippets', priority: { min: 1, max: 2 } } }),
    about: ['updatePlugin'],
    words: 'the priority 4 is accepted',
  },
  {
    field: 'recipients',
    change: (profile) => ({ ...profile, recipients: [4711, 4712] }),
    about: ['deleteHelpdeskRecipient'],
    words: 'none of them is there: 404',
  },
  {
    field: 'columns',
    change: (profile) => ({ ...profile, columns: { ...profile.columns, columns: ['id', 'moon'] } }),
    about: ['manageColumns'],
    words: '400',
  },
  {
    field: 'columns',
    change: (profile) => ({ ...profile, columns: { project: { id: 4711 }, columns: ['id'] } }),
    about: ['manageColumns'],
    words: '404',
  },
  {
    field: 'userSetting',
    change: (profile) => ({ ...profile, userSetting: { option: 'moon_phase', value: '5' } }),
    about: ['updateUserSettings'],
    words: '400',
  },
  {
    field: 'settings',
    change: (profile) => ({ ...profile, settings: [{ option: 'moon_phase', value: 5 }] }),
    about: ['updateSettings'],
    words: '400',
  },
  {
    field: 'passwordAccount',
    change: (profile) => ({
      ...profile,
      passwordAccount: { ...(profile.passwordAccount ?? { current: '' }), next: 'x'.repeat(1100) },
    }),
    about: ['changeOwnPassword'],
    words: '400',
  },
  {
    field: 'passwordAccount',
    change: (profile) => ({
      ...profile,
      passwordAccount: {
        current: profile.passwordAccount?.next ?? '',
        next: profile.passwordAccount?.current ?? '',
      },
    }),
    about: ['changeOwnPassword'],
    words: 'the next password was the current one',
  },
  {
    field: 'tokens.disabled',
    change: (profile) => ({
      ...profile,
      tokens: { ...profile.tokens, disabled: profile.tokens.password ?? '' },
    }),
    about: ['getAccountPage'],
    words: 'its user password is enabled',
  },
]

describe('is told, and held against nobody', () => {
  test.each(wrong.map((one) => [`${one.field}: ${one.words}`, one] as const))(
    '%s',
    async (_, { field, change, about, words }) => {
      const { failed, mistakes } = await judged(change, about)
      expect({ failed, mistakes }).toEqual({
        failed: [],
        mistakes: [{ field, words: expect.stringMatching(words), exchange: expect.anything() }],
      })
    },
    30_000,
  )

  test('two at a time', async () => {
    const change = (profile: Profile) => ({ ...profile, accessLevel: 26, emailDomain: 'not a domain' })
    const { failed, mistakes } = await judged(change, ['createUser'])
    expect(failed).toEqual([])
    expect(mistakes.map(({ field }) => field).toSorted()).toEqual(['accessLevel', 'emailDomain'])
  })

  test('what needs the field is skipped with the words of the target, and what does not is judged', async () => {
    const change = (profile: Profile) => ({ ...profile, settings: [{ option: 'moon_phase', value: 5 }] })
    const { skipped, passed } = await judged(change, ['updateSettings'])
    expect(skipped).toContainEqual(refusedFor('settings', '400 "'))
    expect(skipped).toContainEqual(expect.stringMatching(/^settings\.update updateSettings: the profile's/))
    expect(passed).toBeGreaterThan(10)
  })
})

describe('is left alone where the fault may be the tracker’s', () => {
  const whole = (profile: Profile) => profile
  const message = 'Not today'

  test.each([
    ['every creation is refused', 'createUser', 400, 'users.create'],
    ['every field is refused', 'createCustomField', 400, 'custom-fields.create'],
    ['saving of columns fails', 'manageColumns', 500, 'columns.save-and-read'],
    ['settings are answered 201', 'updateSettings', 201, 'settings.update'],
    ['a setting fails', 'updateUserSettings', 500, 'account.settings-update'],
    ['nobody is found', 'getUser', 404, 'users.read-by-username'],
  ] as const)('%s', async (_, operation, status, requirement) => {
    const { failed, mistakes } = await judged(whole, [operation], [operation], () =>
      reply(status, { message }),
    )
    expect(mistakes).toEqual([])
    expect(failed.map((one) => one.requirement)).toContain(requirement)
  })

  test('a wrong field does not excuse another operation', async () => {
    const change = (profile: Profile) => ({ ...profile, accessLevel: 26 })
    const { failed, mistakes } = await judged(change, ['resetUser'], ['resetUser'], () =>
      reply(500, { message }),
    )
    expect(mistakes.map(({ field }) => field)).toEqual(['accessLevel'])
    expect(failed.map((one) => one.requirement)).toContain('users.reset')
  })
})

test('a tracker that stores the password of a refused change is not told as a mistaken account', async () => {
  const stores = 'changeOwnPassword refuses a wrong password and stores the new one'
  const { wrap } = faultyTrackers.find(({ statement }) => statement === stores) as FaultyTracker
  const { failed, mistakes } = await withFaulty({ wrap }, (profile) =>
    runSuite(profile, { runs: 3, plan: planAbout(['changeOwnPassword']) }),
  )
  expect(mistakes).toEqual([])
  expect(failed.map((one) => one.requirement)).toContain('account.password-current-checked')
})

describe('recipients that earlier runs have used up', () => {
  const usedUp = (profile: Profile) => ({
    ...profile,
    recipients: [4711, 4712, ...(profile.recipients ?? [])],
  })

  test('are passed over', async () => {
    const { failed, mistakes, skipped } = await judged(usedUp, ['deleteHelpdeskRecipient'])
    expect({ failed, mistakes }).toEqual({ failed: [], mistakes: [] })
    expect(skipped).not.toContainEqual(expect.stringMatching(/^(recipients\.delete|refusal\.)/))
  })

  test.each([
    ['refusal.unauthenticated-changes-nothing', 401],
    ['refusal.forbidden-changes-nothing', 403],
  ] as const)('do not hide a violation of %s', async (requirement, refused) => {
    const { failed } = await judged(
      usedUp,
      ['deleteHelpdeskRecipient'],
      ['deleteHelpdeskRecipient'],
      async (call) => {
        const answer = await call.own()
        if (answer.status === refused) await call.own({ token: call.tracker.tokens.administrator })
        return answer
      },
    )
    expect(failed.map((one) => one.requirement)).toContain(requirement)
  })
})

test('a right profile is tried with a few requests, and with none where nothing needs it', async () => {
  const counted = (requirement: string, operation: OperationId) =>
    withFaulty({ wrap: (tracker) => tracker.fetch }, (profile) =>
      runSuite(profile, { runs: 1, plan: planFor({ requirement, operation }) }),
    )
  expect((await counted('pages.user-create', 'getUserCreatePage')).requests).toBeLessThan(6)
  expect((await counted('settings.update', 'updateSettings')).requests).toBeLessThan(8)
})

test('a field is left out, and the rest stays', () => {
  const profile: Profile = {
    baseUrl: 'http://tracker.test',
    tokens: { administrator: 'one', restricted: 'two' },
    customField: { type: 'string', nameLimit: 64 },
  }
  expect(leaveOut(profile, 'customField.type')).toEqual({ ...profile, customField: { nameLimit: 64 } })
  expect(leaveOut(profile, 'customField')).toEqual({ baseUrl: profile.baseUrl, tokens: profile.tokens })
  expect(profile.customField?.type).toBe('string')
})
