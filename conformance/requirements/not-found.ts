/** Section 7, status 404: each resource that a path names, when there is none. */
import type { OperationId } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { existingField, missing, ownUser, plainRequest } from '../suite/requests.js'
import { requirement } from '../suite/requirement.js'
import { FOR_NOBODY, isForNobody } from '../suite/sessions.js'
import { withPlugin } from '../suite/shared.js'

const userOperations: readonly OperationId[] = [
  'getUser',
  'updateUser',
  'impersonateUser',
  'getUserEditPage',
  'addUserToProjects',
  'resetUser',
]
const fieldOperations: readonly OperationId[] = [
  'updateCustomField',
  'deleteCustomField',
  'getCustomFieldUpdatePage',
]

/** The path is the only defect: the body is one that the operation accepts for an existing resource. */
async function askAt(t: Check, operation: OperationId, path: Record<string, string | number>) {
  const { body } = await plainRequest(t, operation)
  return t.send({ operation, path, ...(body === undefined ? {} : { body }) })
}

/** A username is compared whole. Reads alone, and of the run's own names, which nobody else's are near. */
async function expectNobodyNear(t: Check, operation: OperationId): Promise<void> {
  const own = operation.startsWith('get') ? await ownUser(t) : null
  if (own === null) return
  for (const [what, user_id] of [
    ['without its last character', own.username.slice(0, -1)],
    ['with a character too many', `${own.username}x`],
  ] as const)
    t.expect(await askAt(t, operation, { user_id }), 404, `a username ${what} in the path`)
  // To a search these stand for any characters.
  for (const sign of ['%', '_']) {
    const user_id = `${own.username.slice(0, -1)}${sign}`
    t.expect(
      await askAt(t, operation, { user_id }),
      [404, 400],
      `a username with ${sign} for its last character`,
    )
  }
}

