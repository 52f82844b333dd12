/** Sections 2.1 and 4.1: whatever addresses a user, it is the same user to every operation. */

import type { Answer } from '../client/call.js'
import { isObject, mentions, pointersTo, valueAt } from '../client/look.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'
import { createUser, readUser, updateNaming } from '../suite/users.js'

/** No tracker that casts has counted to it. */
const LARGE = '9876543210'
const IN_FRONT = `${LARGE} in front`

export const userAddresses = group({ rank: 270, level: 'should', safety: 'write' }, [
  {
    id: 'users.special-names',
    level: 'must',
    section: '2.1',
    statement:
      'A username that a creation accepted addresses the user in every operation, with a dot or another sign in it too.',
    operations: ['getUser', 'getUserEditPage', 'updateUser', 'addUserToProjects', 'resetUser'],
    async check(t) {
      await judgeNames(t, ['.', '-', '_', '@', '+', ' ', '7', IN_FRONT])
      for (const sign of ['K', 'ø']) await judgeNames(t, [sign])
      if (!t.run.succeeded('createUser')) t.inconclusive('no user could be created')
    },
  },

  {
    id: 'input.long-username',
    section: '2.1',
    statement: 'A user that was created with a long name is addressed by it.',
    operations: ['getUser', 'createUser'],
    async check(t) {
      const username = t.run.own.username(t.run.own.name().padEnd(40, 'z'))
      const { answer } = await createUser(t, { username })
      if (answer.status !== 200) t.skip(`a username of 40 characters is answered ${answer.status}`)
      // What is stored may be shorter than what was given.
      if (!mentions(answer.json, username)) t.skip('the answer does not show the name that was stored')
      t.expect(
        await readUser(t, username),
        200,
        'reading a user by the username of 40 characters that it was created with',
      )
    },
  },

  {
    id: 'users.select',
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
        const isAlike = named(one) === named(other)
        // Beside the user an answer may have what is another each time.
        if (!isAlike && named(one) !== named((await both(query))[0])) continue
        t.verify(isAlike, `${query} has other fields by id than by username`, other)
      }
    },
  },
])

type Judged = readonly [answer: Answer, rule: string]

/**
 * All signs in one name at first, and half of them at a time where that is refused, or does not address the user: a long
 * name may be cut.
 */
async function judgeNames(t: Check, signs: readonly string[]): Promise<void> {
  const judged = await usesOf(t, signs)
  const wrong = judged?.filter(([{ status }]) => status !== 200)
  if (wrong?.length === 0) return t.pass()
  const half = Math.ceil(signs.length / 2)
  for (const some of signs.length > 1 ? [signs.slice(0, half), signs.slice(half)] : [])
    await judgeNames(t, some)
  if (signs.length === 1) for (const [answer, rule] of wrong ?? []) t.expect(answer, 200, rule)
}

/** What every operation answers about a user with these signs in its name; undefined where none is made with them. */
async function usesOf(t: Check, signs: readonly string[]): Promise<Judged[] | undefined> {
  const plain = t.run.own.userBody()
  const word = signs.length > 1 ? 'k' : 'kit'
  const behind = signs.map(
    (sign) => ({ '@': `@${word}.org`, '7': '7', [IN_FRONT]: '' })[sign] ?? `${sign}${word}`,
  )
  const username = `${signs.includes(IN_FRONT) ? LARGE : ''}${plain.username}${behind.join('')}`
  const body = { ...plain, username }
  const created = await t.send({ operation: 'createUser', body })
  // Which signs a username may have is not shown.
  if (created.status !== 200) return undefined
  const path = { user_id: username }
  const judged: Judged[] = []
  const judge = (answer: Answer, what: string) =>
    judged.push([answer, `${what} a user with "${signs.join('", "')}" in the username`])
  const found = await readUser(t, username)
  // Nor need it keep a letter beyond ASCII, unless it says so.
  if (!signs.includes('ø') || mentions(created.json, username))
    // A tracker may make capitals small, and may then tell the two apart.
    judge(
      signs.includes('K') && found.status !== 200 ? await readUser(t, username.toLowerCase()) : found,
      'reading',
    )
  if (found.status !== 200) return judged
  judge(await t.send({ operation: 'getUserEditPage', path }), 'reading the edit page of')
  const changes = { realname: body.realname.replace('Kit', 'Our') }
  judge(await updateNaming(t, body, changes, { enabled: true }), 'updating')
  const { projects, projectAccessLevel: access_level } = t.profile
  if (projects?.length && access_level !== undefined) {
    const addition = { project_ids: projects.slice(0, 1), access_level }
    judge(await t.send({ operation: 'addUserToProjects', path, body: addition }), 'adding to a project')
  }
  if (t.allows('destructive')) judge(await t.send({ operation: 'resetUser', path }), 'resetting')
  return judged
}

/** All names of members that an answer has, but for those by which the user was asked for. */
function memberNames(json: unknown, asked: readonly string[]): string[] {
  const names = pointersTo(json, isObject).flatMap((at) => Object.keys(valueAt(json, at) as object))
  return [...new Set(names)].filter((name) => !asked.includes(name)).toSorted()
}
