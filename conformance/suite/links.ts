/** Projects that things are linked to: where answers show them is learnt from things that are linked to different ones. */

import { isObject } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { type Facts, factsOf, learn, meets } from './facts.js'
import { type Moment, readsIn } from './series.js'
import type { Check } from './types.js'

/** Whether a thing is linked to this project is one more of its members. */
export const projectMember = (id: string) => `project ${id}`

const linksOf = (moment: Moment, read: OperationId): Facts => listedFactsOf(moment.shown[read])

const listedFactsOf = (shown: Moment['shown'][OperationId]): Facts => factsOf(listed(shown?.json))

/** What stands under numbers is a list too, in which each has its number. */
function listed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(listed)
  if (!isObject(value)) return value
  const known = asLists.get(value)
  if (known !== undefined) return known
  const members = Object.entries(value)
  const isList = members.length > 0 && members.every(([name]) => /^\d+$/.test(name))
  const found = isList
    ? members.map(([key, one]) => ({ key, ...(isObject(one) ? (listed(one) as object) : { value: one }) }))
    : Object.fromEntries(members.map(([name, one]) => [name, listed(one)]))
  asLists.set(value, found)
  return found
}

/** The facts of an answer are remembered by what they are taken from. */
const asLists = new WeakMap<object, unknown>()

/** The facts that only things linked to this project have. */
function marksOf(moments: readonly Moment[], read: OperationId, id: string): Facts {
  const sights = moments
    .filter(({ shown, state }) => shown[read] && state[projectMember(id)] !== undefined)
    .map((one) => ({ facts: linksOf(one, read), value: one.state[projectMember(id)] === true }))
  return learn(sights).get(true) ?? new Set()
}

/** The same fact about another project; null where it does not have the id in it. */
function alike(fact: string, from: string, to: string): string | null {
  const at = fact.indexOf('=')
  const [, begin, zeros = '', end] =
    new RegExp(`^("?(?:[^{]*[^\\dA-Za-z"])?)(0*)${from}("?)$`).exec(fact.slice(at + 1)) ?? []
  // Where an exact place is another's, it says nothing of this one.
  if (begin === undefined || !/^\d+$/.test(from) || fact.slice(0, at).includes('[')) return null
  const padded = zeros === '' ? to : to.padStart(zeros.length + from.length, '0')
  return `${fact.slice(0, at)}=${begin}${padded}${end}`
}

/** Each thing shows the projects that it is linked to and no other. */
export function judgeLinks(
  t: Check,
  moments: readonly Moment[],
  projects: readonly string[],
  taught: Taught = {},
): void {
  const { by = moments, else: others = [], before = {}, pages = [], since } = taught
  for (const read of readsIn(moments)) {
    const marks = new Map(projects.map((id) => [id, marksOf(by, read, id)]))
    const templates = projects.flatMap((id) =>
      [...(marks.get(id) ?? []), ...marksOf(others, read, id)]
        .filter((fact) => alike(fact, id, id) !== null)
        .map((fact) => ({ id, fact })),
    )
    const further = [...inLists(by, before, read, projects), ...called(pages, before, read, projects)]
    for (const id of projects) {
      const own = marks.get(id) ?? new Set()
      const forms = (templates.length > 0 ? templates : further).map((one) => alike(one.fact, one.id, id))
      // Some projects everybody is in, as one list has them and another has not.
      const plain = listedFactsOf(before[read])
      const all: Facts = new Set(
        [...own, ...forms].filter((one) => one !== null && !plain.has(one)) as string[],
      )
      for (const moment of all.size === 0 ? [] : moments) {
        const isLinked = moment.state[projectMember(id)]
        if (!moment.shown[read] || isLinked === undefined) continue
        if (since?.shown[read] && meets(all, linksOf(since, read)) !== isLinked) continue
        const has = meets(all, linksOf(moment, read))
        const { operation } = moment.answer
        t.verify(
          has === isLinked,
          `${operation} is answered 200, and ${read} ${has ? 'has' : 'lacks'} the project ${id}`,
          moment.shown[read].answer,
          operation,
        )
      }
    }
  }
}

/**
 * Where each project is shown of some that are linked to it alone: places in lists that have several of the ids, and of
 * none but those that a thing is linked to.
 */
function inLists(
  moments: readonly Moment[],
  before: Moment['shown'],
  read: OperationId,
  ids: readonly string[],
) {
  const plain = listedFactsOf(before[read])
  const found = new Map<string, Map<string, string>>()
  const wrong = new Set<string>()
  for (const moment of moments)
    for (const fact of linksOf(moment, read))
      for (const id of /^[^=]*\*[^=]*=/.test(fact) && !plain.has(fact) ? ids : []) {
        const form = alike(fact, id, '')
        if (form === null) continue
        if (moment.state[projectMember(id)] !== true) wrong.add(form)
        found.set(form, (found.get(form) ?? new Map()).set(id, fact))
      }
  return [...found].flatMap(([form, facts]) =>
    wrong.has(form) || facts.size < 2 ? [] : [...facts].slice(0, 1).map(([id, fact]) => ({ id, fact })),
  )
}

/**
 * Where nothing was learnt: a list of projects by its name, on a page of somebody else. What everybody has there is not
 * looked at.
 */
function called(
  pages: readonly Moment['shown'][],
  before: Moment['shown'],
  read: OperationId,
  ids: readonly string[],
) {
  const plain = listedFactsOf(before[read])
  return pages.flatMap((shown) =>
    [...listedFactsOf(shown[read])].flatMap((fact) =>
      /(project|membership)\w*\/\*[^=]*=/i.test(fact) && !plain.has(fact)
        ? ids.filter((id) => alike(fact, id, id) !== null).map((id) => ({ id, fact }))
        : [],
    ),
  )
}

export interface Taught {
  /** Default: what is judged. */
  readonly by?: readonly Moment[]
  /** One that was not linked to anything yet. */
  readonly before?: Moment['shown']
  /** Of things that were there already. */
  readonly pages?: readonly Moment['shown'][]
  /** Before the change that is judged: what was wrong by then is not its fault. */
  readonly since?: Moment
  /** Of another operation: its facts count where they have the id in them. */
  readonly else?: readonly Moment[]
}
