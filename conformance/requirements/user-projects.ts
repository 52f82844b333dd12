/** Sections 2.4 and 4.1: a user is added to projects. */

import { usernameOf } from '../suite/identity.js'
import { requirement } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'
import { lowerLevel } from '../suite/user-series.js'
import type { Answer } from '../target/call.js'
import {
  isObject,
  isOfAnother,
  isReadable,
  pointersTo,
  projectId,
  projectLists,
  valueAt,
} from '../target/look.js'

const pagesOf = async (t: Check, user_id: string | number): Promise<readonly Answer[]> => [
  await t.send({ operation: 'getUserEditPage', path: { user_id } }),
  await t.send({ operation: 'getUser', path: { user_id } }),
]

const NONE: ReadonlySet<string> = new Set()

/** For each of the two pages, the lists of projects that they show of other users, by pointer. */
async function listsOfOthers(t: Check): Promise<readonly Map<string, Set<string>[]>[]> {
  const names = [
    t.profile.user?.username,
    t.profile.tokens.restricted && (await usernameOf(t, 'restricted')),
    t.profile.tokens.password && (await usernameOf(t, 'password')),
  ]
  const found = [new Map<string, Set<string>[]>(), new Map<string, Set<string>[]>()]
  for (const name of names) {
    if (!name) continue
    for (const [index, page] of (await pagesOf(t, name)).entries())
      for (const [pointer, list] of projectLists(page.json, name))
        found[index]?.set(pointer, [...(found[index]?.get(pointer) ?? []), list])
  }
  // Whoever adds users may have projects of another kind as well, so of theirs the plainly named lists alone.
  const caller = await usernameOf(t, 'administrator')
  for (const [index, page] of caller === null ? [] : (await pagesOf(t, caller)).entries())
    for (const [pointer, list] of projectLists(page.json, caller ?? undefined))
      if (isPlain(pointer)) found[index]?.set(pointer, [...(found[index]?.get(pointer) ?? []), list])
  return found
}

const isPlain = (pointer: string) => /\/(projects|project_ids|(project_)?memberships)$/i.test(pointer)

