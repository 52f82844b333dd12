/** Sections 2.1 and 4.1: each member of a user is the one that was given last, and nobody else's. */

import type { OperationId } from '../contract/index.js'
import { judgeLinks } from '../suite/links.js'
import { membershipSeries } from '../suite/membership-series.js'
import { group } from '../suite/requirement.js'
import { judgeBystanders, judgeMember, judgeUnnamed } from '../suite/series.js'
import type { Check } from '../suite/types.js'
import { watch } from '../suite/unchanged.js'
import { type UserMember, userMembers, userSeries } from '../suite/user-series.js'
import { updateUser, views } from '../suite/users.js'

const ofMember = (member: UserMember) => ({
  id: `users.${member.replace('_', '-')}`,
  section: '2.1',
  statement: `\`${member}\` of a user is the one that was given last, to a creation or to an update, and every read that shows it shows that.`,
  operations: ['createUser', 'updateUser', 'getUser', 'getUserEditPage'] as const,
  each: true as const,
  async check(t: Check, operation: OperationId) {
    const series = await userSeries(t)
    const lacking = series.lacking[member]
    if (lacking && member === 'access_level' && operation === 'createUser') return levelAgain(t, lacking)
    if (lacking) t.skip(lacking)
    judgeMember(t, series, member, operation)
    if (member === 'realname' && operation === 'createUser')
      judgeBystanders(t, series, [member], series.bare, operation)
  },
})

/**
 * Where no second level is known: whoever was created with a level has it already, so that to be given it once more changes
 * nothing. `lacking`: why no second one is known.
 */
async function levelAgain(t: Check, lacking: string): Promise<void> {
  const access_level = t.profile.accessLevel
  if (access_level === undefined) return t.skip(lacking)
  const user = await t.run.own.user()
  const { realname } = user
  // What shows that somebody was ever changed shows it by then.
  const touch = async () => (await updateUser(t, user.username, { realname })).status === 200
  if (!(await touch())) return t.skip(lacking)
  const changed = await watch(t, (send) => views({ send }, user), { meanwhile: touch })
  const answer = await updateUser(t, user.username, { access_level })
  if (answer.status !== 200) return t.skip(lacking)
  const shown = await changed()
  // When it was given, or by whom, is not what was given.
  const isOther = shown !== null && !/\b(null|nothing|a moment)\b|""/.test(shown.expected ?? '')
  const message = `the level that the creation was given is another one until an update gives it: ${shown?.place}`
  t.verify(!isOther, message, shown?.shownBy ?? answer, 'createUser', shown ?? {})
}

const plain = ['realname', 'email', 'client_preferred', 'enabled']

// Which users stand beside the one that is changed counts too.
export const userMembersShown = group({ rank: 150, level: 'must', safety: 'write', alone: true }, [
  ...userMembers.map(ofMember),

  {
    id: 'users.fields-accepted',
    section: '2.1',
    statement: 'Creation and update accept the same fields, and none of them is required by the other.',
    operations: ['createUser', 'updateUser'],
    each: true,
    async check(t, operation) {
      const { asked } = await userSeries(t)
      const own = asked.filter(({ answer, differs }) => answer.operation === operation && differs)
      const isAccepted = (name: string) =>
        own.some(({ answer, members }) => answer.status === 200 && Object.keys(members).join() === name)
      const protects = (by: OperationId) =>
        asked.some(
          ({ answer, members }) =>
            answer.operation === by && answer.status === 200 && members.protected === true,
        )
      // One that gives them all speaks for each.
      if (operation === 'createUser' && own[0]?.answer.status === 200) t.pass()
      for (const { answer, members } of own) {
        const names = Object.keys(members)
        const isWithoutLevel = names[0] === 'no access_level'
        const isPlain = isWithoutLevel || (names.length < 2 && names.every((name) => plain.includes(name)))
        // Of what the instance offers, the level that the profile has.
        const isLevel =
          names.length === 1 && members.access_level === t.profile.accessLevel && names[0] === 'access_level'
        // Nor what may be changed of somebody who is disabled with it.
        const isSum = operation === 'updateUser' && names.every(isAccepted) && members.enabled !== false
        // Who may be protected is not shown, nor what may be changed of whoever is.
        const isProtecting =
          names.length === 2 &&
          members.protected === true &&
          protects('createUser') &&
          !protects('updateUser')
        if (isPlain || isLevel || isSum || isProtecting)
          t.expect(answer, 200, `${operation} with ${names.join(', ') || 'the plain members'}`)
      }
    },
  },

  {
    id: 'users.update-unnamed',
    // What the workflow does with the rest is not shown; that it is a PATCH is.
    level: 'should',
    section: '4.1',
    statement: 'An update of one member leaves the members that it does not name as they were.',
    operations: ['updateUser'],
    async check(t) {
      const series = await userSeries(t)
      judgeUnnamed(t, series, userMembers)
      judgeUnnamed(t, series, userMembers, series.next)
    },
  },

  {
    id: 'users.update-of-one',
    section: '4.1',
    statement:
      'An update changes the user that the path names and nobody else, and takes the user out of no project.',
    operations: ['updateUser'],
    async check(t) {
      const series = await userSeries(t)
      judgeBystanders(t, series, userMembers, series.bystanders)
      if (t.profile.projects === undefined || t.profile.projectAccessLevel === undefined) return
      const { projects, atOnce, further, updated, before } = await membershipSeries(t)
      const [since] = further
      judgeLinks(t, updated, projects, { by: atOnce, before, ...(since && { since }) })
    },
  },
])
