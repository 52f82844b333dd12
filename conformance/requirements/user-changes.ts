/** Sections 2.1 and 4.1: users are renamed, changed by id, and reset. */

import { group } from '../suite/requirement.js'
import { judgeUnnamed } from '../suite/series.js'
import { needDestructive } from '../suite/shared.js'
import type { Check, OwnUser } from '../suite/types.js'
import { watch } from '../suite/unchanged.js'
import { userMembers, userSeries } from '../suite/user-series.js'
import { plainMoment, readUser, updateUser, viewsOfAll } from '../suite/users.js'

/** Renames a user, addressed by name or by id, and reads it under its new name. Whether the update was accepted. */
async function renames(
  t: Check,
  user: OwnUser,
  user_id: string | number,
  words: { update: string; read: string },
) {
  const username = t.run.own.username()
  const answer = await updateUser(t, user_id, { username })
  if (!t.expect(answer, 200, words.update)) return false
  t.run.own.renamed(user, username)
  const found = await readUser(t, username)
  // The read alone is to blame if there is an edit page under that name.
  const page =
    found.status === 200 ? null : await t.send({ operation: 'getUserEditPage', path: { user_id: username } })
  t.expect(found, 200, words.read, page?.status === 200 ? 'getUser' : 'updateUser')
  return true
}

export const userChanges = group({ rank: 120, section: '2.1', safety: 'write' }, [
  {
    id: 'users.rename',
    level: 'must',
    statement: 'A changed username addresses the user from then on, and the old one addresses nobody.',
    operations: ['updateUser', 'getUser'],
    async check(t) {
      const user = await t.run.own.user()
      const before = user.username
      const words = { update: 'changing a username', read: 'reading the user by the new username' }
      if (!(await renames(t, user, before, words))) return
      const gone = await readUser(t, before)
      if (!t.expect(gone, 404, 'reading the user by the old username', 'updateUser')) return
      const missed = await updateUser(t, before, { realname: `Nobody of ${t.run.tag}` })
      t.expect(missed, 404, 'an update by the old username')
      const made = await readUser(t, before)
      t.expect(made, 404, 'reading a user who was not there to be updated', 'updateUser')
    },
  },

  {
    id: 'users.update-same-name',
    level: 'should',
    statement: 'An update that gives a user the username that it has already is a valid one.',
    operations: ['updateUser'],
    async check(t) {
      const { username, realname, email } = await t.run.own.user()
      const update = (word: string, more: object) =>
        updateUser(t, username, { ...more, realname: realname.replace('Kit', word) })
      // Where whatever is so already is refused, this is too.
      const alike = await update('One', { email })
      if (alike.status !== 200) t.skip(`an update with the present address is answered ${alike.status}`)
      t.expect(await update('Two', { username }), 200, 'an update with the present username')
    },
  },

  {
    id: 'users.reset',
    rank: 160,
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
      const changed = await watch(t, (send) => viewsOfAll({ send }, [...made, ...caller]), {
        async meanwhile() {
          const realname = `Kit Person of ${t.run.own.name()}`
          return (await updateUser(t, user.username, { realname })).status === 200
        },
        without: user.username,
      })
      const before = await plainMoment(t, user)
      const answer = await t.send({ operation, path: { user_id: user.username } })
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
    rank: 160,
    level: 'must',
    statement: 'A numeric id addresses a user in every user operation, as the username does.',
    operations: ['updateUser', 'addUserToProjects', 'resetUser'],
    each: true,
    async check(t, operation) {
      const user = await t.run.own.user()
      if (user.id === null) return t.skip('answers do not show the id of a created user')
      const path = { user_id: user.id }
      if (operation === 'updateUser') {
        const read = 'reading, under its new name, the user that was renamed by id'
        await renames(t, user, user.id, { update: 'updating a user by id', read })
      } else if (operation === 'addUserToProjects') {
        const project_ids = t.need('projects').slice(0, 1)
        const body = { project_ids, access_level: t.need('projectAccessLevel') }
        t.expect(await t.send({ operation, path, body }), 200, 'adding a user to a project by id')
      } else {
        needDestructive(t)
        t.expect(await t.send({ operation, path }), 200, 'resetting a user by id')
      }
    },
  },
])
