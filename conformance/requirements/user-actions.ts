/** Sections 2.1 and 4.1: a user is reset, and changed by its id. */
import { ranked } from '../suite/requirement.js'
import { judgeUnnamed } from '../suite/series.js'
import { needDestructive } from '../suite/shared.js'
import type { OwnUser } from '../suite/types.js'
import { watch } from '../suite/unchanged.js'
import { userMembers, userSeries } from '../suite/user-series.js'
import { culpritOfRename, plainMoment, viewsOfAll } from '../suite/user-views.js'

export const userActions = ranked(160, [
  {
    id: 'users.reset',
    level: 'must',
    section: '4.1',
    statement:
      'A reset needs no body and is answered 200; the user is still there afterwards, as it was before, and so is everybody else.',
    operations: ['resetUser'],
    safety: 'destructive',
    async check(t, operation) {
      const series = await userSeries(t)
      const name = await t.run.client.guard.nameOf('administrator')
      const caller = name === null ? [] : [{ username: name }]
      // Two who were made before it, and one after it.
      const made: OwnUser[] = []
      while (made.length < 4) made.push(await t.run.own.user())
      const [user] = made.splice(2, 1) as [OwnUser]
      const path = { user_id: user.username }
      const changed = await watch(t, (send) => viewsOfAll({ send }, [...made, ...caller]), {
        meanwhile: () => t.send({ operation: 'updateUser', path, body: { client_preferred: true } }),
      })
      const before = await plainMoment(t, user)
      const answer = await t.send({ operation, path })
      t.expect(answer, 200, 'resetting an enabled user with an e-mail address')
      const after = await plainMoment(t, user, answer)
      t.verify(after.shown.getUser !== undefined, 'a user cannot be read after its reset', answer)
      if (answer.status !== 200) return
      // Whether it may be used after its reset is not shown.
      const kept = userMembers.filter((member) => member !== 'enabled')
      judgeUnnamed(t, series, kept, [after], { before })
      const other = await changed()
      const message = `the reset of a user has changed another: ${other?.place}`
      t.verify(other === null, message, answer, operation, other ?? {})
    },
  },

  {
    id: 'users.change-by-id',
    level: 'must',
    section: '2.1',
    statement: 'A numeric id addresses a user in every user operation, as the username does.',
    operations: ['updateUser', 'addUserToProjects', 'resetUser'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      const user = await t.run.own.user()
      if (user.id === null) return t.skip('answers do not show the id of a created user')
      const path = { user_id: user.id }
      if (operation === 'updateUser') {
        const username = t.run.own.username()
        const answer = await t.send({ operation, path, body: { username } })
        if (!t.expect(answer, 200, 'updating a user by id')) return
        t.run.own.renamed(user, username)
        const found = await t.send({ operation: 'getUser', path: { user_id: username } })
        const culprit = found.status === 200 ? operation : await culpritOfRename(t, username)
        t.expect(found, 200, 'reading, under its new name, the user that was renamed by id', culprit)
      }
      if (operation === 'addUserToProjects') {
        const body = {
          project_ids: t.need('projects').slice(0, 1),
          access_level: t.need('projectAccessLevel'),
        }
        t.expect(await t.send({ operation, path, body }), 200, 'adding a user to a project by id')
      }
      if (operation === 'resetUser') {
        needDestructive(t)
        t.expect(await t.send({ operation, path }), 200, 'resetting a user by id')
      }
    },
  },
])
