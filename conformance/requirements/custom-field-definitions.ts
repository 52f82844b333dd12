/** Sections 2.5, 4.2 and 7: a definition is validated as a whole, and is changed by nothing but its own update. */

import { createField, deleteField, listedIn, listFields } from '../suite/fields.js'
import { ranked } from '../suite/requirement.js'
import type { Check, OwnField } from '../suite/types.js'
import { refusedDoNothing } from '../suite/unchanged.js'
import type { Answer } from '../target/call.js'
import { idOf, isObject, mentions, projectLists, recordsWith } from '../target/look.js'

const members = [
  'name',
  'type',
  'possible_values',
  'default_value',
  'display_report',
  'display_update',
  'projects',
] as const

/** The members of section 2.5 in the records that have this name, as text. */
const definitionIn = (json: unknown, name: string) =>
  JSON.stringify(recordsWith(json, name).map((record) => members.map((member) => record[member])))

const pageOf = (t: Check, { id }: OwnField) =>
  t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: id } })

/** A new field under the run's own name; skips where answers do not tell which one it is. */
async function namedField(t: Check, overrides: object = {}) {
  t.need('customField.type')
  const { custom_field } = t.run.own.fieldBody(overrides)
  const { answer, field } = await createField(t, { custom_field })
  if (answer.status !== 200) t.skip(`a creation is answered ${answer.status}`)
  if (field === null) return t.skip('no field of its own can be found in answers')
  return { field, name: custom_field.name }
}

const updateField = (t: Check, { id }: { readonly id: number }, body: object) =>
  t.send({ operation: 'updateCustomField', path: { field_id: id }, body })

