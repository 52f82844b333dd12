/**
 * A series: things that were created and changed so that their members differ in every combination that tells them apart,
 * and what answers showed each time. Where a member shows is learnt from the creations and judged at the updates, and
 * the other way round, so that a fault in one does not hide itself.
 */

import type { Answer } from '../client/call.js'
import type { OperationId } from '../contract/index.js'
import {
  type Evidence,
  type Facts,
  factsOf,
  isKnown,
  learn,
  learnOwn,
  meets,
  ownFactsOf,
  shows,
  showsWholly,
} from './facts.js'
import type { Check } from './types.js'

export type Value = string | number | boolean

/** What an answer has of one thing. */
export interface Shown {
  readonly answer: Answer
  readonly json: unknown
}

export interface Moment {
  /** The creation or the update that was answered 200. */
  readonly answer: Answer
  /** The members of its body. */
  readonly given: readonly string[]
  /** What each member was given last. */
  readonly state: Readonly<Record<string, Value>>
  /** What a read of each kind showed afterwards; those that were not answered 200 are left out. */
  readonly shown: Readonly<Partial<Record<OperationId, Shown>>>
}

export interface Asked {
  readonly members: Readonly<Record<string, Value>>
  /** Whether nothing that it asks for is so already. */
  readonly differs: boolean
  readonly answer: Answer
  /** Of a creation that was answered 200: a read afterwards that shows such things. */
  read?: Answer
}

export interface Series {
  readonly creates: OperationId
  readonly updates: OperationId
  readonly creations: readonly Moment[]
  /** All of one thing. */
  readonly changes: readonly Moment[]
  /** Members whose value is a text that is given once and to one thing alone. */
  readonly texts: readonly string[]
}

/** How one kind of read shows one member. */
interface Telling {
  readonly isKnown: boolean
  /** What tells its values, each with the value that it tells. */
  readonly facts: Facts
  /** `isWhole`: the lack of a mark says something too. */
  isShown(moment: Moment, isWhole: boolean): boolean | null
  /** Whether it shows, of another thing, what was given to this one. */
  isEcho(moment: Moment, value: Value, own: Value | undefined): boolean
}

/** The one read that tells every member which any read tells, as these creations show; null where there is none. */
export function tellingRead(
  creations: readonly Moment[],
  texts: readonly string[],
  members: readonly string[],
): OperationId | null {
  const told = readsIn(creations).map((read) => ({
    read,
    members: members.filter(
      (member) => learnMember({ texts, creations, changes: [] }, creations, member, read).isKnown,
    ),
  }))
  const all = new Set(told.flatMap((one) => one.members))
  return told.find((one) => one.members.length === all.size && all.size > 0)?.read ?? null
}

/** Of these moments. */
function learnMember(
  { texts, creations, changes }: Pick<Series, 'texts' | 'creations' | 'changes'>,
  moments: readonly Moment[],
  member: string,
  read: OperationId,
): Telling {
  const given = moments.filter(
    ({ given, state, shown }) => given.includes(member) && state[member] !== undefined && shown[read],
  )
  const shownAt = (moment: Moment) => moment.shown[read]?.json
  const factsAt = (moment: Moment) => factsOf(shownAt(moment))
  if (!texts.includes(member)) {
    const evidence: Evidence<Value> = learn(
      given.map((one) => ({ facts: factsAt(one), value: one.state[member] as Value })),
    )
    return {
      isKnown: isKnown(evidence),
      facts: new Set([...evidence].flatMap(([value, own]) => [...own].map((fact) => `${value} ${fact}`))),
      isShown: (moment, isWhole) =>
        (isWhole ? showsWholly : shows)(evidence, factsAt(moment), moment.state[member] as Value),
      isEcho: (moment, value, own) =>
        own !== undefined && own !== value && shows(evidence, factsAt(moment), own) === false,
    }
  }
  // A text that is the name too shows as that.
  const evidence = learnOwn(
    given
      .filter(({ state }) => state[member] !== state.username)
      .map((one) => ({ shown: one.shown[read]?.json, text: String(one.state[member]) })),
  )
  const all = [...creations, ...changes].map(({ state }) => state[member]).filter((one) => one !== undefined)
  return {
    isKnown: evidence.size > 0,
    facts: evidence,
    isShown(moment, isWhole) {
      const own = moment.state[member]
      const has = (text: Value): boolean => meets(evidence, ownFactsOf(shownAt(moment), String(text)))
      if (evidence.size === 0 || own === undefined) return null
      if (has(own)) return true
      return isWhole || all.some((text) => text !== own && has(text)) ? false : null
    },
    isEcho: (moment, value) => meets(evidence, ownFactsOf(shownAt(moment), String(value))),
  }
}

export const readsIn = (moments: readonly Pick<Moment, 'shown'>[]): OperationId[] => [
  ...new Set(moments.flatMap(({ shown }) => Object.keys(shown) as OperationId[])),
]
const readsOf = ({ creations, changes }: Series) => readsIn([...creations, ...changes])

/**
 * Of a creation or an update: what it was given is shown by a read that shows it of the other one. Of a read: it shows
 * what another read shows that was stored.
 */
