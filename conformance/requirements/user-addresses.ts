/** Sections 2.1 and 4.1: whatever addresses a user, it is the same user to every operation. */

import { requirement } from '../suite/requirement.js'
import { updateNaming } from '../suite/user-updates.js'
import type { Answer } from '../target/call.js'
import { isObject, mentions, pointersTo, valueAt } from '../target/look.js'

export const userAddresses = [
  requirement({
    id: 'users.special-names',
    level: 'must',
    section: '2.1',
    statement:
      'A username that a creation accepted addresses the user in every operation, with a dot or another sign in it too.',
    operations: ['getUser', 'getUserEditPage', 'updateUser', 'addUserToProjects', 'resetUser'],
    safety: 'write',
    async check(t) {
      const { projects, projectAccessLevel: access_level } = t.profile
      // No tracker that casts has counted to it.
      const large = '9876543210'
      for (const sign of ['.', '-', '_', '@', '+', ' ', 'K', '7', 'ø', `${large} in front`]) {
        const plain = t.run.own.userBody()
        const rest = { '@': 'kit.org', '7': '' }[sign] ?? 'kit'
        const isBefore = sign.startsWith(large)
        const username = isBefore ? `${large}${plain.username}` : `${plain.username}${sign}${rest}`
        const body = { ...plain, username }
        const created = await t.send({ operation: 'createUser', body })
        // Which signs a username may have is not shown.
        if (created.status !== 200) continue
        const path = { user_id: body.username }
        const rule = (what: string) => `${what} a user with "${sign}" in the username`
        const found = await t.send({ operation: 'getUser', path })
        // A tracker may make capitals small, and may then tell the two apart.
        const small = { operation: 'getUser', path: { user_id: body.username.toLowerCase() } } as const
        const isFound = sign === 'K' && found.status !== 200 ? await t.send(small) : found
        // Nor need it keep a letter beyond ASCII, unless it says so.
        const isKept = sign !== 'ø' || mentions(created.json, username)
        if (isKept) t.expect(isFound, 200, rule('reading'))
        if (found.status !== 200) continue
        t.expect(await t.send({ operation: 'getUserEditPage', path }), 200, rule('reading the edit page of'))
        const changes = { realname: body.realname.replace('Kit', 'Our') }
        t.expect(await updateNaming(t, body, changes, { enabled: true }), 200, rule('updating'))
        if (projects?.length && access_level !== undefined) {
          const addition = { project_ids: projects.slice(0, 1), access_level }
          const add = { operation: 'addUserToProjects', path, body: addition } as const
          t.expect(await t.send(add), 200, rule('adding to a project'))
        }
        if (!t.allows('destructive')) continue
        const reset = { operation: 'resetUser', path } as const
        t.expect(await t.send(reset), 200, rule('resetting'))
      }
      if (!t.run.succeeded('createUser')) t.inconclusive('no user could be created')
    },
  }),

  requirement({
    id: 'users.select',
    level: 'should',
    section: '4.1',
    statement:
      'A `select` option limits the fields alike, whether the user is addressed by id or by username.',
    operations: ['getUser'],
    safety: 'read',
    async check(t, operation) {
      const { id, username } = t.need('user')
      const both = async (query?: string) => {
        const ask = (user_id: string | number) =>
          t.send({ operation, path: { user_id }, ...(query === undefined ? {} : { query }) })
        return [await ask(id), await ask(username)] as const
      }
      const named = (answer: Answer) => JSON.stringify(memberNames(answer.json, [String(id), username]))
      const [byId, byName] = await both()
      if (byId.status !== 200 || byName.status !== 200 || named(byId) !== named(byName))
        t.skip('the answers by id and by username differ without the option too')
      for (const query of ['select=id', 'select=name', 'select=username', 'select=email', 'select[]=email']) {
        const [one, other] = await both(query)
        if (one.status !== 200 || other.status !== 200) continue
        // Beside the user an answer may have what is another each time.
        const [again] = await both(query)
        if (named(one) !== named(again)) continue
        t.verify(named(one) === named(other), `${query} has other fields by id than by username`, other)
      }
    },
  }),
]

/** All names of members that an answer has, but for those by which the user was asked for. */
function memberNames(json: unknown, asked: readonly string[]): string[] {
  const names = pointersTo(json, isObject).flatMap((at) => Object.keys(valueAt(json, at) as object))
  return [...new Set(names)].filter((name) => !asked.includes(name)).toSorted()
}
