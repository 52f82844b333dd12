/** Sections 2.5 and 4.2: custom fields are listed, created, changed and deleted. */
import type { OperationId } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import {
  countRecords,
  flagIn,
  idOf,
  isObject,
  isPaged,
  mentions,
  pointersTo,
  projectLists,
  recordsWith,
  valueAt,
  values,
} from '../suite/look.js'
import type { OwnField } from '../suite/own.js'
import { requirement } from '../suite/requirement.js'
import type { Answer } from '../target/client.js'

async function create(t: Check, body: { custom_field: { name: string } }) {
  const answer = await t.send({ operation: 'createCustomField', body, effect: 'write' })
  const field = answer.status === 200 ? await t.run.own.adoptField(body.custom_field.name, answer) : null
  return { answer, field }
}

const list = (t: Check) => t.send({ operation: 'listCustomFields' })

/** Whether a page has nothing of the field, and a record that the list has of another. */
function showsAnotherField(page: unknown, listed: unknown, name: string): boolean {
  if (mentions(page, name) || !mentions(listed, name)) return false
  const records = (json: unknown) =>
    new Set([...values(json)].filter(isObject).flatMap((record) => identityOf(record)))
  const known = records(listed)
  return [...records(page)].some((identity) => known.has(identity))
}

/** Id and name of a field's record. */
function identityOf(record: Readonly<Record<string, unknown>>): string[] {
  const id = idOf(record, 'field')
  const name = record.name ?? record.label
  return id === null || typeof name !== 'string' || !('type' in record) ? [] : [`${id} ${name}`]
}

async function hasPage(t: Check, field: OwnField | null): Promise<boolean> {
  if (field === null) return false
  const page = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: field.id } })
  return page.status === 200
}

