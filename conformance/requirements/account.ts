/** Sections 2.2, 2.3 and 4.1: what every authenticated user may do for itself. */
import { usernameOf } from '../suite/identity.js'
import { isObject, pointersTo, settingIn, valueAt, values } from '../suite/look.js'
import { requirement } from '../suite/requirement.js'
import { keepingSetting } from '../suite/shared.js'

export const account = [
  requirement({
    id: 'account.pages',
    level: 'must',
    section: '4.1',
    statement: 'An authenticated user reads its own account, tokens and settings pages.',
    operations: ['getAccountPage', 'getTokensPage', 'getUserSettingsPage'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      t.expect(await t.send({ operation }), 200, 'the own page, as administrator')
      if (t.profile.tokens.restricted === undefined) return
      t.expect(await t.send({ operation, as: 'restricted' }), 200, 'the own page, as ordinary user')
    },
  }),

  requirement({
    id: 'account.own-page',
    level: 'must',
    section: '4.1',
    statement: 'The account page is that of the authenticated user, and not the same for everybody.',
    operations: ['getAccountPage'],
    safety: 'read',
    async check(t, operation) {
      t.need('tokens.restricted')
      const name = await usernameOf(t, 'administrator')
      if (name === null) return t.skip("the account page does not show the administrator's name")
      const [mine, other] = [await t.send({ operation }), await t.send({ operation, as: 'restricted' })]
      const places = pointersTo(mine.json, (value) => value === name)
      const same = places.find((place) => valueAt(other.json, place) === name)
      t.verify(same === undefined, `the page of another user has the administrator's name at ${same}`, other)
    },
  }),

  requirement({
    id: 'account.own-tokens',
    level: 'must',
    section: '4.1',
    statement: 'The tokens page is that of the authenticated user: no token stands on the pages of two.',
    operations: ['getTokensPage'],
    safety: 'read',
    async check(t, operation) {
      t.need('tokens.restricted')
      const mine = tokensOn((await t.send({ operation })).json)
      const other = await t.send({ operation, as: 'restricted' })
      const both = tokensOn(other.json).some((record) => mine.includes(record))
      t.verify(!both, "the page of another user has one of the administrator's tokens", other)
    },
  }),

  requirement({
    id: 'account.settings-update',
    level: 'must',
    section: '2.3',
    statement:
      'A permitted self-service setting is changed with 200, and where the settings page shows it, it shows the new value.',
    operations: ['updateUserSettings', 'getUserSettingsPage'],
    safety: 'destructive',
    async check(t, operation) {
      await keepingSetting(t, async (setting, old) => {
        const others = async () => {
          if (t.profile.tokens.restricted === undefined) return undefined
          const page = await t.send({ operation: 'getUserSettingsPage', as: 'restricted' })
          return settingIn(page.json, setting.option)
        }
        const othersOld = await others()
        const answer = await t.send({ operation, body: { configs: [setting] }, effect: 'destructive' })
        if (!t.expect(answer, 200, 'changing a permitted setting')) return
        t.verify(same(othersOld, await others()), 'the same setting of another user has changed too', answer)
        const after = await t.send({ operation: 'getUserSettingsPage' })
        const shown = settingIn(after.json, setting.option)
        const kept = old !== undefined && same(old, shown) && !same(shown, setting.value)
        t.verify(
          !kept,
          `the setting still shows ${JSON.stringify(old)} after it was changed with 200`,
          after,
          operation,
        )
      })
    },
  }),

  requirement({
    id: 'account.settings-mixed',
    level: 'must',
    section: '4.1',
    statement:
      'A list of settings is answered 400 for one that is unsupported or malformed, wherever it stands.',
    operations: ['updateUserSettings'],
    safety: 'destructive',
    async check(t, operation) {
      await keepingSetting(t, async (setting) => {
        const { option, value } = setting
        const unsupported = { option: `${t.run.tag}_no_such_setting`, value: '1' }
        const lists: readonly (readonly [string, unknown])[] = [
          ['an unsupported setting after a permitted one', [setting, unsupported]],
          ['an unsupported setting before a permitted one', [unsupported, setting]],
          ['a setting without a value after a permitted one', [setting, { option }]],
          ['a setting without a name after a permitted one', [setting, { value }]],
          ['one setting that is in no list', setting],
        ]
        for (const [rule, configs] of lists)
          t.expect(await t.send({ operation, body: { configs }, refused: 'body' }), 400, rule)
      })
    },
  }),

  requirement({
    id: 'account.settings-unsupported',
    level: 'must',
    section: '4.1',
    statement: 'A setting that the tracker does not support is answered 400.',
    operations: ['updateUserSettings'],
    safety: 'read',
    async check(t, operation) {
      const body = { configs: [{ option: `${t.run.tag}_no_such_setting`, value: '1' }] }
      t.expect(await t.send({ operation, body, refused: 'body' }), 400, 'an unsupported setting')
    },
  }),
]

/** Records with an id and a time of their own, as text: two tokens cannot have all of it in common. */
function tokensOn(json: unknown): string[] {
  return [...values(json)]
    .filter(isObject)
    .filter((record) => 'id' in record && Object.entries(record).some(isInstant))
    .map((record) => JSON.stringify(record))
}

const isInstant = ([name, value]: [string, unknown]) =>
  /creat|issued|added|since/i.test(name) &&
  typeof value === 'string' &&
  /\d{4}-\d\d-\d\d.\d\d:\d\d/.test(value)

function same(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) => (value === true ? '1' : value === false ? '0' : String(value))
  return plain(a) === plain(b)
}