export const notFound = [
  requirement({
    id: 'not-found.username',
    level: 'must',
    section: '7',
    statement: 'A username that no account has is answered 404.',
    operations: userOperations,
    safety: 'read',
    each: true,
    async check(t, operation) {
      if (operation === 'addUserToProjects') {
        t.need('projects')
        t.need('projectAccessLevel')
      }
      const answer = await askAt(t, operation, { user_id: missing.username(t) })
      if (await isForNobody(t, operation, answer)) t.skip(FOR_NOBODY)
      t.expect(answer, 404, 'an unknown username in the path')
      await expectNobodyNear(t, operation)
      // Reads alone: a tracker that takes the number in front for an id would do the rest to a real user.
      if (t.profile.user === undefined || !operation.startsWith('get')) return
      const numbered = await askAt(t, operation, { user_id: `${t.profile.user.id}${missing.username(t)}` })
      t.expect(numbered, 404, 'an unknown username that begins with the id of a user')
    },
  }),

  requirement({
    id: 'not-found.user-id',
    level: 'must',
    section: '7',
    statement: 'A numeric user id that no account has is answered 404.',
    operations: userOperations,
    safety: 'read',
    each: true,
    async check(t, operation) {
      if (operation === 'addUserToProjects') {
        t.need('projects')
        t.need('projectAccessLevel')
      }
      const answer = await askAt(t, operation, { user_id: missing.id(t) })
      if (await isForNobody(t, operation, answer)) t.skip(FOR_NOBODY)
      t.expect(answer, 404, 'an unknown user id in the path')
      const id = (await ownUser(t))?.id ?? t.profile.user?.id
      if (id === undefined || !operation.startsWith('get')) return
      const wrapped = await askAt(t, operation, { user_id: 2 ** 32 + id })
      t.expect(wrapped, [404, 400], 'the id of a user plus 2 to the power of 32 in the path')
      const negative = await askAt(t, operation, { user_id: -id })
      t.expect(negative, [404, 400], 'the id of a user with a minus before it in the path')
      const fraction = await askAt(t, operation, { user_id: `${id}.5` })
      t.expect(fraction, [404, 400], 'the id of a user with a fraction behind it in the path')
    },
  }),

  requirement({
    id: 'not-found.user-by-other-text',
    level: 'should',
    section: '2.1',
    statement: 'Neither the e-mail address nor the display name of a user addresses it.',
    operations: ['getUser', 'getUserEditPage'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      const { username, email, realname } = await t.run.own.sharedUser()
      const known = await t.send({ operation, path: { user_id: username } })
      if (known.status !== 200) t.inconclusive(`its username is answered ${known.status}`)
      for (const [what, user_id] of [
        ['e-mail address', email],
        ['display name', realname],
      ] as const) {
        if (user_id === username) continue
        const answer = await t.send({ operation, path: { user_id } })
        t.expect(answer, [404, 400], `the ${what} of a user in the path`)
      }
    },
  }),

  requirement({
    id: 'not-found.custom-field',
    level: 'must',
    section: '7',
    statement: 'An integer that identifies no custom field is answered 404.',
    operations: fieldOperations,
    safety: 'read',
    each: true,
    async check(t, operation) {
      const answer = await askAt(t, operation, { field_id: missing.id(t) })
      t.expect(answer, 404, 'an unknown field_id in the path')
      const { id, proven } = await existingField(t)
      // Reads alone, and with so many digits that no field has it.
      const longer = `${id}`.padEnd(9, '7')
      if (operation !== 'getCustomFieldUpdatePage' || !proven || longer === String(id)) return
      t.expect(
        await askAt(t, operation, { field_id: longer }),
        404,
        'the id of a field with more digits behind',
      )
    },
  }),

  requirement({
    id: 'not-found.custom-field-no-integer',
    level: 'must',
    section: '2.5',
    statement: 'A `field_id` that is no integer identifies nothing: 404, or 400 as an invalid request.',
    operations: fieldOperations,
    safety: 'read',
    each: true,
    async check(t, operation) {
      const answer = await askAt(t, operation, { field_id: 'abc' })
      if (t.expect(answer, [404, 400], 'a field_id of letters'))
        t.observe('cf-bad-id', operation, answer.status)
      // Reads alone: a tracker that finds a field by this would do the rest to a real one.
      if (operation !== 'getCustomFieldUpdatePage') return
      const { name } = await existingField(t)
      if (name === null) return
      const named = await askAt(t, operation, { field_id: name })
      t.expect(named, [404, 400], 'the name of a field for its field_id')
    },
  }),

  requirement({
    id: 'not-found.recipient',
    level: 'must',
    section: '7',
    statement: 'An integer that identifies no helpdesk recipient is answered 404.',
    operations: ['deleteHelpdeskRecipient'],
    safety: 'read',
    async check(t, operation) {
      const answer = await askAt(t, operation, { recipient_id: missing.id(t) })
      t.expect(answer, 404, 'an unknown recipient_id in the path')
    },
  }),

  requirement({
    id: 'not-found.recipient-no-integer',
    level: 'must',
    section: '2.8',
    statement: 'A `recipient_id` that is no integer identifies nothing: 404, or 400 as an invalid request.',
    operations: ['deleteHelpdeskRecipient'],
    safety: 'read',
    async check(t, operation) {
      const answer = await askAt(t, operation, { recipient_id: 'abc' })
      if (t.expect(answer, [404, 400], 'a recipient_id of letters'))
        t.observe('recipient-bad-id', operation, answer.status)
    },
  }),

  requirement({
    id: 'not-found.plugin',
    level: 'must',
    section: '7',
    statement: 'A name that no plugin has is answered 404.',
    operations: ['updatePlugin', 'installPlugin', 'uninstallPlugin'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      const answer = await askAt(t, operation, { plugin_name: missing.plugin(t) })
      t.expect(answer, 404, 'an unknown plugin name in the path')
      // An update alone: a tracker that finds a plugin by this would do the rest to a real one.
      if (operation !== 'updatePlugin' || !t.profile.plugin || !t.allows('destructive')) return
      await withPlugin(t, async (name) => {
        if (name.length < 2) return
        const near = await askAt(t, operation, { plugin_name: name.slice(0, -1) })
        t.expect(near, [404, 400], 'a plugin name without its last character in the path')
      })
    },
  }),
]
