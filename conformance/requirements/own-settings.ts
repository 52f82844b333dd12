/** Sections 1, 2.3 and 4.1: self-service settings, that of the profile and those beside it. */

import type { Identity } from '../client/call.js'
import { flagIn, otherSettingsIn, settingIn } from '../client/look.js'
import { factsOf, isKnown, learn, type Sight, shows } from '../suite/facts.js'
import { group } from '../suite/requirement.js'
import { keepingSetting, type SettingInUse } from '../suite/shared.js'
import type { Check } from '../suite/types.js'

const operation = 'updateUserSettings'

const pageOf = (t: Check, as: Identity = 'administrator') => t.send({ operation: 'getUserSettingsPage', as })
const shownAs = async (t: Check, option: string, as?: Identity) =>
  settingIn((await pageOf(t, as)).json, option)

/** What the page showed before, where that is another value than the one to be set. */
function otherValue(t: Check, { before, value }: SettingInUse): string {
  if (typeof before !== 'string' || before === value) return t.skip('the page shows no other value')
  return before
}

const setAs = (t: Check, as: Identity, option: string, value: string) =>
  t.send({ operation, as, body: { configs: [{ option, value }] } })

function same(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) => (value === true ? '1' : value === false ? '0' : String(value))
  return plain(a) === plain(b)
}

/** What another user sets for itself leaves the administrator's setting as it was. */
async function setByAnother(
  t: Check,
  { option, value, before }: SettingInUse,
  others: unknown,
): Promise<void> {
  // It is put back afterwards, so what it was must be known.
  if (typeof others !== 'string' || same(others, value) || before === undefined || same(before, value)) return
  const answer = await setAs(t, 'restricted', option, value)
  if (answer.status !== 200) return
  const taken = same(await shownAs(t, option), value)
  t.verify(!taken, "a setting that another user changed is the administrator's now", answer)
  await setAs(t, 'restricted', option, others)
}

/** Other text may be shown in place of what is stored, as a language for an automatic one: to set it would change it. */
const isPlain = (value: string) => /^([A-Z]{1,4}|\d{1,4}|asc|desc|on|off|yes|no|true|false)$/.test(value)

/** Another setting with the value that the page shows for it, which is accepted. */
async function anotherSetting(t: Check, { option, set }: SettingInUse) {
  const page = await pageOf(t)
  const others = otherSettingsIn(page.json, option).filter(({ value }) => isPlain(value))
  for (const other of others.slice(0, 3)) if ((await set(other)).status === 200) return other
  return t.skip('the settings page shows no other setting that can be set')
}

