/** Sections 2.1 and 4.1: users are created, read, changed, reset and added to projects. */
import type { OperationId } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { flagIn, mentions, values } from '../suite/look.js'
import type { OwnUser } from '../suite/own.js'
import { requirement } from '../suite/requirement.js'

/** A valid creation answered 400 says nothing while the profile leaves the password rules unknown. */
function refusedForThePassword(t: Check, status: number): boolean {
  return status === 400 && t.profile.password?.valid === undefined
}

export const users = [
  requirement({
    id: 'users.create',
    level: 'must',
    section: '4.1',
    statement: 'A valid creation is answered 200, and the user can then be read by username.',
    operations: ['createUser', 'getUser'],
    safety: 'write',
    async check(t) {
      const body = t.run.own.userBody()
      const answer = await t.send({ operation: 'createUser', body, effect: 'write' })
      if (refusedForThePassword(t, answer.status)) t.skip('the profile has no password.valid')
      if (!t.expect(answer, 200, 'a valid creation')) return
      await t.run.own.adoptUser(body, answer)
      const found = await t.send({ operation: 'getUser', path: { user_id: body.username } })
      const other = t.profile.user
        ? await t.send({ operation: 'getUser', path: { user_id: t.profile.user.username } })
        : found
      // Where reading works for somebody else, it is the creation that left nothing.
      const culprit: OperationId = other.status === 200 && found.status !== 200 ? 'createUser' : 'getUser'
      t.expect(found, 200, 'reading a user that was just created, by username', culprit)
    },
  }),

  requirement({
    id: 'users.read-by-username',
    level: 'must',
    section: '2.1',
    statement: 'A user is addressed by username.',
    operations: ['getUser', 'getUserEditPage'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      const user = t.profile.user ?? (t.allows('write') ? await t.run.own.sharedUser() : t.need('user'))
      const answer = await t.send({ operation, path: { user_id: user.username } })
      t.expect(answer, 200, 'an existing user by username')
    },
  }),

  requirement({
    id: 'users.read-by-id',
    level: 'must',
    section: '2.1',
    statement: 'A user is addressed by numeric id, and that is the user whom the username addresses.',
    operations: ['getUser', 'getUserEditPage'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      const { id, username } = t.need('user')
      const byId = await t.send({ operation, path: { user_id: id } })
      if (!t.expect(byId, 200, 'an existing user by id')) return
      const byName = await t.send({ operation, path: { user_id: username } })
      const named = mentions(byName.json, username)
      t.verify(
        !named || mentions(byId.json, username),
        'the answer by id is not about the user with that id',
        byId,
      )
      const numbered = [...values(byId.json)].includes(id)
      t.verify(
        !numbered || byName.status !== 200 || [...values(byName.json)].includes(id),
        'the answer by username is not about the user with that username',
        byName,
      )
    },
  }),

  requirement({
    id: 'users.created-as-asked',
    level: 'must',
    section: '4.1',
    statement:
      'A created user has the real name and e-mail address that were asked for, where answers show such things.',
    operations: ['createUser'],
    safety: 'write',
    async check(t, operation) {
      const user = await t.run.own.user()
      const path = { user_id: user.username }
      const created = await t.send({ operation: 'getUser', path })
      if (created.status !== 200) t.inconclusive(`the created user cannot be read: ${created.status}`)
      for (const field of ['realname', 'email'] as const) {
        const value =
          field === 'email'
            ? `later.${user.email}`
            : `Later Person ${user.username.slice(-3)} of ${t.run.tag}`
        await t.send({ operation: 'updateUser', path, body: { [field]: value }, effect: 'write' })
        const updated = await t.send({ operation: 'getUser', path })
        // What shows once it was updated would have shown after the creation, had it been stored.
        const lost = mentions(updated.json, value) && !mentions(created.json, user[field])
        t.verify(
          !lost,
          `the ${field} given at creation is not shown, though an updated one is`,
          created,
          operation,
        )
      }
    },
  }),

  requirement({
    id: 'users.username-unique',
    level: 'must',
    section: '2.1',
    statement:
      'A username is unique: creating a second user with it, or renaming another to it, is answered 400.',
    operations: ['createUser', 'updateUser'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      const first = await t.run.own.sharedUser()
      if (operation === 'createUser') {
        const body = t.run.own.userBody({ username: first.username })
        const answer = await t.send({ operation, body, refused: 'body' })
        t.expect(answer, 400, 'creating a user with a taken username')
        return
      }
      const second = await t.run.own.user()
      const path = { user_id: second.username }
      const realname = `Renamed Kit Person ${second.username.slice(-3)} of ${t.run.tag}`
      const answer = await t.send({
        operation,
        path,
        body: { username: first.username, realname },
        refused: 'body',
      })
      if (!t.expect(answer, 400, 'renaming a user to a taken username')) return
      const after = await t.send({ operation: 'getUser', path })
      t.expect(after, 200, 'reading the user under the name that it kept', operation)
      t.verify(!mentions(after.json, realname), 'a refused update changed the real name', after, operation)
    },
  }),

  requirement({
    id: 'users.email-format',
    level: 'must',
    section: '2.1',
    statement:
      'An e-mail address has the form of one: text without "@" is answered 400 and nothing is created or changed.',
    operations: ['createUser', 'updateUser'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      const email = 'not an address'
      if (operation === 'createUser') {
        const body = t.run.own.userBody({ email })
        const answer = await t.send({ operation, body, refused: 'body' })
        t.expect(answer, 400, 'creating a user with an e-mail address that is none')
        if (answer.status !== 400) return
        const found = await t.send({ operation: 'getUser', path: { user_id: body.username } })
        t.expect(found, 404, 'reading a user whose creation was refused', operation)
        return
      }
      const user = await t.run.own.user()
      const path = { user_id: user.username }
      const answer = await t.send({ operation, path, body: { email }, refused: 'body' })
      t.expect(answer, 400, 'changing the e-mail address to one that is none')
      const after = await t.send({ operation: 'getUser', path })
      t.verify(!mentions(after.json, email), 'the invalid e-mail address was stored', after, operation)
    },
  }),

  requirement({
    id: 'users.update',
    level: 'must',
    section: '4.1',
    statement:
      'A valid update is answered 200, and where answers show what was changed they show the new value.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t) {
      const user = await t.run.own.user()
      await changes(
        t,
        user,
        'realname',
        user.realname,
        `Other Person ${user.username.slice(-3)} of ${t.run.tag}`,
      )
      await changes(t, user, 'email', user.email, `other.${user.email}`)
    },
  }),

  requirement({
    id: 'users.rename',
    level: 'must',
    section: '2.1',
    statement: 'A changed username addresses the user from then on, and the old one addresses nobody.',
    operations: ['updateUser', 'getUser'],
    safety: 'write',
    async check(t) {
      const user = await t.run.own.user()
      const before = { user_id: user.username }
      const username = t.run.own.name()
      const answer = await t.send({
        operation: 'updateUser',
        path: before,
        body: { username },
        effect: 'write',
      })
      if (!t.expect(answer, 200, 'changing a username')) return
      t.run.own.renamed(user, username)
      const found = await t.send({ operation: 'getUser', path: { user_id: username } })
      t.expect(found, 200, 'reading the user by the new username', 'updateUser')
      const gone = await t.send({ operation: 'getUser', path: before })
      t.expect(gone, 404, 'reading the user by the old username', 'updateUser')
    },
  }),

  requirement({
    id: 'users.enabled',
    level: 'must',
    section: '2.1',
    statement: 'An account is disabled and enabled again by its `enabled` flag.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t) {
      const user = await t.run.own.user()
      const path = { user_id: user.username }
      for (const enabled of [false, true]) {
        const answer = await t.send({ operation: 'updateUser', path, body: { enabled }, effect: 'write' })
        if (!t.expect(answer, 200, `setting enabled to ${enabled}`)) return
        const shown = await t.send({ operation: 'getUser', path })
        if (shown.status !== 200) t.observe('get-user-disabled', 'getUser', shown.status)
        const flag = shown.status === 200 ? flagIn(shown.json, 'enabled') : null
        t.verify(
          flag === null || flag === enabled,
          `enabled is shown as ${flag} after it was set to ${enabled}`,
          shown,
          'updateUser',
        )
      }
    },
  }),

  requirement({
    id: 'users.fields-accepted',
    level: 'must',
    section: '2.1',
    statement: 'Creation and update accept the same fields, and none of them is required by the other.',
    operations: ['createUser', 'updateUser'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      // Language, time zone, avatar and password depend on what the instance offers or asks for.
      const plain: Record<string, unknown> = {
        realname: `Kit Person of ${t.run.tag}`,
        enabled: true,
        protected: false,
        client_preferred: true,
        notify_user: false,
        ...(t.profile.accessLevel === undefined ? {} : { access_level: t.profile.accessLevel }),
      }
      if (operation === 'createUser') {
        const body = t.run.own.userBody(plain)
        const answer = await t.send({ operation, body, effect: 'write' })
        if (refusedForThePassword(t, answer.status)) t.skip('the profile has no password.valid')
        if (t.expect(answer, 200, 'creating a user with every plain field'))
          await t.run.own.adoptUser(body, answer)
        return
      }
      const user = await t.run.own.user()
      const path = { user_id: user.username }
      for (const [name, value] of Object.entries({ ...plain, email: `new.${user.email}` })) {
        const answer = await t.send({ operation, path, body: { [name]: value }, effect: 'write' })
        t.expect(answer, 200, `updating ${name} alone`)
      }
    },
  }),

  requirement({
    id: 'users.projects',
    level: 'must',
    section: '2.4',
    statement: 'A user is added to the listed projects with one access level, and the answer is 200.',
    operations: ['addUserToProjects'],
    safety: 'write',
    async check(t, operation) {
      const project_ids = t.need('projects')
      const access_level = t.need('projectAccessLevel')
      const user = await t.run.own.user()
      for (const ids of [project_ids.slice(0, 1), project_ids]) {
        const body = { project_ids: ids, access_level }
        const answer = await t.send({ operation, path: { user_id: user.username }, body, effect: 'write' })
        t.expect(answer, 200, `adding a user to ${ids.length} project${ids.length === 1 ? '' : 's'}`)
        if (project_ids.length === 1) break
      }
    },
  }),

  requirement({
    id: 'users.reset',
    level: 'must',
    section: '4.1',
    statement: 'A reset needs no body and is answered 200; the user is still there afterwards.',
    operations: ['resetUser'],
    safety: 'destructive',
    async check(t, operation) {
      const user = await t.run.own.user()
      const path = { user_id: user.username }
      const answer = await t.send({ operation, path, effect: 'destructive' })
      t.expect(answer, 200, 'resetting an enabled user with an e-mail address')
      const after = await t.send({ operation: 'getUser', path })
      t.expect(after, 200, 'reading a user after its reset', operation)
    },
  }),

  requirement({
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
        const username = t.run.own.name()
        const answer = await t.send({ operation, path, body: { username }, effect: 'write' })
        if (!t.expect(answer, 200, 'updating a user by id')) return
        t.run.own.renamed(user, username)
        const found = await t.send({ operation: 'getUser', path: { user_id: username } })
        t.expect(found, 200, 'reading, under its new name, the user that was renamed by id', operation)
      }
      if (operation === 'addUserToProjects') {
        const body = {
          project_ids: t.need('projects').slice(0, 1),
          access_level: t.need('projectAccessLevel'),
        }
        t.expect(
          await t.send({ operation, path, body, effect: 'write' }),
          200,
          'adding a user to a project by id',
        )
      }
      if (operation === 'resetUser') {
        if (!t.allows('destructive')) t.skip('needs --safety destructive')
        t.expect(await t.send({ operation, path, effect: 'destructive' }), 200, 'resetting a user by id')
      }
    },
  }),
]

/** Changes one field; when the old value was visible, the new one must be. */
async function changes(t: Check, user: OwnUser, field: string, old: string, value: string): Promise<void> {
  const path = { user_id: user.username }
  const before = await t.send({ operation: 'getUser', path })
  const answer = await t.send({ operation: 'updateUser', path, body: { [field]: value }, effect: 'write' })
  if (!t.expect(answer, 200, `updating ${field}`)) return
  const after = await t.send({ operation: 'getUser', path })
  const visible = before.status === 200 && after.status === 200 && mentions(before.json, old)
  t.verify(
    !visible || mentions(after.json, value),
    `${field} was updated with 200 and still shows its old value`,
    after,
    'updateUser',
  )
}
