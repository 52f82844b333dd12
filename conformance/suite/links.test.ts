/** Where the projects that a thing is linked to are shown is found out, in lists and under their ids. */
import { expect, test } from 'vitest'
import { judgeLinks, projectMember } from './links.js'
import type { Moment } from './series.js'
import type { Check } from './types.js'

const ids = ['1', '2', '3']

/** A user who was added to these projects, as a page has it. */
function added(projects: readonly string[], user: object): Moment {
  const answer = { operation: 'addUserToProjects', status: 200, json: {} }
  const page = { answer, json: { user } }
  return {
    answer,
    given: ['project_ids'],
    state: Object.fromEntries(ids.map((id) => [projectMember(id), projects.includes(id)])),
    shown: { getUser: page },
  } as unknown as Moment
}

/** As the series adds them: to all, to two, to one and to none. */
const lists = [['3', '2', '1'], ['2', '3'], ['1', '3'], ['1', '2'], ['1'], []]

function said(show: (projects: readonly string[]) => object): string[] {
  const found: string[] = []
  const t = {
    verify(ok: boolean, message: string) {
      if (!ok) found.push(message)
    },
  }
  const before = added([], show([])).shown
  judgeLinks(
    t as unknown as Check,
    lists.map((list) => added(list, show(list))),
    ids,
    { before },
  )
  return found
}

const levels = (projects: readonly string[]) => Object.fromEntries(projects.map((id) => [id, 'member']))

test.each<[string, (projects: readonly string[]) => object]>([
  ['a list', (projects) => ({ projects: projects.map((id) => ({ id: Number(id) })) })],
  ['levels by project', (projects) => ({ projects: levels(projects) })],
  [
    'a list in order of its own',
    (projects) => ({ projects: projects.map((id, rank) => ({ rank: rank + 1, id })) }),
  ],
  ['ranks alone', (projects) => ({ groups: projects.map((_, rank) => ({ rank: rank + 1 })) })],
  ['a number of them', (projects) => ({ projects: projects.length })],
])('nothing is said of %s that has them all', (_, show) => {
  expect(said(show)).toEqual([])
})

test.each<[string, (projects: readonly string[]) => object]>([
  ['a list', (projects) => ({ projects: projects.slice(0, 1).map((id) => ({ id: Number(id) })) })],
  ['levels by project', (projects) => ({ projects: levels(projects.slice(0, 1)) })],
])('that only the first project is in %s is said', (_, show) => {
  expect(said(show)).toContain('addUserToProjects is answered 200, and getUser lacks the project 1')
})

test('what was wrong before a change is not the fault of it', () => {
  const found: string[] = []
  const t = { verify: (ok: boolean, message: string) => void (ok || found.push(message)) }
  const by = lists.map((list) => added(list, { projects: levels(list) }))
  const lacking = added(ids, { projects: levels(['1', '2']) })
  judgeLinks(t as unknown as Check, [lacking], ids, { by })
  expect(found).toHaveLength(1)
  judgeLinks(t as unknown as Check, [lacking], ids, { by, since: lacking })
  expect(found).toHaveLength(1)
})
