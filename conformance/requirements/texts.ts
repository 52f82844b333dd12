/** Sections 2.1, 2.5 and 7: texts with signs in them that mean something to a list, a page, a database or a line. */

import { documentedStatuses, type OperationId } from '../contract/index.js'
import { textsAt } from '../suite/facts.js'
import { fieldSeries } from '../suite/field-series.js'
import { createField, deleteField, listFields } from '../suite/fields.js'
import { requirement } from '../suite/requirement.js'
import { placesOfText, type Series } from '../suite/series.js'
import type { Check, OwnField, OwnUser } from '../suite/types.js'
import { userSeries } from '../suite/user-series.js'
import { views } from '../suite/user-views.js'
import type { Answer } from '../target/call.js'
import { recordsWith } from '../target/look.js'

interface Sign {
  readonly name: string
  readonly sign: string
  /** A line may be all that a name has, so what stands behind its end is not judged. */
  readonly ends?: true
}

const signs: readonly Sign[] = [
  { name: 'a comma', sign: ', ' },
  { name: 'quotes', sign: ` "o'k" ` },
  { name: 'markup', sign: ' & <b> ' },
  { name: 'a backslash', sign: ' \\ ' },
  { name: 'a percent sign', sign: ' 7% s ' },
  { name: 'letters beyond ASCII', sign: ' Ωé 名 ' },
  { name: 'a sign beyond the basic plane', sign: ' \u{1F98A} ' },
  { name: 'a combining sign', sign: ' e\u0301 ' },
  { name: 'a mark of direction', sign: ' \u200f' },
  { name: 'a line break', sign: '\n', ends: true },
  { name: 'a tab', sign: '\t', ends: true },
]

/** Where all are accepted and shown together, none needs to be asked for by itself. */
const together: Sign = { name: 'many signs', sign: signs.map(({ sign }) => sign).join('') }

const END = 'omega'

const textOf = (t: Check, { sign }: Sign) => `${t.run.own.name()}${sign}${END}`

/** What became of a text in a member. */
interface Outcome {
  readonly answer: Answer
  readonly text: string
  /** As reads show it at the places where the member shows; empty where it was not accepted, or does not show. */
  readonly shown: readonly string[]
}

/** Things that can be given a text, by a creation or by an update. */
interface Subject {
  readonly creates: OperationId
  readonly updates: OperationId
  readonly limit: number
  give(operation: OperationId, text: string): Promise<Outcome>
}

async function subjectOfUsers(t: Check): Promise<Subject> {
  const series = await userSeries(t)
  let own: OwnUser | null = null
  return {
    ...series,
    limit: Number.POSITIVE_INFINITY,
    async give(operation, text) {
      let user = own
      let answer: Answer
      if (operation === 'createUser') {
        const body = t.run.own.userBody({ realname: text })
        answer = await t.send({ operation, body })
        user = answer.status === 200 ? await t.run.own.adoptUser(body, answer) : null
      } else {
        user = own ??= await t.run.own.user()
        answer = await t.send({ operation, path: { user_id: user.username }, body: { realname: text } })
      }
      const pages = answer.status === 200 && user ? await views(t, user) : []
      return { answer, text, shown: shownIn(series, 'realname', pages) }
    },
  }
}

async function subjectOfFields(
  t: Check,
  member: 'name' | 'default_value' | 'possible_values',
): Promise<Subject> {
  const series = await fieldSeries(t)
  let own: OwnField | null = null
  return {
    ...series,
    limit: (member === 'name' ? t.profile.customField?.nameLimit : undefined) ?? Number.POSITIVE_INFINITY,
    async give(operation, text) {
      const body = t.run.own.fieldBody({ [member]: text })
      const { name } = body.custom_field
      const isCreation = operation === 'createCustomField'
      if (!isCreation) own ??= await t.run.own.field()
      const { answer, field } =
        own && !isCreation
          ? { answer: await t.send({ operation, path: { field_id: own.id }, body }), field: own }
          : await createField(t, body)
      if (answer.status !== 200 || field === null) return { answer, text, shown: [] }
      if (!isCreation) own = t.run.own.fieldRenamed(field, name)
      const page = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: field.id } })
      const listed = await listFields(t)
      const shown = shownIn(series, member, [
        page,
        { operation: 'listCustomFields', status: listed.status, json: recordsWith(listed.json, name) },
      ])
      if (isCreation) await deleteField(t, field)
      return { answer, text, shown }
    },
  }
}

const shownIn = (
  series: Series,
  member: string,
  pages: readonly Pick<Answer, 'operation' | 'status' | 'json'>[],
) =>
  pages
    .filter(({ status }) => status === 200)
    .flatMap(({ operation, json }) => textsAt(placesOfText(series, member, operation), json))

const isExact = ({ shown, text }: Outcome) =>
  shown.length > 0 && shown.some((one) => one.trim() === text.trim())

/** Sends the signs in this member, all at once and, where that is not taken as it is, each by itself. */
async function judgeTexts(t: Check, operation: OperationId, member: string, subject: Subject): Promise<void> {
  const fits = (text: string) => Buffer.byteLength(text) <= subject.limit
  const all = textOf(t, together)
  if (fits(all)) {
    const outcome = await subject.give(operation, all)
    t.expect(outcome.answer, documentedStatuses, `${together.name} in ${member}`)
    if (isExact(outcome)) return
  }
  const other = operation === subject.creates ? subject.updates : subject.creates
  for (const sign of signs) {
    const text = textOf(t, sign)
    if (!fits(text)) continue
    const outcome = await subject.give(operation, text)
    const { answer, shown } = outcome
    const rule = `${sign.name} in ${member}`
    if (!t.expect(answer, documentedStatuses, rule) || shown.length === 0 || isExact(outcome) || sign.ends)
      continue
    const isCut = !shown.some((one) => isWhole(one, text))
    // Another form of it may be what the tracker makes of every such text.
    const wrong = isCut || isExact(await subject.give(other, textOf(t, sign)))
    const seen = JSON.stringify(shown[0])
    t.verify(!wrong, `with ${rule} ${JSON.stringify(text)} is answered 200 and shown as ${seen}`, answer)
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
      'Whatever sign stands in a text, the answer is a documented one; a text that is accepted is neither cut at the sign nor shown with a question mark in place of it, and a creation keeps what an update keeps.',
    operations: ['createUser', 'updateUser', 'createCustomField', 'updateCustomField'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      if (operation.endsWith('User')) return judgeTexts(t, operation, 'realname', await subjectOfUsers(t))
      for (const member of ['name', 'default_value', 'possible_values'] as const)
        await judgeTexts(t, operation, member, await subjectOfFields(t, member))
    },
  }),
]