export const userProjects = [
  requirement({
    id: 'users.projects',
    level: 'must',
    section: '2.4',
    statement:
      'A user is added to each of the listed projects, with one access level, and the answer is 200.',
    operations: ['addUserToProjects'],
    safety: 'write',
    async check(t, operation) {
      const project_ids = t.need('projects')
      const access_level = t.need('projectAccessLevel')
      const others = await listsOfOthers(t)
      const several = project_ids.length > 1 ? [project_ids.slice(0, 1), project_ids.toReversed()] : []
      for (const ids of [...several, project_ids]) {
        // A fresh user for each, since adding a member again may be refused.
        const { username } = await t.run.own.user()
        const before = await pagesOf(t, username)
        const body = { project_ids: ids, access_level }
        const answer = await t.send({ operation, path: { user_id: username }, body })
        const noun = `${ids.length} project${ids.length === 1 ? '' : 's'}`
        if (!t.expect(answer, 200, `adding a user to ${noun}`)) continue
        const pages = await pagesOf(t, username)
        for (const shown of [answer, ...pages]) {
          const levels = new Set(levelsIn(shown.json, ids).map((level) => JSON.stringify(level)))
          t.verify(
            levels.size < 2,
            `after adding a user to ${noun} it has the levels ${[...levels].join(' and ')}`,
            shown,
            operation,
          )
        }
        for (const [index, after] of pages.entries()) {
          const changed = changedLevel(before[index], after, username)
          t.verify(
            changed === undefined,
            `adding a user to ${noun} has changed the global level at ${changed}`,
            after,
            operation,
          )
          const shown = projectLists(after.json, username)
          const pointers = new Set([...shown.keys(), ...(others[index]?.keys() ?? [])])
          for (const pointer of pointers) {
            if (isOfAnother(after.json, pointer, username)) continue
            const listed = shown.get(pointer) ?? NONE
            const was = projectLists(before[index]?.json, username).get(pointer) ?? NONE
            // A list that is another for somebody else, or for this user before, is the user's own.
            const own = [was, ...(others[index]?.get(pointer) ?? [])].some((list) => !isSame(list, listed))
            const missing = ids.filter((id) => !listed.has(id))
            const extra = project_ids.find((id) => !ids.includes(id) && listed.has(id) && !was.has(id))
            t.verify(
              extra === undefined || listed.size === was.size,
              `after adding a user to ${noun} ${pointer} has the project ${extra} as well`,
              after,
              operation,
            )
            t.verify(
              !own || after.status !== 200 || !isReadable(listed, project_ids) || missing.length === 0,
              `after adding a user to ${noun} ${pointer} lacks the project ${missing[0]}`,
              after,
              operation,
            )
          }
        }
      }
    },
  }),

  requirement({
    id: 'users.projects-level',
    level: 'should',
    section: '2.4',
    statement:
      'The access level in a project is the one that was given, where answers show it and the edit page offers the levels; the global one stays.',
    operations: ['addUserToProjects'],
    safety: 'write',
    async check(t, operation) {
      const project_ids = t.need('projects').slice(0, 1)
      const access_level = t.need('projectAccessLevel')
      const add = async (level: number | null) => {
        const { username } = await t.run.own.user()
        const path = { user_id: username }
        const other = {
          operation: 'updateUser',
          path,
          body: { access_level: level },
        } as const
        if (level !== null) await t.send(other)
        const before = await pagesOf(t, username)
        const body = { project_ids, access_level }
        return { username, before, answer: await t.send({ operation, path, body }) }
      }
      // Of another global level, where the one in a project may be above it: else the two are not told apart.
      const global = t.profile.accessLevel
      const lower = global === undefined ? null : await lowerLevel(t, await t.run.own.sharedUser(), global)
      const first = await add(lower)
      const added = first.answer.status === 200 || lower === null ? first : await add(null)
      const { username, before, answer } = added
      if (answer.status !== 200) t.inconclusive(`the user was not added: ${answer.status}`)
      const pages = await pagesOf(t, username)
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
  }),

  requirement({
    id: 'users.projects-shown',
    level: 'should',
    section: '2.4',
    statement:
      'Where the record of a user has a list of projects, a project to which it was added stands in it.',
    operations: ['addUserToProjects'],
    safety: 'write',
    async check(t, operation) {
      const project_ids = t.need('projects').slice(0, 1)
      const access_level = t.need('projectAccessLevel')
      const { username } = await t.run.own.user()
      const path = { user_id: username }
      const before = await pagesOf(t, username)
      const body = { project_ids, access_level }
      const answer = await t.send({ operation, path, body })
      if (answer.status !== 200) t.inconclusive(`the user was not added: ${answer.status}`)
      for (const [index, after] of (await pagesOf(t, username)).entries())
        for (const pointer of emptyLists(after.json, username)) {
          // Of projects that can be chosen it had one before, when it was in none.
          const still = emptyLists(before[index]?.json, username).includes(pointer)
          t.verify(!still, `${pointer} is empty after the user was added to a project`, after, operation)
        }
      t.pass()
    },
  }),

  requirement({
    id: 'users.projects-added',
    level: 'must',
    section: '2.4',
    statement: 'Adding a user to one project takes it out of no other.',
    operations: ['addUserToProjects'],
    safety: 'write',
    async check(t, operation) {
      const [first, second] = t.need('projects')
      const access_level = t.need('projectAccessLevel')
      if (first === undefined || second === undefined) return t.skip('the profile has one project only')
      const { username } = await t.run.own.user()
      const add = (id: string) => {
        const body = { project_ids: [id], access_level }
        return t.send({ operation, path: { user_id: username }, body })
      }
      const bare = await pagesOf(t, username)
      t.expect(await add(first), 200, 'adding a user to a project')
      const before = await pagesOf(t, username)
      t.expect(await add(second), 200, 'adding a user to another project')
      for (const [index, after] of (await pagesOf(t, username)).entries())
        for (const [pointer, listed] of projectLists(before[index]?.json, username)) {
          const came =
            listed.has(first) && !projectLists(bare[index]?.json, username).get(pointer)?.has(first)
          const kept = projectLists(after.json, username).get(pointer)?.has(first) ?? false
          t.verify(!came || kept, `${pointer} has lost the project ${first}`, after, operation)
        }
      const other = await t.run.own.user()
      const none = { project_ids: [], access_level }
      const without = await pagesOf(t, other.username)
      const empty = await t.send({
        operation,
        path: { user_id: other.username },
        body: none,
      })
      if (empty.status !== 200) return
      for (const [index, after] of (await pagesOf(t, other.username)).entries())
        for (const [pointer, listed] of projectLists(after.json, other.username)) {
          const was = projectLists(without[index]?.json, other.username).get(pointer) ?? NONE
          const added = [...listed].find((id) => !was.has(id))
          t.verify(added === undefined, `an empty list has added the project ${added}`, after, operation)
        }
    },
  }),
]

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
  return entries.map((entry) => entry.access_level ?? entry.level).filter((level) => level !== undefined)
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

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id))
}
