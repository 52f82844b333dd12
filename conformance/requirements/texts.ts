/** Sections 2.1, 2.5 and 7: texts with signs in them that mean something to a list, a page, a database or a line. */

import { documentedStatuses, type OperationId } from '../contract/index.js'
import type { Subject } from '../suite/both-ways.js'
import { learnPlaces, type Place, type Sight, textsAt } from '../suite/places.js'
import { requirement } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'
import { fieldWith, userWith } from '../suite/with-member.js'

interface Sign {
  readonly name: string
  readonly sign: string
  /** A line may be all that a name has, so what stands behind its end is not judged. */
  readonly ends?: true
}

const signs: readonly Sign[] = [
  { name: 'a comma', sign: ', ' },
  { name: 'quotes', sign: ` "o'k" ` },
  { name: 'a backslash', sign: ' \\ ' },
  { name: 'a percent sign', sign: ' 7% s ' },
  { name: 'a sign beyond the basic plane', sign: ' \u{1F98A} ' },
  { name: 'a combining sign', sign: ' e\u0301 ' },
  { name: 'a mark of direction', sign: ' \u200f' },
  { name: 'a line break', sign: '\n', ends: true },
  { name: 'a tab', sign: '\t', ends: true },
]

const END = 'omega'

/** As long in bytes as the longest of them, and of letters alone. */
const plain = 'aaaaaaaaa'

interface Member {
  readonly name: string
  /** How its values are told apart is not shown: nothing but the answer is judged. */
  readonly answerOnly?: true
  readonly limit?: (t: Check) => number | undefined
}

const ofUser: readonly Member[] = [{ name: 'realname' }]
const ofField: readonly Member[] = [
  { name: 'name', limit: (t) => t.profile.customField?.nameLimit },
  { name: 'default_value' },
  { name: 'possible_values', answerOnly: true },
]

const textOf = (t: Check, between: string) => `${t.run.own.name()}${between}${END}`

/** Where the member shows, as one of the two operations has it; none where it does not. */
async function placesOf<T>(t: Check, subject: Subject<T>, operation: OperationId): Promise<Place[]> {
  const sights: Sight[] = []
  const one = operation === subject.updates ? (await subject.create()).thing : null
  for (const value of [textOf(t, plain), textOf(t, plain)]) {
    const thing = one ?? (await subject.create(value)).thing
    const isDone = one === null || (await subject.update(one, value)).status === 200
    if (thing !== null && isDone) sights.push({ shown: await subject.look(thing), value })
  }
  return learnPlaces(sights)
}

/** Sends each sign in this member. */
async function judgeMember<T>(t: Check, operation: OperationId, member: Member, subject: Subject<T>) {
  const creates = operation === subject.creates
  // What was learnt by an update judges creations, and the other way round.
  const other = creates ? subject.updates : subject.creates
  const places = member.answerOnly ? [] : await placesOf(t, subject, other)
  const own = creates ? null : (await subject.create()).thing
  if (!creates && own === null) t.inconclusive('nothing of its own to be updated')
  for (const { name, sign, ends } of signs) {
    const text = textOf(t, sign)
    if (Buffer.byteLength(text) > (member.limit?.(t) ?? Number.POSITIVE_INFINITY)) continue
    const { answer, thing } =
      own === null ? await subject.create(text) : { answer: await subject.update(own, text), thing: own }
    const rule = `${name} in ${member.name}`
    if (t.expect(answer, documentedStatuses, rule) && answer.status === 200 && thing !== null && !ends) {
      const shown = textsAt(places, await subject.look(thing))
      t.verify(
        shown.length === 0 || shown.some((one) => isWhole(one, text)),
        `with ${rule} ${JSON.stringify(text)} is answered 200 and shown as ${JSON.stringify(shown[0])}`,
        answer,
      )
    }
    if (own === null && thing !== null) await subject.remove?.(thing)
  }
}

const isWhole = (seen: string, text: string) => {
  const [shown, begin] = [seen.toLowerCase(), (/^[a-z]+/i.exec(text)?.[0] ?? '').toLowerCase()]
  const at = shown.indexOf(begin)
  return at !== -1 && shown.indexOf(END, at) !== -1 && !/[?\ufffd]/.test(shown)
}

export const texts = [
  requirement({
    id: 'input.texts-whole',
    level: 'must',
    section: '7',
    statement:
      'Whatever sign stands in a text, the answer is a documented one; a text that is accepted is neither cut at the sign nor shown with a question mark in place of it.',
    operations: ['createUser', 'updateUser', 'createCustomField', 'updateCustomField'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      const ofFields = operation.endsWith('CustomField')
      if (ofFields) {
        t.need('customField.type')
        if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
      }
      for (const member of ofFields ? ofField : ofUser)
        if (ofFields) await judgeMember(t, operation, member, fieldWith(t, member.name))
        else await judgeMember(t, operation, member, userWith(t, member.name))
    },
  }),
]
