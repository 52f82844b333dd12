/** A member of a body that a creation and an update take: given each of two values, in both. */

import type { OperationId } from '../contract/index.js'
import type { Answer } from '../target/call.js'
import { valueAt } from '../target/look.js'
import { isShownAt, learnPlaces, type Place, type Sight, type Value } from './places.js'
import type { Check, Shown } from './types.js'

export interface Subject<T> {
  readonly creates: OperationId
  readonly updates: OperationId
  /** With the member as it is given, or without it; `thing` is null where that is refused, or not to be found. */
  create(value?: Value): Promise<{ thing: T | null; answer: Answer }>
  update(thing: T, value: Value): Promise<Answer>
  /** All that answers show of it. */
  look(thing: T): Promise<unknown>
  /** Before its check has ended, where that can be done. */
  remove?(thing: T): Promise<void>
}

interface Judged extends Sight {
  readonly answer: Answer
}

/**
 * What was learnt by creations judges updates, and the other way round. Whichever shows each value that it was given
 * keeps the member, wherever else something stands that does not follow.
 */
export async function judgeBothWays<T>(
  t: Check,
  subject: Subject<T>,
  member: string,
  [one, other]: readonly [Value, Value],
): Promise<void> {
  const created = await byCreation(subject, [other, one, other])
  const updated = await byUpdate(subject, [one, other, one, other], created.things[0])
  const learnt = {
    creation: learnPlaces(created.sights),
    update: learnPlaces(updated.sights, updated.bystander),
  }
  if (learnt.creation.length + learnt.update.length === 0)
    t.skip(`no answer shows ${member} as it was given to a creation or an update`)
  for (const [kind, places, { sights }, culprit] of [
    ['update', learnt.creation, updated, subject.updates],
    ['creation', learnt.update, created, subject.creates],
  ] as const) {
    if (learnt[kind].length > 0) {
      t.pass()
      continue
    }
    for (const sight of sights)
      t.verify(
        isShownAt(places, sight) !== false,
        `${kind === 'update' ? 'an' : 'a'} ${kind} with ${member} ${JSON.stringify(sight.value)} is answered 200 and shows another at ${places[0]?.pointer}`,
        sight.answer,
        culprit,
        judgedAt(places, sight),
      )
  }
}

function judgedAt(places: readonly Place[], { shown, value }: Judged): Shown {
  const pointer = places[0]?.pointer
  if (pointer === undefined) return {}
  const seen = JSON.stringify(valueAt(shown, pointer)) ?? 'nothing'
  return { place: pointer, expected: JSON.stringify(value), seen }
}

async function byCreation<T>(subject: Subject<T>, values: readonly Value[]) {
  const made: { thing: T; answer: Answer; value: Value }[] = []
  for (const value of values) {
    const { thing, answer } = await subject.create(value)
    if (thing !== null) made.push({ thing, answer, value })
  }
  const sights: Judged[] = []
  // When all are there, so that what lists have of others is the same for each.
  for (const { thing, answer, value } of made)
    sights.push({ shown: await subject.look(thing), value, answer })
  return { things: made.map(({ thing }) => thing), sights }
}

async function byUpdate<T>(subject: Subject<T>, values: readonly Value[], other: T | undefined) {
  const sights: Judged[] = []
  const bystander: unknown[] = []
  const { thing } = await subject.create()
  for (const value of thing === null ? [] : values) {
    const answer = await subject.update(thing as T, value)
    // What is so already, or may not be changed back, may be refused.
    if (answer.status !== 200) continue
    sights.push({ shown: await subject.look(thing as T), value, answer })
    if (other !== undefined) bystander.push(await subject.look(other))
  }
  return { sights, bystander }
}
