/** Sections 2.5 and 4.2: custom fields are listed, created, changed and deleted. */

import {
  countRecords,
  haveSameLists,
  idOf,
  isObject,
  isPaged,
  mentions,
  stillLists,
  values,
} from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import {
  createField,
  deleteField,
  fieldPage,
  linkedBody,
  listedIn,
  listFields,
  updateField,
} from '../suite/fields.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'

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

export const customFields = group({ rank: 110, level: 'must', section: '4.2', safety: 'write' }, [
  {
    id: 'custom-fields.deletions',
    level: 'must',
    section: '4.2',
    statement: 'Every field of which the deletion was answered 200 is gone, whatever was asked for before.',
    operations: ['deleteCustomField'],
    safety: 'write',
    phase: 'end',
    check(t, operation) {
      if (!t.run.succeeded(operation)) t.skip('no deletion of a field was answered 200')
      const message = 'a field is there after its deletion was answered 200'
      for (const { still } of t.run.swept) for (const page of still) t.verify(false, message, page, operation)
      t.pass()
    },
  },

  {
    id: 'custom-fields.create',
    statement: 'A valid creation is answered 200, and where the list shows fields it shows the new one.',
    operations: ['createCustomField', 'listCustomFields'],
    async check(t) {
      t.need('customField.type')
      const before = await listFields(t)
      const body = linkedBody(t)
      const { answer, field } = await createField(t, body)
      if (!t.expect(answer, 200, 'a valid creation')) return
      const after = await listFields(t)
      if (!t.expect(after, 200, 'listing custom fields')) return
      const shown = mentions(after.json, body.custom_field.name)
      const { name } = body.custom_field
      const ids = listedIn(after.json)
        .filter((record) => Object.values(record).includes(name))
        .map((record) => idOf(record, 'field'))
      t.verify(new Set(ids).size < 2, 'one creation has made several fields', after, 'createCustomField')
      const opaque = countRecords(before.json) === 0 && countRecords(after.json) === 0
      const alike = before.text === after.text || haveSameLists(before.json, after.json)
      const same = alike && !isPaged(before.json) && body.projects !== undefined
      // A field that has an update page was made, so it is the list that does not tell.
      const page = field && (await fieldPage(t, field.id))
      const culprit = page?.status === 200 ? 'listCustomFields' : 'createCustomField'
      t.verify(shown || opaque || !same, 'the list is the same as before the creation', after, culprit)
    },
  },

  {
    id: 'custom-fields.update',
    statement:
      'A valid update is answered 200, and where the list or the update page shows the field it shows the new name.',
    operations: ['updateCustomField', 'getCustomFieldUpdatePage'],
    async check(t, operation) {
      const own = (await t.run.own.canFollowFields())
        ? await t.run.own.field()
        : await t.run.own.sharedField()
      const before = await fieldPage(t, own.id)
      t.expect(before, 200, 'reading the update page of an existing field')
      const listedBefore = await listFields(t)
      const isOther = own.name !== null && showsAnotherField(before.json, listedBefore.json, own.name)
      t.verify(!isOther, 'the update page is that of another field', before)
      const body = t.run.own.fieldBody()
      const answer = await updateField(t, own.id, body)
      if (!t.expect(answer, 200, 'a valid update')) return
      const { name } = body.custom_field
      const after = await fieldPage(t, own.id)
      t.expect(after, 200, 'reading the update page after an update')
      const visible = own.name !== null && mentions(before.json, own.name) && after.status === 200
      const isNew = !visible || mentions(after.json, name)
      t.verify(isNew, 'the update page still shows the old name', after, operation)
      t.run.own.fieldRenamed(own, name)
      const listed = await listFields(t)
      const isOld = (record: object) => Object.values(record).includes(own.name)
      // Beside the fields there may be what was done to them.
      const fields = listedIn(listed.json)
      const stale =
        own.name !== null &&
        (fields.length > 0
          ? fields.some(isOld)
          : stillLists(listed.json, own.name, listedBefore.json, [own.name]))
      t.verify(!stale, 'the list still shows the old name', listed, operation)
      if (own.name === null || !t.profile.projects?.length) return
      const linking = linkedBody(t)
      const linked = await updateField(t, own.id, linking)
      t.expect(linked, 200, 'an update with an existing project beside the definition')
      if (linked.status === 200) t.run.own.fieldRenamed({ ...own, name }, linking.custom_field.name)
    },
  },

  {
    id: 'custom-fields.delete',
    statement:
      'A deletion is answered 200; afterwards that field alone is not listed, and every use of it, a second deletion too, is answered 404.',
    operations: ['deleteCustomField', 'updateCustomField', 'getCustomFieldUpdatePage'],
    async check(t, operation) {
      const bystander = await t.run.own.field()
      const field = await t.run.own.field()
      const path = { field_id: field.id }
      const before = await listFields(t)
      const answer = await t.send({ operation, path })
      if (!t.expect(answer, 200, 'deleting an existing field')) return
      t.run.own.fieldDeleted(field)
      await gone(t, path)
      const linked = t.profile.projects?.length
        ? await createField(t, { ...t.run.own.fieldBody(), projects: t.profile.projects } as never)
        : null
      if (linked?.field) {
        // Whether one that is in use may be deleted is not shown.
        const to = { field_id: linked.field.id }
        const removed = await t.send({ operation, path: to })
        if (removed.status === 200) {
          t.run.own.fieldDeleted(linked.field)
          t.expect(
            await fieldPage(t, to.field_id),
            404,
            'the page of a field that was linked to projects and deleted',
            operation,
          )
        }
      }
      t.expect(await fieldPage(t, bystander.id), 200, 'the update page of another field', operation)
      const after = await listFields(t)
      if (bystander.name !== null) await deleteField(t, bystander)
      const isListed = field.name !== null && stillLists(after.json, field.name, before.json, [field.name])
      if (field.name !== null) t.verify(!isListed, 'the list still shows the deleted field', after, operation)
      if (!(await t.run.own.canFollowFields())) return
      // And of a pair the older one, since the other may be taken for it.
      const [older, younger] = [await t.run.own.field(), await t.run.own.field()]
      const second = await t.send({ operation, path: { field_id: older.id } })
      if (!t.expect(second, 200, 'deleting the older field of two')) return
      t.run.own.fieldDeleted(older)
      t.expect(await fieldPage(t, younger.id), 200, 'the update page of the younger field', operation)
    },
  },

  {
    id: 'custom-fields.delete-then-create',
    statement:
      'Creation and deletion can be repeated; where the name of a deleted field is free again, with that name too.',
    operations: ['createCustomField', 'deleteCustomField'],
    async check(t, operation) {
      t.need('customField.type')
      const body = t.run.own.fieldBody()
      for (const round of ['first', 'second']) {
        const { answer, field } = await createField(t, body)
        // How long a name stays taken is not shown.
        const allowed = round === 'first' ? 200 : [200, 400]
        if (!t.expect(answer, allowed, `the ${round} creation with one name`, operation)) return
        if (field === null) return
        const path = { field_id: field.id }
        const deleted = await t.send({ operation: 'deleteCustomField', path })
        if (!t.expect(deleted, 200, `the ${round} deletion`)) return
        t.run.own.fieldDeleted(field)
        await gone(t, path)
      }
    },
  },
])

/** Every use of a deleted field is answered 404. */
async function gone(t: Check, path: { field_id: number }): Promise<void> {
  // The read first: what it shows decides whether the others may be sent.
  const uses: readonly OperationId[] = ['getCustomFieldUpdatePage', 'deleteCustomField', 'updateCustomField']
  for (const operation of uses) {
    const body = operation === 'updateCustomField' ? { body: t.run.own.fieldBody() } : {}
    const answer = await t.send({ operation, path, ...body })
    t.expect(answer, 404, 'a field that was deleted')
  }
}
