/** Section 4.1, operation 10. It may change whom the administrator's token speaks for, so it comes last. */

import type { Answer, Call } from '../client/call.js'
import { isObject, mentions, values } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { needName, usernameOf } from '../suite/identity.js'
import { group } from '../suite/requirement.js'
import { judgeUnnamed } from '../suite/series.js'
import { FOR_NOBODY, isForNobody, isOf, type Session, sessionsIn } from '../suite/sessions.js'
import type { Check, OwnUser } from '../suite/types.js'
import { userSeries } from '../suite/user-series.js'
import { plainMoment, readUser } from '../suite/users.js'

const common = { rank: 420, level: 'must', section: '4.1', safety: 'destructive', phase: 'last' } as const

export const impersonation = group(common, [
  {
    id: 'impersonation.start',
    statement: 'An administrator starts an impersonated session of an enabled user, and the answer is 200.',
    operations: ['impersonateUser'],
    async check(t, operation) {
      const user = t.profile.user ?? (await t.run.own.sharedUser())
      const byName = await t.send({ operation, path: { user_id: user.username } })
      if (await isForNobody(t, operation, byName)) return t.skip(FOR_NOBODY)
      t.expect(byName, 200, 'impersonating a user by username')
      const still = await t.send({ operation: 'listPlugins' })
      const unchanged = still.status === 200
      t.observe(
        'impersonate-effect',
        operation,
        unchanged ? 'The bearer token keeps its owner.' : 'The bearer token acts as the user from then on.',
      )
      if (!unchanged || user.id === null) return
      const byId = await t.send({ operation, path: { user_id: user.id } })
      // Whether there may be two sessions at a time is not shown.
      const again = byId.status === 400 ? await t.send({ operation, path: { user_id: user.username } }) : null
      if (again?.status !== 400) t.expect(byId, 200, 'impersonating a user by id')
    },
  },

  {
    id: 'impersonation.target',
    level: 'should',
    statement: 'The session is one of the user in the path: the answer names nobody else instead.',
    operations: ['impersonateUser'],
    async check(t) {
      const { username } = t.profile.user ?? (await t.run.own.sharedUser())
      const caller = await usernameOf(t, 'administrator')
      const answer = await impersonate(t, username)
      const names = recordNames(answer.json)
      if (names.length === 0) return t.skip('the answer names no user')
      if (caller === null) return void (await needName(t, 'administrator'))
      for (const name of mentions(answer.json, username) ? [] : names) {
        const found = name === caller ? null : await readUser(t, name)
        const meant = found?.status === 200 && !mentions(found.json, username)
        t.verify(!meant, `the answer names the user ${name} in place of ${username}`, answer)
      }
      t.verify(true, '', answer)
    },
  },

  {
    id: 'impersonation.session',
    statement: 'A session that the answer hands out is one of the target user, with the rights of that user.',
    operations: ['impersonateUser'],
    async check(t, operation) {
      const caller = await needName(t, 'administrator')
      const { username } = t.profile.user ?? (await t.run.own.sharedUser())
      const answer = await impersonate(t, username)
      const sessions = await sessionsIn(t, answer)
      if (sessions.length === 0) return t.skip('the answer hands out no session that can be used')
      // One of several may be the way back; and the only one, where the caller's own token is the session now.
      const own = await t.send({ operation: 'getAccountPage' })
      const right =
        sessions.some((session) => isOf(session, username)) ||
        (mentions(own.json, username) && !mentions(own.json, caller))
      const instead = right ? null : await whoInstead(t, sessions, caller)
      const message = `the account page of the session is that of ${instead}, not of ${username}`
      t.verify(instead === null, message, answer)
      if (right) await isAnotherNextTime(t, username)
      await hasNoMoreRights(t, operation)
    },
  },

  {
    id: 'impersonation.user-unchanged',
    statement:
      'The user who is impersonated keeps access level and flags, and whoever else calls stays who it is.',
    operations: ['impersonateUser'],
    async check(t, operation) {
      const series = await userSeries(t)
      const user = await madeUpUser(t)
      const { username } = user
      const other = t.profile.tokens.restricted && (await usernameOf(t, 'restricted'))
      const before = await plainMoment(t, user)
      const answer = await impersonate(t, username)
      const page = other ? await t.send({ operation: 'getAccountPage', as: 'restricted' }) : null
      const isOther =
        page?.status === 200 && mentions(page.json, username) && !mentions(page.json, other ?? '')
      if (page) t.verify(!isOther, 'another token acts as the user who was impersonated', page, operation)
      const after = await plainMoment(t, user, answer)
      if (after.shown.getUser === undefined) t.inconclusive('the user cannot be read afterwards')
      judgeUnnamed(t, series, ['access_level', 'enabled', 'protected'], [after], { before })
    },
  },

  {
    id: 'users.reset-without-password',
    statement:
      'A reset accepts no replacement password: one that is sent with it is not in force afterwards.',
    operations: ['resetUser'],
    // The password of a made-up user can only be tried in a session of that user.
    check: (t) => isNotInForce(t, (password) => ({ body: { password } })),
  },

  {
    id: 'users.reset-without-password-in-query',
    statement:
      'A reset accepts no replacement password from its query: one that stands there is not in force afterwards.',
    operations: ['resetUser'],
    check: (t) => isNotInForce(t, (password) => ({ query: `password=${encodeURIComponent(password)}` })),
  },
])

