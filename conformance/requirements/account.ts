/** Sections 2.2, 2.3 and 4.1: what every authenticated user may do for itself. */
import type { OperationId } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { usernameOf } from '../suite/identity.js'
import { settingIn } from '../suite/look.js'
import { requirement } from '../suite/requirement.js'
import { keepingSetting } from '../suite/shared.js'
import { needPasswordToken } from './bodies.js'

/** Changes the password account's own password; null when its token no longer works. */
async function change(t: Check, password_current: string, password: string) {
  const body = { password_current, password }
  return t.send({ operation: 'changeOwnPassword', as: 'password', body, effect: 'destructive' })
}

/** The account as this run knows it, or a skip. */
function passwordAccount(t: Check): { current: string; next: string } {
  t.need('passwordAccount')
  needPasswordToken(t)
  return t.run.passwordAccount as { current: string; next: string }
}

const WRONG = 'Kit-not-the-current-1!'

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
    id: 'account.password-current-checked',
    level: 'must',
    section: '4.1',
    statement: 'A wrong current password is refused, and the password stays as it was.',
    operations: ['changeOwnPassword'],
    safety: 'destructive',
    async check(t) {
      const { current, next } = passwordAccount(t)
      const refused = await change(t, WRONG, next)
      if (t.expect(refused, [403, 400], 'changing the own password with a wrong current one'))
        t.observe('password-current-wrong', 'changeOwnPassword', refused.status)
      await stillCurrent(t, current, next, 'changeOwnPassword')
    },
  }),

  requirement({
    id: 'account.password-change',
    level: 'must',
    section: '2.2',
    statement:
      'With the right current password a change is answered 200, and from then on the new one is the current one.',
    operations: ['changeOwnPassword'],
    safety: 'destructive',
    async check(t) {
      const { current, next } = passwordAccount(t)
      const changed = await change(t, current, next)
      if (!t.expect(changed, 200, 'changing the own password with the right current one')) return
      t.run.passwordAccount = { current: next, next: current }
      const stale = await change(t, current, next)
      if (stale.status === 401) {
        t.observe('password-effects', 'changeOwnPassword', 'tokens revoked')
        t.run.passwordAccount = null
        return
      }
      t.expect(stale, [400, 403], 'giving the former password as the current one')
      const back = await change(t, next, current)
      if (!t.expect(back, 200, 'changing the password back, with the new one as the current one')) {
        t.run.passwordAccount = null
        return
      }
      t.run.passwordAccount = { current, next }
      t.observe('password-effects', 'changeOwnPassword', 'tokens live on')
    },
  }),

  requirement({
    id: 'account.password-rules',
    level: 'must',
    section: '2.2',
    statement:
      "A new password that breaks the instance's rules is answered 400, and the password stays as it was.",
    operations: ['changeOwnPassword'],
    safety: 'destructive',
    async check(t) {
      const { current, next } = passwordAccount(t)
      const refused = await change(t, current, t.need('password.invalid'))
      t.expect(refused, 400, 'a new password that the rules forbid')
      if (refused.status === 200) {
        await change(t, t.need('password.invalid'), current)
        return
      }
      await stillCurrent(t, current, next, 'changeOwnPassword')
    },
  }),

  requirement({
    id: 'account.password-by-update',
    level: 'must',
    section: '4.1',
    statement: 'An update of the own user with a wrong current password does not change the password.',
    operations: ['updateUser'],
    safety: 'destructive',
    async check(t, operation) {
      const { current, next } = passwordAccount(t)
      const username = await usernameOf(t, 'password')
      if (username === null) return t.skip('the account page does not show the name of the password account')
      const body = { password: next, password_current: WRONG }
      const answer = await t.send({
        operation,
        as: 'password',
        path: { user_id: username },
        body,
        effect: 'destructive',
      })
      t.observe('update-password-who', operation, answer.status)
      await stillCurrent(t, current, next, operation)
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
        const answer = await t.send({ operation, body: { configs: [setting] }, effect: 'destructive' })
        if (!t.expect(answer, 200, 'changing a permitted setting')) return
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

/** Proves by two right changes that `current` is still the password. */
async function stillCurrent(t: Check, current: string, next: string, culprit: OperationId) {
  const there = await change(t, current, next)
  if (there.status === 401) {
    t.run.passwordAccount = null
    return
  }
  if (!t.expect(there, 200, 'using the current password after a refused change', culprit)) {
    // It may have become the other one; if so it is put back.
    const back = await change(t, next, current)
    if (back.status !== 200) t.run.passwordAccount = null
    return
  }
  const back = await change(t, next, current)
  if (back.status !== 401)
    t.expect(back, 200, 'using the new password after it was changed', 'changeOwnPassword')
  if (back.status !== 200) t.run.passwordAccount = null
}

function same(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) => (value === true ? '1' : value === false ? '0' : String(value))
  return plain(a) === plain(b)
}
