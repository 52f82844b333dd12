/** Sections 2.4 and 4.1: a user is added to projects. */

import type { Answer } from '../client/call.js'
import { isObject, pointersTo, projectId, projectLists, valueAt } from '../client/look.js'
import { judgeLinks, projectMember } from '../suite/links.js'
import { membershipSeries } from '../suite/membership-series.js'
import { group } from '../suite/requirement.js'
import { judgeUnnamed } from '../suite/series.js'
import type { Check } from '../suite/types.js'
import { lowerLevel, userMembers, userSeries } from '../suite/user-series.js'
import { updateUser, views } from '../suite/users.js'

/** A user before and after it was added to one project, at this global level where one is given. */
async function addedToOne(t: Check, level: number | null = null) {
  const project_ids = t.need('projects').slice(0, 1)
  const access_level = t.need('projectAccessLevel')
  const { username } = await t.run.own.user()
  if (level !== null) await updateUser(t, username, { access_level: level })
  const before = await views(t, { username })
  const body = { project_ids, access_level }
  const answer = await t.send({ operation: 'addUserToProjects', path: { user_id: username }, body })
  const pages = answer.status === 200 ? await views(t, { username }) : []
  return { username, before, answer, pages, project_ids, access_level }
}

const isPlain = (pointer: string) => /\/(projects|project_ids|(project_)?memberships)$/i.test(pointer)

// What others change meanwhile would be taken for what an addition shows.
const common = {
  rank: 140,
  level: 'must',
  operations: ['addUserToProjects'],
  safety: 'write',
  alone: true,
} as const

export const userProjects = group(common, [
  {
    id: 'users.projects',
    section: '2.4',
    statement: 'A user is added to each of the listed projects and to no other, and the answer is 200.',
    async check(t, operation) {
      const { projects, asked, atOnce: additions, before, others: pages } = await membershipSeries(t)
      for (const { answer, members, differs } of asked)
        if (differs) t.expect(answer, 200, `adding a user to ${members.projects} of the projects`)
      judgeLinks(t, additions, projects, { before, pages })
      for (const { answer, shown, state } of additions)
        for (const one of [answer, ...Object.values(shown).map((page) => page.answer)]) {
          // In others it may have been before, with another level.
          const added = projects.filter((id) => state[projectMember(id)] === true)
          const levels = new Set(levelsIn(one.json, added).map((level) => JSON.stringify(level)))
          const several = [...levels].join(' and ')
          t.verify(levels.size < 2, `a user who was added with one level has ${several}`, one, operation)
        }
    },
  },

  {
    id: 'users.projects-added',
    section: '2.4',
    statement:
      'Adding a user to one project takes it out of no other, an empty list adds none, and a member who is added again stays.',
    async check(t) {
      const { projects, atOnce, further, before, others } = await membershipSeries(t)
      judgeLinks(t, further, projects, { by: atOnce, before, pages: others })
    },
  },

  {
    id: 'users.projects-of-one',
    section: '4.1',
    statement: 'Adding a user to projects changes nothing else about that user, nor who else is in them.',
    async check(t) {
      const { projects, atOnce, additions, further, before, others } = await membershipSeries(t)
      judgeLinks(t, additions, projects, { by: atOnce, before, pages: others })
      judgeUnnamed(t, await userSeries(t), userMembers, [...additions, ...further])
    },
  },

  {
    id: 'users.projects-level',
    level: 'should',
    section: '2.4',
    statement:
      'The access level in a project is the one that was given, where answers show it and the edit page offers the levels; the global one stays.',
    async check(t, operation) {
      // Of another global level, where the one in a project may be above it: else the two are not told apart.
      const global = t.profile.accessLevel
      const lower = global === undefined ? null : await lowerLevel(t, await t.run.own.sharedUser(), global)
      const first = await addedToOne(t, lower)
      const added = first.answer.status === 200 || lower === null ? first : await addedToOne(t)
      const { username, before, answer, pages, project_ids, access_level } = added
      if (answer.status !== 200) t.inconclusive(`the user was not added: ${answer.status}`)
      for (const [index, after] of pages.entries()) {
        const changed = changedLevel(before[index], after, username)
        const message = `adding a user to a project has changed the global level at ${changed}`
        t.verify(changed === undefined, message, after, operation)
      }
      for (const shown of [answer, ...pages])
        for (const level of levelsIn(shown.json, project_ids))
          t.verify(
            !pages.some((page) => isAnotherLevel(page.json, access_level, level)),
            `the level was given as ${access_level} and is shown as ${JSON.stringify(level)}`,
            shown,
            operation,
          )
    },
  },

  {
    id: 'users.projects-shown',
    level: 'should',
    section: '2.4',
    statement:
      'Where the record of a user has a list of projects, a project to which it was added stands in it.',
    async check(t, operation) {
      const { username, before, answer, pages } = await addedToOne(t)
      if (answer.status !== 200) t.inconclusive(`the user was not added: ${answer.status}`)
      for (const [index, after] of pages.entries())
        for (const pointer of emptyLists(after.json, username)) {
          // Of projects that can be chosen it had one before, when it was in none.
          const still = emptyLists(before[index]?.json, username).includes(pointer)
          t.verify(!still, `${pointer} is empty after the user was added to a project`, after, operation)
        }
      t.pass()
    },
  },
])