export const ownSettings = group({ rank: 250, level: 'should', safety: 'destructive' }, [
  {
    id: 'account.settings-update',
    rank: 70,
    level: 'must',
    section: '2.3',
    statement:
      'A permitted self-service setting is changed with 200, and where the settings page shows it, it shows the new value.',
    operations: [operation, 'getUserSettingsPage'],
    async check(t) {
      await keepingSetting(t, async (setting) => {
        const { option, value, before: old, set } = setting
        const hasOther = t.profile.tokens.restricted !== undefined
        const others = async () => (hasOther ? shownAs(t, option, 'restricted') : undefined)
        /** Whether the page shows the value that was set. */
        const shows = async (to: unknown, was: unknown) => {
          const page = await pageOf(t)
          const shown = settingIn(page.json, option)
          const kept = was !== undefined && same(was, shown) && !same(shown, to)
          const message = `the setting still shows ${JSON.stringify(was)} after it was changed with 200`
          t.verify(!kept, message, page, operation)
          return same(shown, to)
        }
        await setByAnother(t, setting, await others())
        const before = await others()
        const answer = await set({ option, value })
        if (!t.expect(answer, 200, 'changing a permitted setting')) return
        t.verify(same(before, await others()), 'the same setting of another user has changed too', answer)
        if (!(await shows(value, old)) || typeof old !== 'string' || same(old, value)) return
        if ((await set({ option, value: old })).status === 200) await shows(old, value)
        // Off, or none: another value than each of the two before, though it may be stored as the least that there is.
        if (![value, old].every((one) => /^[1-9]\d*$/.test(one))) return
        const stays: string[] = []
        for (const before of [value, old]) {
          if ((await set({ option, value: before })).status !== 200) return
          const zero = await set({ option, value: '0' })
          if (zero.status !== 200) return
          const page = await pageOf(t)
          if (!same(settingIn(page.json, option), before)) return
          stays.push(before)
          const message = `the setting still shows ${stays.join(' and ')} after it was changed to 0 with 200`
          t.verify(stays.length < 2, message, page, operation)
        }
      })
    },
  },

  {
    id: 'account.settings-together',
    level: 'must',
    section: '4.1',
    statement: 'Of a list of settings each is changed, and a change of one leaves the others as they were.',
    operations: [operation],
    async check(t) {
      await keepingSetting(t, async (setting) => {
        const { option, value, set } = setting
        const before = otherValue(t, setting)
        const other = await anotherSetting(t, setting)
        const changed = await set({ option, value })
        if (changed.status !== 200 || (await shownAs(t, option)) !== value)
          t.skip('the page does not show the value that was set')
        const beside = await set(other)
        if (beside.status !== 200) return t.skip(`${other.option} is answered ${beside.status}`)
        const kept = (await shownAs(t, option)) === value
        t.verify(kept, `with ${other.option} the setting ${option} has changed too`, beside)
        if (!kept) return
        for (const [place, value] of [
          ['second', before],
          ['first', setting.value],
        ] as const) {
          const change = { option, value }
          const both = await (place === 'first' ? set(change, other) : set(other, change))
          if (both.status !== 200) return
          const page = await t.send({ operation: 'getUserSettingsPage' })
          const stored = settingIn(page.json, option) === value
          t.verify(stored, `the ${place} of two settings is answered 200 and not changed: ${option}`, both)
          const kept = settingIn(page.json, other.option) === other.value
          t.verify(kept, `beside it another of two settings is changed: ${other.option}`, both)
        }
      })
    },
  },

  {
    id: 'account.settings-behind-a-refused-one',
    // That none of a list is carried out before all of it was looked at is not said, so those in front are not judged.
    section: '4.1',
    statement:
      'A list of settings that is refused for one of them changes none behind it, where the settings page shows them.',
    operations: [operation],
    async check(t) {
      await keepingSetting(t, async (setting) => {
        const { option, value, set } = setting
        const before = otherValue(t, setting)
        const page = async () => factsOf((await pageOf(t)).json)
        const sights: Sight<string>[] = []
        for (const to of [value, before, value, before]) {
          if ((await set({ option, value: to })).status !== 200)
            return t.skip('the setting cannot be put back')
          sights.push({ facts: await page(), value: to })
        }
        const evidence = learn(sights)
        if (!isKnown(evidence)) return t.skip('the page does not show the value that was set')
        const change = { option, value }
        const unsupported = { option: `${t.run.tag}_no_such_setting`, value: '1' }
        let refused = 0
        for (const [rule, configs] of [
          ['an unsupported one', [unsupported, change]],
          ['one without a name', [{ value }, change]],
          ['one without a value', [{ option }, change]],
        ] as const) {
          const answer = await set(...configs)
          // Whether it is invalid is for other requirements to say.
          if (answer.status !== 400) continue
          refused += 1
          const stored = shows(evidence, await page(), value) === true
          const message = `a list was refused for ${rule}, and the setting ${option} behind it has changed`
          t.verify(!stored, message, answer)
          if (stored) await set({ option, value: before })
        }
        if (refused === 0) t.skip('none of the lists was refused')
      })
    },
  },

  {
    id: 'account.settings-kept',
    section: '4.1',
    statement:
      'A change of extension settings, or the reset of another user, leaves the own settings as they are.',
    operations: ['updateSettings', 'resetUser'],
    each: true,
    async check(t, culprit) {
      await keepingSetting(t, async (setting) => {
        const { option, value, set } = setting
        otherValue(t, setting)
        await set({ option, value })
        if ((await shownAs(t, option)) !== value) t.skip('the page does not show the value that was set')
        const request =
          culprit === 'updateSettings'
            ? { body: t.need('settings') }
            : { path: { user_id: (await t.run.own.user()).username } }
        const answer = await t.send({ operation: culprit, ...request })
        if (answer.status !== 200) t.inconclusive(`it is answered ${answer.status}`)
        const kept = (await shownAs(t, option)) === value
        t.verify(kept, `the own setting ${option} has changed with it`, answer)
      })
    },
  },

  {
    id: 'account.settings-of-everybody',
    section: '1',
    statement: 'An ordinary user changes its own settings.',
    operations: [operation],
    async check(t) {
      t.need('tokens.restricted')
      const { option, value } = t.need('userSetting')
      const as = 'restricted'
      const account = await t.send({ operation: 'getAccountPage', as })
      // Of a protected account everything may be.
      if (flagIn(account.json, 'protected') !== false)
        t.skip('the account page does not show that the restricted user is not protected')
      const shown = await shownAs(t, option, as)
      if (typeof shown !== 'string')
        return t.skip('the page of the restricted user does not show the setting')
      const answer = await setAs(t, as, option, isPlain(shown) ? shown : value)
      t.verify(answer.status !== 403, 'an ordinary user is refused a setting of its own with 403', answer)
      if (answer.status === 200 && !isPlain(shown)) await setAs(t, as, option, shown)
    },
  },
])
