/** Sections 2.1 and 4.1: users are created, read, changed, reset and added to projects. */

import { isObject, mentions, pointersTo, recordsWith, userNamesIn, values } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'
import { watch } from '../suite/unchanged.js'
import { createUser, readUser, refusedForThePassword, updateUser, views } from '../suite/users.js'

export const users = group({ rank: 40, level: 'must', safety: 'write' }, [
  {
    id: 'users.create',
    section: '4.1',
    statement: 'A valid creation is answered 200, and the user can then be read by username.',
    operations: ['createUser', 'getUser'],
    async check(t) {
      const body = t.run.own.userBody()
      const answer = await t.send({ operation: 'createUser', body })
      if (refusedForThePassword(t, answer.status)) t.skip('the profile has no password.valid')
      if (!t.expect(answer, 200, 'a valid creation')) return
      const found = await readUser(t, body.username)
      await t.run.own.adoptUser(body, answer)
      const other = t.profile.user ? await readUser(t, t.profile.user.username) : found
      // Where reading works for somebody else, it is the creation that left nothing.
      const culprit: OperationId = other.status === 200 && found.status !== 200 ? 'createUser' : 'getUser'
      t.expect(found, 200, 'reading a user that was just created, by username', culprit)
    },
  },

  {
    id: 'users.read-by-username',
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
  },

  {
    id: 'users.read-by-id',
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
  },

  {
    id: 'users.read-each',
    section: '4.1',
    statement: 'The answer about a user is about that one, and not the same for every user.',
    operations: ['getUser', 'getUserEditPage'],
    each: true,
    async check(t, operation) {
      const [one, other] = [await t.run.own.sharedUser(), await t.run.own.otherUser()]
      const first = await t.send({ operation, path: { user_id: one.username } })
      const second = await t.send({ operation, path: { user_id: other.username } })
      // Without a user's name in it an answer may be the same for all, and a page may have lists alone.
      const same = operation === 'getUser' && userNamesIn(first.json).length > 0 && first.text === second.text
      t.verify(!same || second.status !== 200, 'two users have the same answer, name and all', second)
      const mixed = mentions(second.json, one.username) && !mentions(second.json, other.username)
      t.verify(!mixed, 'the answer is about another user than the one asked for', second)
      if (operation !== 'getUserEditPage') return
      const read = await readUser(t, other.username)
      const stranger = strangerOn(second.json, read.json, other.username)
      t.verify(stranger === null, `the page has the record of another user at ${stranger}`, second)
    },
  },

  {
    id: 'users.username-unique',
    section: '2.1',
    statement:
      'A username is unique: creating a second user with it, or renaming another to it, is answered 400.',
    operations: ['createUser', 'updateUser'],
    each: true,
    async check(t, operation) {
      const first = await t.run.own.sharedUser()
      if (operation === 'createUser') {
        const changed = await watch(t, (send) => views({ send }, first))
        const body = t.run.own.userBody({ username: first.username })
        const answer = await t.send({ operation, body })
        const isRefused = t.expect(answer, 400, 'creating a user with a taken username')
        const shown = isRefused ? await changed() : null
        const message = `a refused creation has changed the user who has the name: ${shown?.place}`
        t.verify(shown === null, message, answer, operation, shown ?? {})
        return
      }
      const { username } = await t.run.own.otherUser()
      const realname = `Renamed Kit Person ${username.slice(-3)} of ${t.run.tag}`
      const answer = await updateUser(t, username, { username: first.username, realname })
      if (!t.expect(answer, 400, 'renaming a user to a taken username')) return
      const after = await readUser(t, username)
      t.expect(after, 200, 'reading the user under the name that it kept', operation)
      t.verify(!mentions(after.json, realname), 'a refused update changed the real name', after, operation)
    },
  },

  {
    // Who compares may leave out what is no small letter or digit to it.
    id: 'users.username-unique-letters',
    section: '2.1',
    statement:
      'A username is unique with capitals and with letters beyond ASCII too, where they are accepted.',
    operations: ['createUser'],
    async check(t, operation) {
      for (const sign of ['K', 'ø']) {
        const { user } = await createUser(t, { username: `${t.run.own.username()}${sign}` })
        if (user === null) continue
        const found = await t.look({ operation: 'getUser', path: { user_id: user.username } })
        // What is stored may be another name.
        if (found.status !== 200 || !mentions(found.json, user.username)) continue
        const body = t.run.own.userBody({ username: user.username })
        const twice = await t.send({ operation, body })
        t.expect(twice, 400, `creating a user with a taken username that ends in ${sign}`)
      }
      if (!t.run.succeeded('createUser')) t.inconclusive('no user could be created')
    },
  },

  {
    id: 'users.username-of-disabled',
    section: '2.1',
    statement: 'The username of a disabled account is taken as that of any other: 400.',
    operations: ['createUser', 'updateUser'],
    each: true,
    async check(t, operation) {
      const second = await t.run.own.otherUser()
      const { username } = await t.run.own.user({ enabled: false })
      const call =
        operation === 'createUser'
          ? { body: t.run.own.userBody({ username }) }
          : { path: { user_id: second.username }, body: { username } }
      t.expect(await t.send({ operation, ...call }), 400, 'the username of a disabled user')
    },
  },

  {
    id: 'users.email-format',
    section: '2.1',
    statement:
      'An e-mail address has the form of one: text without "@" is answered 400 and nothing is created or changed.',
    operations: ['createUser', 'updateUser'],
    each: true,
    check: (t, operation) =>
      refusesAddresses(t, operation, ['not an address', `not-${t.run.tag}-an-address`]),
  },

  {
    id: 'users.email-parts',
    // How loosely a tracker may look at what has an "@" is not shown.
    level: 'should',
    section: '2.1',
    statement:
      'A text with nothing before and behind its "@" is no e-mail address: it is answered 400 and nothing is created or changed.',
    operations: ['createUser', 'updateUser'],
    each: true,
    check: (t, operation) => refusesAddresses(t, operation, ['@']),
  },
])

async function refusesAddresses(t: Check, operation: OperationId, emails: readonly string[]): Promise<void> {
  const what = (email: string) => `the e-mail address "${email}", which is none`
  for (const email of emails) {
    if (operation === 'createUser') {
      const body = t.run.own.userBody({ email })
      const answer = await t.send({ operation, body })
      if (!t.expect(answer, 400, `creating a user with ${what(email)}`)) return
      const found = await readUser(t, body.username)
      t.expect(found, 404, 'reading a user whose creation was refused', operation)
      continue
    }
    const { username } = await t.run.own.otherUser()
    const answer = await updateUser(t, username, { email })
    if (!t.expect(answer, 400, `giving a user ${what(email)}`)) return
    const after = await readUser(t, username)
    const stored = email !== '@' && mentions(after.json, email)
    t.verify(!stored, 'the invalid e-mail address was stored', after, operation)
  }
}

/** Where a page that never names a user has the record of another one, in the shape that the user's own has; or null. */
function strangerOn(page: unknown, read: unknown, username: string): string | null {
  const [own] = recordsWith(read, username)
  if (own === undefined || mentions(page, username)) return null
  const alike = pointersTo(page, (value) => {
    if (!isObject(value)) return false
    const shared = Object.keys(own).filter((name) => Object.hasOwn(value, name))
    return shared.length >= 4 && shared.some((name) => own[name] === username)
  })
  // Of several none need be the one whose page it is, and the caller may stand beside it.
  const [only] = alike
  return alike.length === 1 && only && !/caller|current|self|viewer|\bme\b/i.test(only) ? only : null
}
