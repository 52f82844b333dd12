/** Section 2.1: the passwords that users are given, tried in a session of their user. */

import type { Answer } from '../client/call.js'
import type { OperationId } from '../contract/index.js'
import { oncePerRun } from '../suite/once.js'
import { group } from '../suite/requirement.js'
import { isOf, sessionsIn } from '../suite/sessions.js'
import type { Check } from '../suite/types.js'
import { impersonate, madeUpUser } from './impersonation.js'
import { changePassword } from './password.js'

interface Tried {
  /** Of the request that gave a password, or should have left it alone. */
  readonly answer: Answer
  /** In words the password that is in force in place of the right one; null where the right one is. */
  readonly instead: string | null
}

/** A refusal may be a rule, so that another password is accepted in place of the right one is what proves a fault. */
const passwordsTried = oncePerRun(async (t: Check): Promise<readonly Tried[]> => {
  const { username } = await madeUpUser(t)
  const { password } = t.run.own
  const given = `${password}1`
  // A session may end with the password, so there is none before.
  const updated = await t.send({
    operation: 'updateUser',
    path: { user_id: username },
    body: { password: given, password_current: password },
  })
  if (updated.status !== 200) return t.skip(`a password for another user is answered ${updated.status}`)
  const sessions = await sessionsIn(t, await impersonate(t, username))
  const session = sessions.find((one) => isOf(one, username))
  if (session === undefined) return t.skip('no session of a made-up user can be used')
  let now = given
  let count = 1

  /** Whether it is the current one: then another one is from now on. */
  async function isCurrent(password_current: string): Promise<boolean> {
    count += 1
    const body = { password_current, password: `${password}${count}` }
    const { status } = await t.send({ operation: 'changeOwnPassword', ...session?.credentials, body })
    if (status === 200) now = body.password
    return status === 200
  }

  if (await isCurrent('Kit-not-the-current-1!'))
    return t.skip('a session of another user may do without the current password')
  const { current, next } = t.run.passwordAccount ?? {}
  const isChangeable = current !== undefined && next !== undefined && t.profile.tokens.password !== undefined
  const changed = isChangeable ? await changePassword(t, current, next) : null
  const others = changed?.status === 200 ? [changed] : []
  const found: Tried[] = []
  if (await isCurrent(given)) for (const answer of [updated, ...others]) found.push({ answer, instead: null })
  else if (others[0] && (await isCurrent(next as string)))
    found.push({ answer: others[0], instead: 'that of another user, who has changed it' })
  else if (await isCurrent(password)) found.push({ answer: updated, instead: 'the one before' })
  if (isChangeable && changed?.status === 200) await changeBack([next, now], current)
  return found

  /** Whoever changes the passwords of all has changed this one too. */
  async function changeBack(candidates: readonly string[], to: string): Promise<void> {
    for (const one of candidates) if ((await changePassword(t, one, to)).status === 200) return
    t.run.passwordAccount = null
  }
})

const operations: readonly OperationId[] = ['updateUser', 'changeOwnPassword']

export const userPasswords = group({ rank: 425 }, [
  {
    id: 'users.password',
    level: 'must',
    section: '2.1',
    statement:
      'The password that an update gives a user is that of the user, and a change of the own password is one of nobody else, where a session of a user can try it.',
    operations,
    safety: 'destructive',
    // Only an impersonation lets anything be asked in the name of a made-up user.
    phase: 'last',
    each: true,
    async check(t, operation) {
      const tried = (await passwordsTried(t)).find(({ answer }) => answer.operation === operation)
      if (tried === undefined) return t.skip('the session of a made-up user does not tell its password')
      const { answer, instead } = tried
      t.verify(
        instead === null,
        `the password in force is not the one that the user was given, but ${instead}`,
        answer,
      )
    },
  },
])