export function judgeMember(t: Check, series: Series, member: string, operation: OperationId): void {
  const kinds = [
    { made: 'a creation', by: series.creates, judged: series.creations, other: series.changes },
    { made: 'an update', by: series.updates, judged: series.changes, other: series.creations },
  ] as const
  for (const { made, by, judged, other } of kinds) {
    const reads = readsOf(series).map((read) => ({ read, told: learnMember(series, judged, member, read) }))
    const isStored = reads.some(({ told }) => told.isKnown)
    const [asked] = reads.filter(({ read }) => read === operation)
    if (by === operation && isStored) t.pass()
    // One that does not show it shows nothing that is wrong.
    if (asked && isStored) t.pass()
    for (const { read, told } of by === operation ? reads : []) {
      // One of the two gives the value to something else.
      const taught = learnMember(series, other, member, read)
      // A new text may stand beside the old one until it is confirmed, though not in the place of another.
      const isOf = (one: string) => meets(told.facts, learnMember(series, other, one, read).facts)
      const mayStand =
        series.texts.includes(member) && !series.texts.some((one) => one !== member && isOf(one))
      const isElsewhere = told.isKnown && taught.isKnown && !meets(told.facts, taught.facts) && !mayStand
      const wrong = judged.find(
        (one) => isElsewhere && one.shown[read] && taught.isShown(one, false) === false,
      )
      if (wrong?.shown[read])
        t.verify(
          false,
          `${made} with ${member} shows in another place of ${read} than ${by === series.creates ? 'an update' : 'a creation'}`,
          wrong.shown[read].answer,
          operation,
        )
    }
    // One that is stored and not shown is the fault of the read, where it has the very place in which the other shows it.
    const suspects = by === operation && !isStored ? reads : asked && isStored ? [asked] : []
    for (const { read, told } of suspects) {
      const taught = learnMember(series, other, member, read)
      const isAlike = reads.some((one) => meets(one.told.facts, taught.facts))
      if (told.isKnown || !taught.isKnown || (isStored && !isAlike)) continue
      for (const moment of judged) {
        if (!moment.given.includes(member) || moment.shown[read] === undefined) continue
        const isWhole = moment.state.enabled !== false || member === 'enabled'
        const value = JSON.stringify(moment.state[member])
        t.verify(
          taught.isShown(moment, isWhole) !== false,
          `${made} with ${member} ${value} is answered 200, and ${read} shows another one`,
          moment.shown[read].answer,
          operation,
        )
      }
    }
  }
}

/**
 * Members that a request does not name are as they were; `before`: as far as this moment shows them so. `culprit`: default,
 * the request of each moment.
 */
export function judgeUnnamed(
  t: Check,
  series: Series,
  members: readonly string[],
  moments: readonly Moment[] = series.changes,
  { before, culprit }: { readonly before?: Moment; readonly culprit?: OperationId } = {},
): void {
  for (const member of members)
    for (const read of readsOf(series)) {
      const told = [series.creations, series.changes].map((moments) =>
        learnMember(series, moments, member, read),
      )
      for (const [index, moment] of moments.entries()) {
        // What a creation was given and does not show was lost by the creation.
        const isKept = before
          ? told.some((one) => one.isKnown && one.isShown(before, false) === true)
          : told[0]?.isKnown || moments.slice(0, index).some(({ given }) => given.includes(member))
        if (moment.given.includes(member) || !isKept) continue
        if (moment.state[member] === undefined || !moment.shown[read]) continue
        const known = told.filter((one) => one.isKnown)
        // A read may show what was given at first alone: then it shows nothing of what a later update gave.
        const giver = moments.slice(0, index).findLast(({ given }) => given.includes(member))
        if (giver && known.every((one) => one.isShown(giver, false) === false)) continue
        // As far as both agree, since a read may show what was given at first as well.
        const seen = known.map((one) =>
          one.isShown(moment, before !== undefined || moment.state.enabled !== false),
        )
        if (seen.length === 0) continue
        t.verify(
          seen.some((one) => one !== false),
          `${[culprit ?? moment.answer.operation, ...moment.given].join(' with ')} has changed ${member} in ${read}`,
          moment.shown[read].answer,
          culprit ?? moment.answer.operation,
        )
      }
    }
}

export interface Bystander {
  readonly name: string
  /** What it was given; nothing for somebody who was there before. */
  readonly state: Readonly<Record<string, Value>>
  readonly shown: Readonly<Partial<Record<OperationId, Shown>>>
}

/** What one thing was given shows on the pages of no other. */
export function judgeBystanders(
  t: Check,
  series: Series,
  members: readonly string[],
  others: readonly Bystander[],
  culprit: OperationId = series.updates,
): void {
  const moments = culprit === series.updates ? series.changes : series.creations
  const values = (member: string) => [
    ...new Set(moments.flatMap(({ state }) => (state[member] === undefined ? [] : [state[member]]))),
  ]
  for (const { name, state, shown } of others)
    for (const read of Object.keys(shown) as OperationId[])
      for (const member of members) {
        const answer = shown[read]?.answer
        const told = learnMember(series, series.creations, member, read)
        if (answer === undefined || !told.isKnown) continue
        const moment: Moment = { answer, given: [], state, shown }
        const echo = values(member).find((value) => told.isEcho(moment, value, state[member]))
        t.verify(echo === undefined, `${name} has the ${member} that another one was given`, answer, culprit)
      }
}
