/** Sections 2.1, 4.1 and 7: what a request about one user leaves as it is. */

import { recordsWith } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { group } from '../suite/requirement.js'
import { judgeUnnamed } from '../suite/series.js'
import type { Check, OwnUser } from '../suite/types.js'
import { refusedDoNothing } from '../suite/unchanged.js'
import { userMembers, userSeries } from '../suite/user-series.js'
import { plainMoment, readUser, views, viewsShown } from '../suite/users.js'

export const userEffects = group({ rank: 290, level: 'must', safety: 'write' }, [
  {
    id: 'users.at-once',
    section: '2.1',
    statement:
      'Of two creations of one username at the same moment one succeeds at most, and two of different usernames make two users.',
    operations: ['createUser'],
    async check(t, operation) {
      const { userBody, adoptUser } = t.run.own
      const create = async (body: ReturnType<typeof userBody>) => ({
        body,
        answer: await t.send({ operation, body }),
      })
      const body = userBody()
      const [one, rival] = await Promise.all([create(body), create(userBody({ username: body.username }))])
      const winners = [one, rival].filter(({ answer }) => answer.status === 200)
      t.verify(winners.length < 2, 'two creations of one username at the same moment succeeded', rival.answer)

      const others = await Promise.all([userBody(), userBody(), userBody()].map(create))
      const ids = new Set<number>()
      for (const { body, answer } of [...winners.slice(0, 1), ...others]) {
        if (answer.status !== 200) continue
        const { id } = await adoptUser(body, answer)
        if (id === null) continue
        t.verify(!ids.has(id), `two users that were created at the same moment have the id ${id}`, answer)
        ids.add(id)
      }
    },
  },

  {
    id: 'users.refused-as-a-whole',
    section: '7',
    statement:
      'A creation, an update or an addition to projects that is refused as invalid, for whichever of its fields, does nothing.',
    operations: ['createUser', 'updateUser', 'addUserToProjects'],
    each: true,
    async check(t, operation) {
      if (operation === 'addUserToProjects') {
        const project_ids = t.need('projects').slice(0, 1)
        // Asked for a level that is none, a tracker makes the user no member.
        const levels = [{ unheard: 'of' }, 'unheard-of', '']
        const bodies = levels.map((access_level) => ({ project_ids, access_level }))
        return nothingDone(t, operation, () => bodies)
      }
      const taken = await t.run.own.sharedUser()
      const wrong: readonly object[] = [
        { access_level: 'unheard-of' },
        { realname: { first: 'Kit' } },
        { enabled: 'perhaps' },
        { email: 'not an address' },
        { username: taken.username },
      ]
      if (operation === 'createUser') {
        for (const fault of wrong.slice(0, 4)) {
          const body = t.run.own.userBody(fault)
          const answer = await t.send({ operation, body })
          // Whether it is invalid is for other requirements to say.
          if (answer.status !== 400) continue
          const found = await readUser(t, body.username)
          const [field = ''] = Object.keys(fault)
          t.expect(found, 404, `reading a user whose creation was refused for its ${field}`, operation)
        }
        // Where nothing was refused there is nothing to be left undone.
        return t.pass()
      }
      await nothingDone(t, operation, ({ email }) => {
        const beside = { realname: `Half Person of ${t.run.tag}`, enabled: false, email: `half.${email}` }
        return wrong.flatMap((fault) => [
          { ...beside, ...fault },
          { ...fault, ...withoutMembersOf(beside, fault) },
        ])
      })
    },
  },

  {
    id: 'users.reading-changes-nothing',
    section: '4.1',
    statement: 'Reading a user, with a selection of fields or for the edit page, changes nothing about it.',
    operations: ['getUser', 'getUserEditPage', 'getUserCreatePage'],
    each: true,
    async check(t, operation) {
      const user = await t.run.own.user({ enabled: false })
      const path = { user_id: user.username }
      const plain = await plainMoment(t, user)
      const before = { ...plain, state: { ...plain.state, enabled: false } }
      const read = before.shown.getUser
      if (read === undefined) return t.inconclusive('a disabled user cannot be read')
      if (operation === 'getUserCreatePage') await t.send({ operation })
      if (t.profile.tokens.restricted !== undefined) await t.send({ operation, path, as: 'restricted' })
      if (operation === 'getUser') {
        const [record = {}] = recordsWith(read.json, user.username)
        for (const name of new Set([...Object.keys(record), 'email']))
          await t.send({ operation, path, query: `select=${encodeURIComponent(name)}` })
      }
      const after = { ...before, shown: await viewsShown(t, user) }
      judgeUnnamed(t, await userSeries(t), userMembers, [after], { before, culprit: operation })
    },
  },
])

/** Of a user of its own none of the bodies, where it is refused, changes anything. */
function nothingDone(t: Check, operation: OperationId, bodiesFor: (user: OwnUser) => readonly object[]) {
  return refusedDoNothing(t, async () => {
    const user = await t.run.own.user()
    const path = { user_id: user.username }
    const requests = bodiesFor(user).map((body) => ({
      what: `the body ${JSON.stringify(body)}`,
      call: { operation, path, body },
    }))
    return { look: (send) => views({ send }, user), requests }
  })
}

const withoutMembersOf = (body: object, other: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(other, name)))
