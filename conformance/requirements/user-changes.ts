/** Sections 2.1 and 4.1: changes to a user, and how they show. */

import { ranked } from '../suite/requirement.js'
import { culpritOfRename } from '../suite/user-views.js'

export const userChanges = ranked(120, [
  {
    id: 'users.rename',
    level: 'must',
    section: '2.1',
    statement: 'A changed username addresses the user from then on, and the old one addresses nobody.',
    operations: ['updateUser', 'getUser'],
    safety: 'write',
    async check(t) {
      const user = await t.run.own.user()
      const before = { user_id: user.username }
      const username = t.run.own.username()
      const answer = await t.send({
        operation: 'updateUser',
        path: before,
        body: { username },
      })
      if (!t.expect(answer, 200, 'changing a username')) return
      t.run.own.renamed(user, username)
      const found = await t.send({ operation: 'getUser', path: { user_id: username } })
      const culprit = found.status === 200 ? 'updateUser' : await culpritOfRename(t, username)
      t.expect(found, 200, 'reading the user by the new username', culprit)
      const gone = await t.send({ operation: 'getUser', path: before })
      if (!t.expect(gone, 404, 'reading the user by the old username', 'updateUser')) return
      const nobody = { realname: `Nobody of ${t.run.tag}` }
      const missed = { operation: 'updateUser', path: before, body: nobody } as const
      t.expect(await t.send(missed), 404, 'an update by the old username')
      const made = await t.send({ operation: 'getUser', path: before })
      t.expect(made, 404, 'reading a user who was not there to be updated', 'updateUser')
    },
  },

  {
    id: 'users.update-same-name',
    level: 'should',
    section: '2.1',
    statement: 'An update that gives a user the username that it has already is a valid one.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t, operation) {
      const { username, realname, email } = await t.run.own.user()
      const path = { user_id: username }
      const update = (word: string, more: object) => {
        const body = { ...more, realname: realname.replace('Kit', word) }
        return t.send({ operation, path, body })
      }
      // Where whatever is so already is refused, this is too.
      const alike = await update('One', { email })
      if (alike.status !== 200) t.skip(`an update with the present address is answered ${alike.status}`)
      t.expect(await update('Two', { username }), 200, 'an update with the present username')
    },
  },
])
