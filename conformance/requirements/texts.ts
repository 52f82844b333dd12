/** Sections 1, 2.1, 2.5 and 7: texts with signs in them that mean something to a list, a page, a database or a line. */

import type { Answer } from '../client/call.js'
import { values } from '../client/look.js'
import { documentedStatuses, type OperationId, SUCCESS } from '../contract/index.js'
import { createField, deleteField, fieldPage, listFields, updateField } from '../suite/fields.js'
import { group } from '../suite/requirement.js'
import type { Check, OwnField, OwnUser } from '../suite/types.js'
import { createUser, updateUser, views } from '../suite/users.js'

interface Sign {
  readonly name: string
  readonly sign: string
  /** A line may be all that a name has, so what stands behind its end is not judged. */
  readonly ends?: true
  /** It may be taken out where a text is sanitized, by a creation alone too. */
  readonly sanitized?: true
  /** Refused by many, so that it would keep the others from being looked at. */
  readonly alone?: true
  /** In this member it may part one value from the next. */
  readonly parts?: string
}

const signs: readonly Sign[] = [
  { name: 'a comma', sign: ', ', alone: true, parts: 'possible_values' },
  { name: 'quotes', sign: ` "o'k" ` },
  { name: 'markup', sign: ' & <b> ', sanitized: true },
  { name: 'a backslash', sign: ' \\ ' },
  { name: 'a percent sign', sign: ' 7% s ' },
  { name: 'letters beyond ASCII', sign: ' Ωé 名 ' },
  { name: 'a sign beyond the basic plane', sign: ' \u{1F98A} ' },
  { name: 'a combining sign', sign: ' e\u0301 ' },
  { name: 'a mark of direction', sign: ' \u200f' },
  { name: 'a line break', sign: '\n', ends: true },
  { name: 'a tab', sign: '\t', ends: true },
]

const END = 'omega'

const textOf = (t: Check, { sign }: Sign) => `${t.run.own.name()}${sign}${END}`

/** What became of a text in a member. */
interface Outcome {
  readonly answer: Answer
  readonly text: string
  /** What reads have with its first word in it; empty where it was not accepted, or does not show. */
  readonly shown: readonly string[]
}

type Texts = Readonly<Record<string, string>>

/** Things whose members can be given texts, by a creation or by an update. */
interface Subject {
  readonly creates: OperationId
  readonly updates: OperationId
  readonly members: readonly string[]
  readonly limit: number
  /** `pages`: those that may show the texts, where they were accepted. */
  give(operation: OperationId, texts: Texts): Promise<{ answer: Answer; pages: readonly Answer[] }>
}

function subjectOfUsers(t: Check): Subject {
  let own: OwnUser | null = null
  return {
    creates: 'createUser',
    updates: 'updateUser',
    members: ['realname'],
    limit: Number.POSITIVE_INFINITY,
    async give(operation, texts) {
      if (operation === 'createUser') {
        const { answer, user } = await createUser(t, texts)
        return { answer, pages: user ? await views(t, user) : [] }
      }
      own ??= await t.run.own.user()
      const answer = await updateUser(t, own.username, texts)
      return { answer, pages: answer.status === 200 ? await views(t, own) : [] }
    },
  }
}

function subjectOfFields(t: Check): Subject {
  let own: OwnField | null = null
  return {
    creates: 'createCustomField',
    updates: 'updateCustomField',
    members: ['name', 'default_value', 'possible_values'],
    limit: t.profile.customField?.nameLimit ?? Number.POSITIVE_INFINITY,
    async give(operation, texts) {
      const body = t.run.own.fieldBody(texts)
      const { name } = body.custom_field
      const isCreation = operation === 'createCustomField'
      if (!isCreation) own ??= await t.run.own.field()
      const { answer, field } =
        own && !isCreation
          ? { answer: await updateField(t, own.id, body), field: own }
          : await createField(t, body)
      if (answer.status !== 200 || field === null) return { answer, pages: [] }
      if (!isCreation) own = t.run.own.fieldRenamed(field, name)
      const pages = [await fieldPage(t, field.id), await listFields(t)]
      if (isCreation) await deleteField(t, field)
      return { answer, pages }
    },
  }
}

/** The first word of the text is made up, and of no other one. */
const shownIn = (text: string, pages: readonly Answer[]): string[] => {
  const [begin = ''] = text.split(/[^a-z]/)
  const texts = pages.filter(({ status }) => status === 200).flatMap(({ json }) => [...values(json)])
  return texts.filter((one) => typeof one === 'string').filter((one) => one.toLowerCase().includes(begin))
}

const isExact = ({ shown, text }: Outcome) => shown.some((one) => one.includes(text.trim()))

/** As many signs in one text as fit into it; those that may end it stand apart from the others. */
function bundlesOf(all: readonly Sign[], fits: (sign: Sign) => boolean): Sign[][] {
  const bundles: Sign[][] = []
  for (const sign of all) {
    const last = bundles.at(-1)
    const isAlike = last?.[0]?.ends === sign.ends && last?.[0]?.alone === sign.alone
    if (last && isAlike && fits(together([...last, sign]))) last.push(sign)
    else if (fits(sign)) bundles.push([sign])
  }
  return bundles
}

