/** Section 4.1, operation 10. It may change whom the administrator's token speaks for, so it comes last. */
import { usernameOf } from '../suite/identity.js'
import { isObject, mentions, values } from '../suite/look.js'
import { requirement } from '../suite/requirement.js'

export const impersonation = [
  requirement({
    id: 'impersonation.start',
    level: 'must',
    section: '4.1',
    statement: 'An administrator starts an impersonated session of an enabled user, and the answer is 200.',
    operations: ['impersonateUser'],
    safety: 'destructive',
    phase: 'last',
    async check(t, operation) {
      const user = t.profile.user ?? (await t.run.own.sharedUser())
      const byName = await t.send({ operation, path: { user_id: user.username }, effect: 'destructive' })
      t.expect(byName, 200, 'impersonating a user by username')
      const still = await t.send({ operation: 'listPlugins' })
      const unchanged = still.status === 200
      t.observe(
        'impersonate-effect',
        operation,
        unchanged ? 'the token keeps its owner' : 'the token acts as the user',
      )
      if (!unchanged || user.id === null) return
      const byId = await t.send({ operation, path: { user_id: user.id }, effect: 'destructive' })
      t.expect(byId, 200, 'impersonating a user by id')
    },
  }),

  requirement({
    id: 'impersonation.target',
    level: 'should',
    section: '4.1',
    statement: 'The session is one of the user in the path: the answer names nobody else instead.',
    operations: ['impersonateUser'],
    safety: 'destructive',
    phase: 'last',
    async check(t, operation) {
      const { username } = t.profile.user ?? (await t.run.own.sharedUser())
      const caller = await usernameOf(t, 'administrator')
      const answer = await t.send({ operation, path: { user_id: username }, effect: 'destructive' })
      if (answer.status !== 200) t.inconclusive(`impersonating a user is answered ${answer.status}`)
      const names = recordNames(answer.json)
      if (names.length === 0) return t.skip('the answer names no user')
      if (caller === null) return t.skip("the account page does not show the administrator's name")
      for (const name of mentions(answer.json, username) ? [] : names) {
        const found = name === caller ? null : await t.send({ operation: 'getUser', path: { user_id: name } })
        const meant = found?.status === 200 && !mentions(found.json, username)
        t.verify(!meant, `the answer names the user ${name} in place of ${username}`, answer)
      }
      t.verify(true, '', answer)
    },
  }),
]

/** Texts that stand where a record has the name of a user. */
function recordNames(json: unknown): string[] {
  const members = [...values(json)].filter(isObject).flatMap(Object.entries)
  const names = members.flatMap(([key, value]) =>
    /^(user_?name|login(_?name)?|name)$/i.test(key) && typeof value === 'string' ? [value] : [],
  )
  return [...new Set(names)]
}