export const customFields = [
  requirement({
    id: 'custom-fields.read',
    level: 'must',
    section: '4.2',
    statement: 'An administrator lists custom fields and reads the create page.',
    operations: ['listCustomFields', 'getCustomFieldCreatePage'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      t.expect(await t.send({ operation }), 200, 'reading as administrator')
    },
  }),

  requirement({
    id: 'custom-fields.create',
    level: 'must',
    section: '4.2',
    statement: 'A valid creation is answered 200, and where the list shows fields it shows the new one.',
    operations: ['createCustomField', 'listCustomFields'],
    safety: 'write',
    async check(t) {
      t.need('customField.type')
      // Linked to a project, since the list holds what is visible to the caller.
      const projects = t.profile.projects?.slice(0, 1)
      const before = await list(t)
      const body = { ...t.run.own.fieldBody(), ...(projects ? { projects } : {}) }
      const { answer, field } = await create(t, body)
      if (!t.expect(answer, 200, 'a valid creation')) return
      const after = await list(t)
      if (!t.expect(after, 200, 'listing custom fields')) return
      const shown = mentions(after.json, body.custom_field.name)
      const opaque = countRecords(before.json) === 0 && countRecords(after.json) === 0
      const paged = isPaged(before.json)
      const same = before.text === after.text
      t.verify(
        shown || opaque || paged || !same || projects === undefined,
        'the list is the same as before the creation',
        after,
        // A field that has an update page was made, so it is the list that does not tell.
        (await hasPage(t, field)) ? 'listCustomFields' : 'createCustomField',
      )
    },
  }),

  requirement({
    id: 'custom-fields.create-page-fields',
    level: 'must',
    section: '2.5',
    statement: 'Creation accepts the display flags, and a list of projects beside the definition.',
    operations: ['createCustomField'],
    safety: 'write',
    async check(t) {
      t.need('customField.type')
      const flags = { display_report: true, display_update: false }
      const flagged = await create(t, t.run.own.fieldBody(flags))
      t.expect(flagged.answer, 200, 'a creation with display_report and display_update')
      if (!t.profile.projects?.length) return
      const linked = await create(t, { ...t.run.own.fieldBody(), projects: t.profile.projects } as never)
      t.expect(linked.answer, 200, 'a creation with existing projects')
    },
  }),

  requirement({
    id: 'custom-fields.update',
    level: 'must',
    section: '4.2',
    statement:
      'A valid update is answered 200, and where the list or the update page shows the field it shows the new name.',
    operations: ['updateCustomField', 'getCustomFieldUpdatePage'],
    safety: 'write',
    async check(t, operation) {
      const own = (await t.run.own.canFollowFields())
        ? await t.run.own.field()
        : await t.run.own.sharedField()
      const before = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: own.id } })
      t.expect(before, 200, 'reading the update page of an existing field')
      t.verify(
        own.name === null || !showsAnotherField(before.json, (await list(t)).json, own.name),
        'the update page is that of another field',
        before,
      )
      const body = t.run.own.fieldBody()
      const answer = await t.send({ operation, path: { field_id: own.id }, body, effect: 'write' })
      if (!t.expect(answer, 200, 'a valid update')) return
      const { name } = body.custom_field
      const after = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: own.id } })
      t.expect(after, 200, 'reading the update page after an update')
      const visible = own.name !== null && mentions(before.json, own.name) && after.status === 200
      t.verify(
        !visible || mentions(after.json, name),
        'the update page still shows the old name',
        after,
        operation,
      )
      t.run.own.fieldRenamed(own, name)
      const listed = await list(t)
      const stale = own.name !== null && mentions(listed.json, own.name)
      t.verify(!stale, 'the list still shows the old name', listed, operation)
    },
  }),

  requirement({
    id: 'custom-fields.members',
    level: 'must',
    section: '2.5',
    statement:
      'The default value and the display flags of a field are those that were given last, where the update page shows them.',
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    async check(t) {
      const type = t.need('customField.type')
      // A text is surely a legal default value of one type alone.
      const defaults = type === 'string' ? [t.run.own.name(), t.run.own.name()] : [undefined, undefined]
      const [first, second] = [true, false].map((flag, index) => ({
        ...t.run.own.fieldBody({
          default_value: defaults[index],
          display_report: flag,
          display_update: !flag,
        }).custom_field,
      }))
      if (first === undefined || second === undefined) return
      const { answer, field } = await create(t, { custom_field: first })
      if (!t.expect(answer, 200, 'a creation with default value and display flags') || field === null) return
      const path = { field_id: field.id }
      const page = async () => await t.send({ operation: 'getCustomFieldUpdatePage', path })
      const created = await page()
      const update = { custom_field: second }
      const updated = await t.send({ operation: 'updateCustomField', path, body: update, effect: 'write' })
      if (!t.expect(updated, 200, 'an update of default value and display flags')) return
      t.run.own.fieldRenamed(field, second.name)
      const after = await page()
      for (const flag of ['display_report', 'display_update'] as const)
        for (const [shown, wanted, culprit] of [
          [created, first[flag], 'createCustomField'],
          [after, second[flag], 'updateCustomField'],
        ] as const) {
          const seen = flagIn(shown.json, flag)
          t.verify(
            seen === null || seen === wanted,
            `${flag} was given as ${wanted} and is shown as ${seen}`,
            shown,
            culprit,
          )
        }
      if (defaults[0] === undefined || defaults[1] === undefined) return
      const [before, now] = [mentions(created.json, defaults[0]), mentions(after.json, defaults[1])]
      t.verify(
        !now || before,
        'the default value given at creation is not shown, though an updated one is',
        created,
        'createCustomField',
      )
      t.verify(
        !before || now,
        'the default value was updated with 200 and still shows its old value',
        after,
        'updateCustomField',
      )
    },
  }),

  requirement({
    id: 'custom-fields.possible-values',
    level: 'must',
    section: '2.5',
    statement:
      'The possible values of a field are those that were given last, where the update page shows them.',
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    async check(t) {
      t.need('customField.type')
      const [first, second] = [
        ['Kit one', 'Kit two'],
        ['Kit three', 'Kit four'],
      ] as const
      const bodyOf = (list: readonly string[]) => t.run.own.fieldBody({ possible_values: list.join('|') })
      const { answer, field } = await create(t, bodyOf(first))
      // Of what type a field is that has possible values is not shown.
      if (answer.status !== 200 || field === null)
        return t.skip('the type of the profile takes no possible values')
      const path = { field_id: field.id }
      const page = () => t.send({ operation: 'getCustomFieldUpdatePage', path })
      const created = await page()
      const body = bodyOf(second)
      const updated = await t.send({ operation: 'updateCustomField', path, body, effect: 'write' })
      if (updated.status !== 200) return t.skip('the type of the profile takes no possible values')
      t.run.own.fieldRenamed(field, body.custom_field.name)
      const after = await page()
      const shows = (shown: Answer, list: readonly string[]) => list.every((one) => mentions(shown.json, one))
      const lost = shows(after, second) && !shows(created, first)
      t.verify(
        !lost,
        'possible values given at creation are not all shown, though updated ones are',
        created,
        'createCustomField',
      )
      const kept = shows(created, first) && !shows(after, second)
      t.verify(
        !kept,
        'possible values were updated with 200 and are not all shown',
        after,
        'updateCustomField',
      )
    },
  }),

  requirement({
    id: 'custom-fields.projects',
    level: 'must',
    section: '2.5',
    statement:
      'A field created with projects is linked to them, where the list shows the projects of fields; created without, it is linked to none.',
    operations: ['createCustomField'],
    safety: 'write',
    async check(t, operation) {
      t.need('customField.type')
      const projects = t.need('projects')
      const linked = t.run.own.fieldBody()
      const bare = t.run.own.fieldBody()
      const created = await create(t, { ...linked, projects } as never)
      t.expect(created.answer, 200, 'a creation with existing projects')
      t.expect((await create(t, bare)).answer, 200, 'a creation without projects')
      const listed = await list(t)
      const listOf = (name: string) =>
        recordsWith(listed.json, name).flatMap((record) => [...projectLists(record).entries()])
      // A list that has something in it for any field is one of links.
      const isUsed = (pointer: string) =>
        pointersTo(listed.json, isObject).some(
          (at) => (projectLists(valueAt(listed.json, at)).get(pointer)?.size ?? 0) > 0,
        )
      for (const [pointer, ids] of listOf(linked.custom_field.name)) {
        const missing = projects.filter((id) => !ids.has(id))
        t.verify(
          !isUsed(pointer) || missing.length === 0,
          `the field was created with the project ${missing[0]}, and ${pointer} of the list lacks it`,
          listed,
          operation,
        )
      }
      for (const [pointer, ids] of listOf(bare.custom_field.name)) {
        const extra = projects.filter((id) => ids.has(id))
        t.verify(
          extra.length === 0,
          `the field was created without projects, and ${pointer} of the list has ${extra[0]}`,
          listed,
          operation,
        )
      }
    },
  }),

  requirement({
    id: 'custom-fields.name-limit',
    level: 'must',
    section: '2.5',
    statement:
      "The tracker's limit on the length of a name is enforced: a name of that length is accepted, a longer one is refused or cut.",
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      const limit = t.need('customField.nameLimit')
      t.need('customField.type')
      const atLimit = t.run.own.name().padEnd(limit, 'x').slice(0, limit)
      const begin = t.run.own.name()
      const tooLong = begin.padEnd(limit + 1, 'y')
      const bodyOf = (name: string) => t.run.own.fieldBody({ name })
      const field = operation === 'updateCustomField' ? await t.run.own.field() : null
      if (field && field.name === null) t.skip('no field of its own can be found in answers')
      const ask = (name: string) =>
        field
          ? t.send({ operation, path: { field_id: field.id }, body: bodyOf(name), effect: 'write' })
          : create(t, bodyOf(name)).then(({ answer }) => answer)
      if (t.expect(await ask(atLimit), 200, `a name of ${limit} characters`) && field)
        t.run.own.fieldRenamed(field, atLimit)
      const answer = await ask(tooLong)
      if (!t.expect(answer, [400, 200], `a name of ${limit + 1} characters`)) return
      t.observe('cf-name-length', operation, answer.status === 400 ? 'refused' : 'cut')
      const listed = await list(t)
      t.verify(
        !mentions(listed.json, tooLong),
        `a name longer than ${limit} characters was stored`,
        answer,
        operation,
      )
      // Cut, it still begins as it did.
      t.verify(
        answer.status === 200 || !mentions(listed.json, begin),
        'the longer name was refused, and the list shows the beginning of it',
        answer,
        operation,
      )
      const shows = mentions(listed.json, atLimit) && !isPaged(listed.json)
      t.verify(
        answer.status === 400 || !shows || mentions(listed.json, begin),
        'the longer name was answered 200, and the list shows nothing of it',
        answer,
        operation,
      )
      t.verify(
        !mentions(answer.json, tooLong) || answer.status === 400,
        'the answer shows the longer name',
        answer,
        operation,
      )
    },
  }),

  requirement({
    id: 'custom-fields.delete',
    level: 'must',
    section: '4.2',
    statement:
      'A deletion is answered 200; afterwards that field alone is not listed, and every use of it, a second deletion too, is answered 404.',
    operations: ['deleteCustomField', 'updateCustomField', 'getCustomFieldUpdatePage'],
    safety: 'write',
    async check(t, operation) {
      const bystander = await t.run.own.field()
      const field = await t.run.own.field()
      const path = { field_id: field.id }
      const before = await list(t)
      const answer = await t.send({ operation, path, effect: 'write' })
      if (!t.expect(answer, 200, 'deleting an existing field')) return
      t.run.own.fieldDeleted(field)
      await gone(t, path)
      const linked = t.profile.projects?.length
        ? await create(t, { ...t.run.own.fieldBody(), projects: t.profile.projects } as never)
        : null
      if (linked?.field) {
        // Whether one that is in use may be deleted is not shown.
        const to = { field_id: linked.field.id }
        const removed = await t.send({ operation, path: to, effect: 'write' })
        if (removed.status === 200) {
          t.run.own.fieldDeleted(linked.field)
          const page = await t.send({ operation: 'getCustomFieldUpdatePage', path: to })
          t.expect(page, 404, 'the page of a field that was linked to projects and deleted', operation)
        }
      }
      const beside = { operation: 'getCustomFieldUpdatePage', path: { field_id: bystander.id } } as const
      t.expect(await t.send(beside), 200, 'the update page of another field', operation)
      const after = await list(t)
      if (field.name !== null && mentions(before.json, field.name))
        t.verify(
          !mentions(after.json, field.name),
          'the list still shows the deleted field',
          after,
          operation,
        )
    },
  }),

  requirement({
    id: 'custom-fields.delete-then-create',
    level: 'must',
    section: '4.2',
    statement: 'The name of a deleted field is free: creation and deletion with it can be repeated.',
    operations: ['createCustomField', 'deleteCustomField'],
    safety: 'write',
    async check(t, operation) {
      t.need('customField.type')
      const body = t.run.own.fieldBody()
      for (const round of ['first', 'second']) {
        const { answer, field } = await create(t, body)
        if (!t.expect(answer, 200, `the ${round} creation with one name`, operation)) return
        if (field === null) return
        const deleted = await t.send({
          operation: 'deleteCustomField',
          path: { field_id: field.id },
          effect: 'write',
        })
        if (!t.expect(deleted, 200, `the ${round} deletion`)) return
        t.run.own.fieldDeleted(field)
        await gone(t, { field_id: field.id })
      }
    },
  }),
]

/** Every use of a deleted field is answered 404. */
async function gone(t: Check, path: { field_id: number }): Promise<void> {
  const uses: readonly OperationId[] = ['deleteCustomField', 'updateCustomField', 'getCustomFieldUpdatePage']
  for (const operation of uses) {
    const body = operation === 'updateCustomField' ? { body: t.run.own.fieldBody() } : {}
    const answer = await t.send({ operation, path, ...body, refused: 'resource' })
    t.expect(answer, 404, 'a field that was deleted')
  }
}