function together(bundle: readonly Sign[]): Sign {
  const [first] = bundle
  if (first !== undefined && bundle.length === 1) return first
  // Some make one blank of several.
  const sign = bundle
    .map((one) => one.sign)
    .join('')
    .replace(/ {2,}/g, ' ')
  return { name: 'many signs', sign, ...(first?.ends && { ends: true }) }
}

/** Sends the signs in all members, many at once and, where those are not taken as they are, each by itself. */
async function judgeTexts(t: Check, operation: OperationId, subject: Subject): Promise<void> {
  const other = operation === subject.creates ? subject.updates : subject.creates
  const room = subject.limit - t.run.own.name().length - END.length
  for (const bundle of bundlesOf(signs, ({ sign }) => Buffer.byteLength(sign) <= room)) {
    const members = subject.members.filter((member) => bundle.every(({ parts }) => parts !== member))
    if (members.length > 1 && (await areTaken(together(bundle), members))) continue
    for (const member of members) {
      if (bundle.length > 1 && (await areTaken(together(bundle), [member]))) continue
      for (const sign of bundle) await judgeOne(sign, member)
    }
  }

  async function give(by: OperationId, sign: Sign, members: readonly string[]): Promise<readonly Outcome[]> {
    const texts = Object.fromEntries(members.map((member) => [member, textOf(t, sign)]))
    const { answer, pages } = await subject.give(by, texts)
    return Object.values(texts).map((text) => ({ answer, text, shown: shownIn(text, pages) }))
  }

  async function areTaken(sign: Sign, members: readonly string[]): Promise<boolean> {
    const outcomes = await give(operation, sign, members)
    return outcomes.every((outcome) => {
      const isRight = t.expect(outcome.answer, documentedStatuses, `${sign.name} in ${members.join(' and ')}`)
      // What is refused for one member was not looked at in the others.
      if (sign.ends) return isRight && (members.length === 1 || outcome.answer.status === SUCCESS)
      return outcome.answer.status === SUCCESS && (outcome.shown.length === 0 || isExact(outcome))
    })
  }

  async function judgeOne(sign: Sign, member: string): Promise<void> {
    for (const outcome of await give(operation, sign, [member])) {
      const { answer, shown, text } = outcome
      const rule = `${sign.name} in ${member}`
      if (!t.expect(answer, documentedStatuses, rule) || shown.length === 0 || isExact(outcome) || sign.ends)
        continue
      const isCut = !shown.some((one) => isWhole(one, text))
      // Another form of it may be what the tracker makes of every such text.
      const wrong = isCut || (!sign.sanitized && (await give(other, sign, [member])).every(isExact))
      const seen = JSON.stringify(shown[0])
      t.verify(!wrong, `with ${rule} ${JSON.stringify(text)} is answered 200 and shown as ${seen}`, answer)
    }
  }
}

const isWhole = (seen: string, text: string) => {
  const [shown, begin] = [seen.toLowerCase(), (/^[a-z]+/i.exec(text)?.[0] ?? '').toLowerCase()]
  const at = shown.indexOf(begin)
  return at !== -1 && shown.indexOf(END, at) !== -1 && !/[?\ufffd]/.test(shown) && !isMisread(seen, text)
}

/** Whether the bytes of a letter beyond ASCII stand for as many letters. */
const isMisread = (seen: string, text: string) =>
  [...text].some((letter) => letter > '\x7f' && seen.includes(Buffer.from(letter).toString('latin1')))

export const texts = group({ rank: 200, level: 'must', safety: 'write' }, [
  {
    id: 'input.texts-whole',
    section: '7',
    statement:
      'Whatever sign stands in a text, the answer is a documented one; a text that is accepted is neither cut at the sign nor shown with a question mark or other letters in place of it, and a creation keeps what an update keeps.',
    operations: ['createUser', 'updateUser', 'createCustomField', 'updateCustomField'],
    each: true,
    async check(t, operation) {
      if (operation.endsWith('User')) return judgeTexts(t, operation, subjectOfUsers(t))
      t.need('customField.type')
      if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
      await judgeTexts(t, operation, subjectOfFields(t))
    },
  },

  {
    id: 'answer.special-texts',
    section: '1',
    statement: 'A body that shows a text with quotes or a backslash in it is JSON.',
    operations: ['getUser', 'getUserEditPage', 'listCustomFields', 'getCustomFieldUpdatePage'],
    async check(t) {
      const hasFields = t.profile.customField?.type !== undefined && (await t.run.own.canFollowFields())
      // Which texts are accepted is not shown.
      for (const [subject, member] of [
        [subjectOfUsers(t), 'realname'] as const,
        ...(hasFields ? [[subjectOfFields(t), 'default_value'] as const] : []),
      ]) {
        const text = `Kit a "quoted" word, a \\ and a / of ${t.run.tag}`
        for (const page of (await subject.give(subject.creates, { [member]: text })).pages) {
          const broken = page.status === 200 && page.json === undefined
          t.verify(!broken, 'with quotes and a backslash in what it shows the body is not JSON', page)
        }
      }
    },
  },
])