/** Sends a replacement password with a reset, and tries it as the current one. */
async function isNotInForce(t: Check, carrying: (password: string) => Partial<Call>): Promise<void> {
  const operation = 'resetUser'
  const { username } = await madeUpUser(t)
  const replacement = t.profile.passwordAccount?.next ?? `Kit-${t.run.tag}!Basalt`
  await t.send({ operation, path: { user_id: username }, ...carrying(replacement) })
  const sessions = await sessionsIn(t, await impersonate(t, username))
  const session = sessions.find((one) => isOf(one, username))
  if (session === undefined) return t.skip('no session of a made-up user can be used')
  const change = (password_current: string) =>
    t.send({
      operation: 'changeOwnPassword',
      ...session.credentials,
      body: { password_current, password: `${replacement}2` },
    })
  const wrong = await change('Kit-not-the-current-1!')
  if (wrong.status === 200) return t.skip('a session of another user may do without the current password')
  const answer = await change(replacement)
  t.verify(
    answer.status !== 200,
    'the password that was sent with a reset is the one of the account',
    answer,
    operation,
  )
}

/** An earlier impersonation may have changed whom the administrator's token speaks for. */
export async function madeUpUser(t: Check): Promise<OwnUser> {
  const { status } = await t.send({ operation: 'listPlugins' })
  if (status !== 200) t.inconclusive(`the administrator's token may list plugins no more: ${status}`)
  return t.run.own.user()
}

export async function impersonate(t: Check, user_id: string): Promise<Answer> {
  const answer = await t.send({ operation: 'impersonateUser', path: { user_id } })
  if (answer.status === 403) t.skip('impersonating a user is answered 403')
  if (answer.status !== 200) t.inconclusive(`impersonating a user is answered ${answer.status}`)
  return answer
}

/** The session of another user is not one of the user before. */
async function isAnotherNextTime(t: Check, before: string): Promise<void> {
  const { username } = await t.run.own.user()
  const answer = await impersonate(t, username)
  const sessions = await sessionsIn(t, answer)
  const isStill = sessions.length > 0 && sessions.every((session) => isOf(session, before))
  t.verify(
    !isStill || sessions.some((session) => isOf(session, username)),
    `the account page of the session is that of ${before}, who was impersonated before, not of ${username}`,
    answer,
  )
}

/** Whom the pages of sessions name; null where that is nobody known. */
async function whoInstead(t: Check, sessions: readonly Session[], caller: string): Promise<string | null> {
  for (const name of sessions.flatMap(({ page }) => recordNames(page.json))) {
    if (name === caller) return name
    const found = await readUser(t, name)
    if (found.status === 200 && mentions(found.json, name)) return name
  }
  return null
}

/** What the restricted user may not do, a session of that user may not either. */
async function hasNoMoreRights(t: Check, operation: OperationId): Promise<void> {
  if (t.profile.tokens.restricted === undefined) return
  const username = await usernameOf(t, 'restricted')
  if (username === null) return
  const plain = await t.send({ operation: 'listPlugins', as: 'restricted' })
  if (plain.status !== 403) return
  const answer = await t.send({ operation, path: { user_id: username } })
  if (answer.status !== 200) return
  for (const session of await sessionsIn(t, answer)) {
    if (!isOf(session, username)) continue
    const list = await t.send({ operation: 'listPlugins', ...session.credentials })
    t.verify(
      list.status !== 200,
      'a session of a user without permission is shown the plugins, as the user itself is not',
      list,
      operation,
    )
  }
}

/** Texts that stand where a record has the name of a user. */
function recordNames(json: unknown): string[] {
  const members = [...values(json)].filter(isObject).flatMap(Object.entries)
  const names = members.flatMap(([key, value]) =>
    /^(user_?name|login(_?name)?|name)$/i.test(key) && typeof value === 'string' ? [value] : [],
  )
  return [...new Set(names)]
}