/** Nobody else makes one twice just then. */
async function expectNoneMade(t: Check, listed: Answer, again = false): Promise<void> {
  const operation = 'getCustomFieldCreatePage'
  const opened = await t.send({ operation })
  const after = await listFields(t)
  const isMade = listedIn(after.json).length > listedIn(listed.json).length
  if (isMade && !again) return expectNoneMade(t, after, true)
  t.verify(!isMade, 'after the create page was opened the list has one more field', opened, operation)
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const hasType = (json: unknown, name: string, type: string) =>
  recordsWith(json, name).some((record) => record.type === type || isNamed(record.type, type))
const isNamed = (value: unknown, name: string) => isObject(value) && Object.values(value).includes(name)

export const customFieldDefinitions = ranked(190, [
  {
    id: 'custom-fields.blank-name',
    level: 'must',
    section: '4.2',
    statement: 'The name of a field is validated: none is made with an empty one.',
    operations: ['createCustomField'],
    safety: 'write',
    async check(t, operation) {
      t.need('customField.type')
      const before = listedIn((await listFields(t)).json)
      // Linked to a project, since the list holds what is visible to the caller.
      const projects = t.profile.projects?.slice(0, 1)
      const body = { ...t.run.own.fieldBody({ name: '' }), ...(projects ? { projects } : {}) }
      const answer = await t.send({ operation, body })
      if (answer.status !== 200) return t.pass()
      const ids = before.map((record) => idOf(record, 'field'))
      // A name may be made up for it.
      for (const record of listedIn((await listFields(t)).json)) {
        const id = idOf(record, 'field')
        if (id === null || ids.includes(id)) continue
        t.verify(record.name !== '', 'a field with an empty name was made, and is listed', answer)
        await deleteField(t, { id, name: null })
      }
      t.pass()
    },
  },

  {
    id: 'custom-fields.type-validated',
    level: 'must',
    section: '4.2',
    statement:
      'The type is validated: one that the tracker does not know is not stored, and where it is refused nothing is.',
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      const type = `${t.run.tag}notype`
      const own = operation === 'updateCustomField' ? (await namedField(t)).field : null
      const { custom_field } = t.run.own.fieldBody({ type })
      const { name } = custom_field
      const made = own
        ? await t.send({ operation, path: { field_id: own.id }, body: { custom_field } })
        : null
      const { answer, field } = made ? { answer: made, field: own } : await createField(t, { custom_field })
      if (own && answer.status === 200) t.run.own.fieldRenamed(own, name)
      const page = field ? await pageOf(t, field) : null
      const listed = await listFields(t)
      for (const shown of page ? [page, listed] : [listed]) {
        const message = `the list or the update page shows the made-up type ${type}`
        t.verify(!hasType(shown.json, name, type), message, shown, operation)
        const stored = answer.status >= 400 && mentions(shown.json, name)
        t.verify(!stored, `a definition of a type that is none was refused, and is stored`, shown, operation)
      }
    },
  },

  {
    id: 'custom-fields.refused-update',
    level: 'must',
    section: '2.5',
    statement: 'A definition is validated before it is stored: an update that is refused changes nothing.',
    operations: ['updateCustomField'],
    safety: 'write',
    check: (t, operation) =>
      refusedDoNothing(t, async () => {
        const other = await namedField(t)
        const { field } = await namedField(t, { display_report: true })
        const path = { field_id: field.id }
        const limit = t.profile.customField?.nameLimit
        const wrong: readonly (readonly [string, object])[] = [
          ['an empty name', { name: '' }],
          ['the name of another field', { name: other.name }],
          ['a type that is none', { type: `${t.run.tag}notype` }],
          ...(limit === undefined
            ? []
            : [['a name that is too long', { name: t.run.own.name().padEnd(limit + 1, 'v') }] as const]),
        ]
        const requests = wrong.map(([what, definition]) => {
          const custom_field = { ...definition, default_value: t.run.own.name(), display_report: false }
          return { what: `an update with ${what}`, call: { operation, path, body: { custom_field } } }
        })
        return { look: async (ask) => [await ask({ operation: 'getCustomFieldUpdatePage', path })], requests }
      }),
  },

  {
    id: 'custom-fields.reads',
    level: 'must',
    section: '4.2',
    statement:
      'Opening the update page of a field or listing fields leaves their definitions as they were, and opening the create page makes none.',
    operations: ['getCustomFieldUpdatePage', 'listCustomFields', 'getCustomFieldCreatePage'],
    safety: 'write',
    async check(t) {
      const flags = { display_report: false, display_update: true }
      await namedField(t)
      const { field, name } = await namedField(t, flags)
      // It may have been read since, which may have changed it.
      await updateField(t, field, { custom_field: { name, ...flags } })
      const page = () => pageOf(t, field)
      const [first, second] = [await page(), await page()]
      const unchanged = definitionIn(first.json, name) === definitionIn(second.json, name)
      t.verify(unchanged, 'the update page shows another definition the second time', second)
      const listed = await listFields(t)
      await expectNoneMade(t, listed)
      const third = await page()
      t.verify(
        definitionIn(second.json, name) === definitionIn(third.json, name),
        'after the list was read the update page shows another definition',
        third,
        'listCustomFields',
      )
      const { projects } = t.profile
      if (!projects?.length) return
      const body = { ...t.run.own.fieldBody(), projects: projects.slice(0, 1) }
      const linked = await createField(t, body)
      if (!linked.field) return
      const links = async () => {
        const listed = await listFields(t)
        const records = recordsWith(listed.json, body.custom_field.name)
        return {
          listed,
          shown: JSON.stringify(
            records.map((record) => [...projectLists(record)].map(([at, ids]) => [at, [...ids]])),
          ),
        }
      }
      await updateField(t, linked.field, body)
      const before = await links()
      await pageOf(t, linked.field)
      const after = await links()
      const message = 'after the update page was read the list shows other projects of the field'
      t.verify(before.shown === after.shown, message, after.listed, 'getCustomFieldUpdatePage')
    },
  },

  {
    id: 'custom-fields.links',
    level: 'must',
    section: '2.5',
    statement:
      'A field is linked to the projects listed with it: an empty list links none, and linking one field leaves the links of others.',
    operations: ['createCustomField'],
    safety: 'write',
    async check(t, operation) {
      const projects = t.need('projects')
      t.need('customField.type')
      const make = async (list: readonly string[]) => {
        const body = { ...t.run.own.fieldBody(), projects: list }
        const { answer } = await createField(t, body)
        return answer.status === 200 ? body.custom_field.name : null
      }
      const first = await make(projects.slice(0, 1))
      if (first === null) return t.skip('a field that is linked to a project is not created')
      const linksOf = (json: unknown, name: string) =>
        recordsWith(json, name).flatMap((record) => [...projectLists(record)])
      const before = linksOf((await listFields(t)).json, first)
      const none = await make([])
      const second = await make(projects.slice(0, 1))
      const listed = await listFields(t)
      const extra = none === null ? undefined : linkedTo(linksOf(listed.json, none), projects)
      t.verify(
        extra === undefined,
        `the field was created with an empty list of projects, and the list shows the project ${extra} of it`,
        listed,
        operation,
      )
      const after = second === null ? [] : linksOf(listed.json, first)
      const lost = after.find(([pointer, ids]) => {
        const [, earlier] = before.find(([place]) => place === pointer) ?? []
        return earlier !== undefined && [...earlier].some((id) => !ids.has(id))
      })
      t.verify(
        lost === undefined,
        `with the creation of another field ${lost?.[0]} of the list has lost a project`,
        listed,
        operation,
      )
    },
  },

  {
    id: 'custom-fields.update-same-name',
    level: 'should',
    section: '4.2',
    statement: 'An update that gives a field the name that it has already is a valid one.',
    operations: ['updateCustomField'],
    safety: 'write',
    async check(t, operation) {
      const { field, name } = await namedField(t)
      const path = { field_id: field.id }
      const flags = { display_report: true, display_update: true }
      const alone = await t.send({ operation, path, body: { custom_field: flags } })
      if (alone.status !== 200) t.skip(`an update of the display flags is answered ${alone.status}`)
      const custom_field = { name, ...flags, display_update: false }
      const answer = await t.send({ operation, path, body: { custom_field } })
      t.expect(answer, 200, 'an update with the present name')
    },
  },

  {
    id: 'custom-fields.definition-required',
    level: 'must',
    section: '2.5',
    statement:
      'The definition stands in `custom_field`: a body with its members at the top level is answered 400.',
    operations: ['createCustomField'],
    safety: 'write',
    async check(t, operation) {
      t.need('customField.type')
      const { custom_field } = t.run.own.fieldBody()
      const answer = await t.send({ operation, body: custom_field })
      t.expect(answer, 400, 'a definition that is not in custom_field')
      if (answer.status < 400) await deleteField(t, await t.run.own.adoptField(custom_field.name, answer))
    },
  },

  {
    id: 'custom-fields.no-wrong-types',
    level: 'must',
    section: '2.5',
    statement: 'What is no text becomes neither the name of a field nor its default value.',
    operations: ['updateCustomField'],
    safety: 'write',
    async check(t, operation) {
      const { field, name } = await namedField(t)
      const before = recordsWith((await pageOf(t, field)).json, name)
      if (before.length === 0) t.skip('the update page does not show the name of the field')
      for (const member of ['name', 'default_value'] as const) {
        const body = { custom_field: { [member]: { kit: [true] } } }
        const path = { field_id: field.id }
        // Whether a member of a wrong type is refused or passed over is not shown.
        const answer = await t.send({ operation, path, body })
        const page = await pageOf(t, field)
        const after = recordsWith(page.json, name)
        const stored = after.some((record, index) => {
          const shown = record[member]
          return isText(shown) && shown !== before[index]?.[member]
        })
        const isKept = page.status !== 200 || (after.length > 0 && !stored)
        t.verify(isKept, `an object as ${member} is answered ${answer.status}, and stored`, page, operation)
      }
    },
  },

  {
    id: 'custom-fields.default-value-whole',
    level: 'should',
    section: '2.5',
    statement: 'A default value of some letters, or of one digit, is shown as it was given.',
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    async check(t, operation) {
      if (t.need('customField.type') !== 'string')
        t.skip('a text is surely a default value of one type alone')
      const isShownAs = (json: unknown, value: string) =>
        recordsWith(json, name).some((record) => record.default_value === value)
      const default_value = t.run.own.name() + t.run.own.name()
      const { field, name } = await namedField(t, { default_value })
      const page = await pageOf(t, field)
      for (const record of recordsWith(page.json, name)) {
        const shown = record.default_value
        const other = typeof shown === 'string' && shown !== '' && shown !== default_value
        t.verify(!other, `the default value ${default_value} is shown as ${shown}`, page, operation)
      }
      t.pass()
      if (!isShownAs(page.json, default_value)) return
      // To a tracker that asks for a value, this one may be none.
      const changed = await updateField(t, field, { custom_field: { name, default_value: '0' } })
      const after = await pageOf(t, field)
      const isLost = changed.status === 200 && after.status === 200 && !isShownAs(after.json, '0')
      t.verify(!isLost, 'the default value 0 is accepted, and not shown', after, 'updateCustomField')
    },
  },
])

/** One of these projects that stands in any of the lists. */
const linkedTo = (links: readonly (readonly [string, Set<string>])[], projects: readonly string[]) =>
  projects.find((id) => links.some(([, ids]) => ids.has(id)))
