/** Section 4.1, operation 10. It may change whom the administrator's token speaks for, so it comes last. */
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
]
