/** Operation 13: resets an account. */
import { isLastAdministrator, needUserManager } from '../request/access.js'
import { written } from '../request/answers.js'
import { refuseBy, refuseFor } from '../request/errors.js'
import { define } from '../request/operation.js'
import { endSessions, madeUpPassword, mails, notify } from '../users/effects.js'
import { findUser } from '../users/find.js'
import { LOCKED_AFTER, needLevelOver } from '../users/rights.js'

export const resetUser = define({
  gate: needUserManager,
  find: findUser,
  guard(c, user) {
    const how = c.decisions['reset-protected']
    const stays = how === 'refused' || (how === 'unlocks-if-locked' && user.failed_logins < LOCKED_AFTER)
    if (user.protected && stays)
      refuseFor('reset-protected', 'protected-account', `The account ${user.username} is protected`)
    needLevelOver(c, user)
    const cases = { invalid: ['invalid-value', 'user_id'], forbidden: 'access-denied' } as const
    if (user.id === c.caller.id) refuseBy(c, 'reset-self', 'Nobody resets the own account', cases)
    if (!user.enabled) refuseBy(c, 'reset-disabled', `The account ${user.username} is disabled`, cases)
  },
  accept(c, user) {
    if (isLastAdministrator(c, user))
      refuseBy(c, 'reset-last-admin', {
        forbidden: { condition: 'last-administrator', status: 403 },
        invalid: { condition: 'last-administrator', status: 400 },
      })
    const linkless = mails(c) && user.email === '' && !user.protected
    if (linkless && c.decisions['reset-effect'] !== 'counter-only')
      refuseBy(c, 'reset-no-email', { refused: 'email-needed-for-reset' })
  },
  run(c, user) {
    const effect = c.decisions['reset-effect']
    const { users } = c.store.db
    const named = { id: user.id, name: user.username }
    if (user.protected || effect === 'counter-only') {
      users.change(user, { failed_logins: 0 })
      return written('Account unlocked', 'user', { ...named, action: 'unlock' })
    }
    const byMail = mails(c) && user.email !== ''
    const updated = users.change(user, {
      password: byMail ? madeUpPassword(c, user.id) : '',
      // With mail, the counter stays: the link in the mail ends a lock.
      ...(byMail ? {} : { failed_logins: 0 }),
    })
    if (effect === 'tokens-revoked') endSessions(c, updated, true)
    if (byMail && user.enabled) notify(c, updated, 'password-reset')
    return written('Account reset', 'user', { ...named, action: 'reset' })
  },
})