/** The lists of projects in the record of a user that have nothing in them. */
function emptyLists(json: unknown, username: string): string[] {
  const records = pointersTo(json, (value) => isObject(value) && Object.values(value).includes(username))
  // Not one of entries in which no id is known.
  return [...projectLists(json, username).keys()]
    .filter((pointer) => isPlain(pointer) && (valueAt(json, pointer) as readonly unknown[]).length === 0)
    .filter((pointer) => records.includes(pointer.slice(0, pointer.lastIndexOf('/'))))
}

/** Where the second page has another global level of the user than the first, if anywhere. */
function changedLevel(before: Answer | undefined, after: Answer, username: string): string | undefined {
  if (after.status !== 200) return undefined
  const changed = globalLevel(before?.json, username).find(
    ([place, level]) => JSON.stringify(valueAt(after.json, place) ?? level) !== JSON.stringify(level),
  )
  return changed?.[0]
}

/** Where a page has the global level of a user, and what it is there. */
function globalLevel(json: unknown, username: string): [place: string, level: unknown][] {
  const records = pointersTo(json, (value) => isObject(value) && Object.values(value).includes(username))
  return records
    .filter((at) => !/project|member/i.test(at))
    .map((at): [string, unknown] => [`${at}/access_level`, valueAt(json, `${at}/access_level`)])
    .filter(([, level]) => level !== undefined)
}

/** The levels that lists of projects give to these; an entry need not show one. */
function levelsIn(json: unknown, ids: readonly string[]): unknown[] {
  const items = [...projectLists(json).keys()].flatMap((at) => valueAt(json, at) as readonly unknown[])
  const entries = items.filter(isObject).filter((item) => projectId(item).some((id) => ids.includes(id)))
  const isLevel = ([name]: [string, unknown]) => /^((access|project)_?)?(level|role)$/i.test(name)
  return entries
    .flatMap((entry) => Object.entries(entry).filter(isLevel).slice(0, 1))
    .map(([, level]) => level)
}

const parts = (level: unknown): unknown[] => (isObject(level) ? Object.values(level) : [level])

/** Whether a page offers levels of which the given one is another than that of an entry. */
function isAnotherLevel(page: unknown, given: string, level: unknown): boolean {
  const offered = pointersTo(page, isObject)
    .filter((at) => /levels\/\d+$/i.test(at) && !/project|member/i.test(at))
    .map((at) => parts(valueAt(page, at)))
  const meant = offered.filter((choice) => choice.map(String).includes(given))
  const shown = offered.filter((choice) => parts(level).some((part) => choice.includes(part)))
  return meant.length === 1 && shown.length === 1 && meant[0] !== shown[0]
}
