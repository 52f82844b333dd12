/** Sections 2.2, 2.3 and 4.1: what every authenticated user may do for itself. */

import type { OperationId } from '../contract/index.js'
import { requirement } from '../suite/requirement.js'
import { keepingSetting } from '../suite/shared.js'
import type { Check } from '../suite/types.js'
import { settingIn } from '../target/look.js'

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
        await setByAnother(t, operation, setting, { own: old, others: await others() })
        const othersOld = await others()
        const answer = await t.send({ operation, body: { configs: [setting] } })
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
        if (typeof old !== 'string' || same(old, setting.value) || !same(shown, setting.value)) return
        const back = { configs: [{ option: setting.option, value: old }] }
        const second = await t.send({ operation, body: back })
        if (second.status !== 200) return
        const last = await t.send({ operation: 'getUserSettingsPage' })
        t.verify(
          !same(settingIn(last.json, setting.option), setting.value),
          `the setting still shows ${JSON.stringify(setting.value)} after a second change with 200`,
          last,
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
        const alone = await t.send({ operation, body: { configs: [setting] } })
        if (alone.status !== 200) t.inconclusive(`the permitted setting alone is answered ${alone.status}`)
        const unsupported = { option: `${t.run.tag}_no_such_setting`, value: '1' }
        const lists: readonly (readonly [string, unknown])[] = [
          ['an unsupported setting after a permitted one', [setting, unsupported]],
          ['an unsupported setting before a permitted one', [unsupported, setting]],
          ['a setting without a value after a permitted one', [setting, { option }]],
          ['a setting with null as its value after a permitted one', [setting, { option, value: null }]],
          ['a setting with an empty name after a permitted one', [setting, { option: '', value }]],
          ['a setting without a name after a permitted one', [setting, { value }]],
          ['one setting that is in no list', setting],
        ]
        for (const [rule, configs] of lists)
          t.expect(await t.send({ operation, body: { configs } }), 400, rule)
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
      for (const option of [`${t.run.tag}_no_such_setting`, '']) {
        const body = { configs: [{ option, value: '1' }] }
        const rule = `an unsupported setting, ${option === '' ? 'with an empty name' : 'of a made-up name'}`
        t.expect(await t.send({ operation, body }), 400, rule)
      }
    },
  }),
]

/** What another user sets for itself leaves the administrator's setting as it was. */
async function setByAnother(
  t: Check,
  operation: OperationId,
  { option, value }: { option: string; value: string },
  before: { own: unknown; others: unknown },
): Promise<void> {
  const { own, others } = before
  // It is put back afterwards, so what it was must be known.
  if (typeof others !== 'string' || same(others, value) || own === undefined || same(own, value)) return
  const set = (to: string) =>
    t.send({
      operation,
      as: 'restricted',
      body: { configs: [{ option, value: to }] },
    })
  const answer = await set(value)
  if (answer.status !== 200) return
  const page = await t.send({ operation: 'getUserSettingsPage' })
  const taken = same(settingIn(page.json, option), value)
  t.verify(!taken, "a setting that another user changed is the administrator's now", answer)
  await set(others)
}

function same(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) => (value === true ? '1' : value === false ? '0' : String(value))
  return plain(a) === plain(b)
}
