/** Sections 2.5, 4.2 and 7: a definition is validated as a whole, and is changed by nothing but its own update. */

import type { Answer } from '../client/call.js'
import { idOf, isObject, mentions, projectLists, recordsWith } from '../client/look.js'
import {
  createField,
  deleteField,
  fieldPage,
  linkedBody,
  listedIn,
  listFields,
  namedField,
  updateField,
} from '../suite/fields.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'
import { refusedDoNothing } from '../suite/unchanged.js'

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

/** The lists of projects that the field with this name has. */
const linksOf = (json: unknown, name: string) =>
  recordsWith(json, name).flatMap((record) => [...projectLists(record)])

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

export const customFieldDefinitions = group({ rank: 190, level: 'must', safety: 'write' }, [
  {
    id: 'custom-fields.blank-name',
    section: '4.2',
    statement: 'The name of a field is validated: none is made with an empty one.',
    operations: ['createCustomField'],
    async check(t, operation) {
      t.need('customField.type')
      const ids = listedIn((await listFields(t)).json).map((record) => idOf(record, 'field'))
      const answer = await t.send({ operation, body: linkedBody(t, { name: '' }) })
      if (answer.status !== 200) return t.pass()
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
    section: '4.2',
    statement:
      'The type is validated: one that the tracker does not know is not stored, and where it is refused nothing is.',
    operations: ['createCustomField', 'updateCustomField'],
    each: true,
    async check(t, operation) {
      const type = `${t.run.tag}notype`
      const own = operation === 'updateCustomField' ? (await namedField(t)).field : null
      const { custom_field } = t.run.own.fieldBody({ type })
      const { name } = custom_field
      const { answer, field } = own
        ? { answer: await updateField(t, own.id, { custom_field }), field: own }
        : await createField(t, { custom_field })
      if (own && answer.status === 200) t.run.own.fieldRenamed(own, name)
      for (const shown of [...(field ? [await fieldPage(t, field.id)] : []), await listFields(t)]) {
        const message = `the list or the update page shows the made-up type ${type}`
        t.verify(!hasType(shown.json, name, type), message, shown, operation)
        const stored = answer.status >= 400 && mentions(shown.json, name)
        t.verify(!stored, `a definition of a type that is none was refused, and is stored`, shown, operation)
      }
    },
  },

  {
    id: 'custom-fields.refused-update',
    section: '2.5',
    statement: 'A definition is validated before it is stored: an update that is refused changes nothing.',
    operations: ['updateCustomField'],
    check: (t, operation) =>
      refusedDoNothing(t, async () => {
        const other = await namedField(t)
        const { field } = await namedField(t, { display_report: true })
        const path = { field_id: field.id }
        const { nameLimit } = t.profile.customField ?? {}
        const tooLong = nameLimit && { name: t.run.own.name().padEnd(nameLimit + 1, 'v') }
        const wrong = {
          'an empty name': { name: '' },
          'the name of another field': { name: other.name },
          'a type that is none': { type: `${t.run.tag}notype` },
          ...(tooLong && { 'a name that is too long': tooLong }),
        }
        const requests = Object.entries(wrong).map(([what, definition]) => {
          const custom_field = { ...definition, default_value: t.run.own.name(), display_report: false }
          return { what: `an update with ${what}`, call: { operation, path, body: { custom_field } } }
        })
        return { look: async (ask) => [await ask({ operation: 'getCustomFieldUpdatePage', path })], requests }
      }),
  },

  {
    id: 'custom-fields.reads',
    section: '4.2',
    statement:
      'Opening the update page of a field or listing fields leaves their definitions as they were, and opening the create page makes none.',
    operations: ['getCustomFieldUpdatePage', 'listCustomFields', 'getCustomFieldCreatePage'],
    async check(t) {
      const flags = { display_report: false, display_update: true }
      await namedField(t)
      const { field, name } = await namedField(t, flags)
      // It may have been read since, which may have changed it.
      await updateField(t, field.id, { custom_field: { name, ...flags } })
      const page = () => fieldPage(t, field.id)
      const isSame = (one: Answer, other: Answer) =>
        definitionIn(one.json, name) === definitionIn(other.json, name)
      const [first, second] = [await page(), await page()]
      t.verify(isSame(first, second), 'the update page shows another definition the second time', second)
      const listed = await listFields(t)
      await expectNoneMade(t, listed)
      const third = await page()
      const another = 'after the list was read the update page shows another definition'
      t.verify(isSame(second, third), another, third, 'listCustomFields')
      if (!t.profile.projects?.length) return
      const body = linkedBody(t)
      const linked = await createField(t, body)
      if (!linked.field) return
      await updateField(t, linked.field.id, body)
      const links = ({ json }: Answer) =>
        JSON.stringify(linksOf(json, body.custom_field.name).map(([at, ids]) => [at, [...ids]]))
      const before = await listFields(t)
      await fieldPage(t, linked.field.id)
      const after = await listFields(t)
      const message = 'after the update page was read the list shows other projects of the field'
      t.verify(links(before) === links(after), message, after, 'getCustomFieldUpdatePage')
    },
  },

  {
    id: 'custom-fields.links',
    section: '2.5',
    statement:
      'A field is linked to the projects listed with it: an empty list links none, and linking one field leaves the links of others.',
    operations: ['createCustomField'],
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
      const before = linksOf((await listFields(t)).json, first)
      const none = await make([])
      const second = await make(projects.slice(0, 1))
      const listed = await listFields(t)
      const ofNone = none === null ? [] : linksOf(listed.json, none)
      const extra = projects.find((id) => ofNone.some(([, ids]) => ids.has(id)))
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
    async check(t) {
      const { field, name } = await namedField(t)
      const update = (custom_field: object) => updateField(t, field.id, { custom_field })
      const flags = { display_report: true, display_update: true }
      const alone = await update(flags)
      if (alone.status !== 200) t.skip(`an update of the display flags is answered ${alone.status}`)
      const answer = await update({ name, ...flags, display_update: false })
      t.expect(answer, 200, 'an update with the present name')
    },
  },

  {
    id: 'custom-fields.definition-required',
    section: '2.5',
    statement:
      'The definition stands in `custom_field`: a body with its members at the top level is answered 400.',
    operations: ['createCustomField'],
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
    section: '2.5',
    statement: 'What is no text becomes neither the name of a field nor its default value.',
    operations: ['updateCustomField'],
    async check(t, operation) {
      const { field, name } = await namedField(t)
      const before = recordsWith((await fieldPage(t, field.id)).json, name)
      if (before.length === 0) t.skip('the update page does not show the name of the field')
      for (const member of ['name', 'default_value'] as const) {
        // Whether a member of a wrong type is refused or passed over is not shown.
        const answer = await updateField(t, field.id, { custom_field: { [member]: { kit: [true] } } })
        const page = await fieldPage(t, field.id)
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
    async check(t, operation) {
      if (t.need('customField.type') !== 'string')
        t.skip('a text is surely a default value of one type alone')
      const isShownAs = (json: unknown, value: string) =>
        recordsWith(json, name).some((record) => record.default_value === value)
      const default_value = t.run.own.name() + t.run.own.name()
      const { field, name } = await namedField(t, { default_value })
      const page = await fieldPage(t, field.id)
      for (const record of recordsWith(page.json, name)) {
        const shown = record.default_value
        const other = typeof shown === 'string' && shown !== '' && shown !== default_value
        t.verify(!other, `the default value ${default_value} is shown as ${shown}`, page, operation)
      }
      t.pass()
      if (!isShownAs(page.json, default_value)) return
      // To a tracker that asks for a value, this one may be none.
      const changed = await updateField(t, field.id, { custom_field: { name, default_value: '0' } })
      const after = await fieldPage(t, field.id)
      const isLost = changed.status === 200 && after.status === 200 && !isShownAs(after.json, '0')
      t.verify(!isLost, 'the default value 0 is accepted, and not shown', after, 'updateCustomField')
    },
  },
])
