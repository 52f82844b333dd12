/** Custom fields that were created and changed so that each member tells itself apart from the others. */
import type { Answer } from '../client/call.js'
import { isPaged, mentions, recordsWith } from '../client/look.js'
import { designOf } from './design.js'
import { createField, deleteField, fieldPage, listFields } from './fields.js'
import { projectMember } from './links.js'
import { oncePerRun } from './once.js'
import type { Asked, Moment, Series, Value } from './series.js'
import type { Check, OwnField } from './types.js'
import { shownOf } from './users.js'

export const fieldTexts = ['name', 'default_value'] as const
export const fieldChoices = ['display_report', 'display_update', 'possible_values'] as const
export type FieldMember = (typeof fieldTexts)[number] | (typeof fieldChoices)[number]

export const possible = ['Kit one|Kit two|Kit three', 'Kit four|Kit five|Kit six'] as const
const pairs = {
  display_report: [true, false],
  display_update: [true, false],
  possible_values: possible,
} as const

/** Which of its two values a member has in each creation: no two members alike, nor any in the order of time. */
const created = {
  display_report: 'ABABA',
  display_update: 'ABBAB',
  possible_values: 'ABBBA',
} as const
/** Which of two projects each is linked to. */
const linkedTo = ['AA', 'BA', 'AB', 'AA', 'BB'] as const

/** Likewise in the updates. */
const changed = { display_report: 'BABAB', display_update: 'BAABA', possible_values: 'BBABA' } as const

export interface FieldSeries extends Series {
  readonly asked: readonly Asked[]
  /** Why a member has no two values. */
  readonly lacking: Readonly<Partial<Record<FieldMember, string>>>
  /** Whether the list shows fields that were made, all of them. */
  readonly isListed: boolean
}

interface Made {
  readonly answer: Answer
  readonly given: readonly string[]
  readonly state: Readonly<Record<string, Value>>
  readonly field: OwnField
}

/** The records that a list has of the field with this name. */
function ownRecords(listed: Answer, name: string): Moment['shown'] {
  const own = recordsWith(listed.json, name)
  return listed.status === 200 && own.length > 0 ? { listCustomFields: { answer: listed, json: own } } : {}
}

export const fieldSeries = oncePerRun(async (t: Check): Promise<FieldSeries> => {
  const type = t.need('customField.type')
  if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
  const asked: Asked[] = []
  const made: Made[] = []
  const projects = t.profile.projects?.slice(0, 2) ?? []
  // A text is surely a legal default value of one type alone.
  const others = [
    ...(type === 'string' ? ['default_value'] : []),
    ...(projects.length > 0 ? ['projects'] : []),
  ]
  const { usable, valuesAt, createAll } = designOf(pairs, others)

  /** `text`: whether with a text for its default value, where it may have one. */
  function bodyOf(members: Readonly<Record<string, Value>>, linked?: readonly string[], text = true) {
    const own = text && usable.has('default_value') ? { default_value: t.run.own.name() } : {}
    return { ...t.run.own.fieldBody({ ...members, ...own }), ...(linked ? { projects: linked } : {}) }
  }

  const stateOf = ({ custom_field }: ReturnType<typeof bodyOf>, linked: readonly string[]) =>
    Object.fromEntries([
      ...Object.entries(custom_field).filter(([name]) => name !== 'type'),
      ...projects.map((id) => [projectMember(id), linked.includes(id)]),
    ]) as Record<string, Value>

  /** How many fields a tracker may have is not shown. */
  async function hasRoom(): Promise<boolean> {
    const { answer, field } = await createField(t, bodyOf({}, undefined, false))
    await deleteField(t, field)
    return answer.status === 200
  }

  async function create(body: ReturnType<typeof bodyOf>, linked: readonly string[] = []): Promise<boolean> {
    const { answer, field } = await createField(t, body)
    const state = stateOf(body, linked)
    asked.push({ members: state, differs: answer.status !== 400 || (await hasRoom()), answer })
    if (answer.status !== 200 || field === null) return false
    made.push({ answer, given: Object.keys(state), state, field })
    return true
  }

  let subject: Made | undefined
  await createAll(
    linkedTo.length,
    async (index) => {
      if (index === 2 && (await create(bodyOf({})))) subject = made.pop()
      // One of them without the list, which links to nothing.
      const given = projects.filter((_, place) => linkedTo[index]?.[place] === 'A' && usable.has('projects'))
      const linked = given.length > 0 ? given : undefined
      return create(bodyOf(valuesAt(created, index), linked), linked)
    },
    async (member) =>
      member === 'projects'
        ? create(bodyOf({}, projects, false), projects)
        : create(bodyOf(valuesAt({ [member]: 'B' }, 0), undefined, member === 'default_value')),
  )

  const list = await listFields(t)
  for (const one of asked) one.read = list
  async function see(field: OwnField, name: string, listed: Answer): Promise<Moment['shown']> {
    return { ...shownOf([await fieldPage(t, field.id)]), ...ownRecords(listed, name) }
  }
  const creations: Moment[] = []
  for (const { field, ...moment } of made) {
    creations.push({ ...moment, shown: await see(field, String(moment.state.name), list) })
    await deleteField(t, field)
  }

  const changes: Moment[] = []
  if (subject) {
    let { field, state } = subject
    for (let index = 0; index < changed.display_report.length; index += 1) {
      // The last ones with projects beside the definition.
      const linked = index > 2 && projects.length > 0 ? projects.slice(0, 1) : undefined
      const body = bodyOf(valuesAt(changed, index), linked)
      const answer = await t.send({ operation: 'updateCustomField', path: { field_id: field.id }, body })
      const given = stateOf(body, linked ?? [])
      asked.push({ members: given, differs: true, answer })
      if (answer.status !== 200) continue
      state = { ...state, ...given }
      field = t.run.own.fieldRenamed(field, body.custom_field.name)
      const shown = await see(field, body.custom_field.name, await listFields(t))
      changes.push({ answer, given: Object.keys(given), state, shown })
    }
    await deleteField(t, field)
  }
  return {
    creates: 'createCustomField',
    updates: 'updateCustomField',
    texts: fieldTexts,
    creations,
    changes,
    asked,
    lacking: Object.fromEntries(
      [...fieldTexts, ...fieldChoices]
        .filter((member) => member !== 'name' && !usable.has(member))
        .map((member) => [member, `the type of the profile takes no ${member}`]),
    ),
    isListed: !isPaged(list.json) && made.some(({ state }) => mentions(list.json, String(state.name))),
  }
})
