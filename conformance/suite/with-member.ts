/** Users and fields of the run's own with one member in view. */

import { recordsWith } from '../target/look.js'
import type { Subject } from './both-ways.js'
import { createField, deleteField, listFields } from './fields.js'
import type { Check, OwnField, OwnUser } from './types.js'
import { views } from './user-views.js'

/** The member of a user, beside what else is given at its creation. */
export function userWith(t: Check, member: string, beside: object = {}): Subject<OwnUser> {
  return {
    creates: 'createUser',
    updates: 'updateUser',
    async create(value) {
      const body = t.run.own.userBody({ ...beside, ...(value === undefined ? {} : { [member]: value }) })
      const answer = await t.send({ operation: 'createUser', body })
      return { answer, thing: answer.status === 200 ? await t.run.own.adoptUser(body, answer) : null }
    },
    update: ({ username }, value) =>
      t.send({ operation: 'updateUser', path: { user_id: username }, body: { [member]: value } }),
    async look(user) {
      const [read, page] = await views(t, user)
      return { getUser: read.json, getUserEditPage: page.json }
    },
  }
}

/** The member of a definition likewise. */
export function fieldWith(t: Check, member: string): Subject<{ field: OwnField; name: string }> {
  return {
    creates: 'createCustomField',
    updates: 'updateCustomField',
    async create(value) {
      const body = t.run.own.fieldBody(value === undefined ? {} : { [member]: value })
      const { answer, field } = await createField(t, body)
      return { answer, thing: field && { field, name: body.custom_field.name } }
    },
    async update(thing, value) {
      // Under another name each time, since an update that changes nothing may be refused.
      const body = t.run.own.fieldBody({ [member]: value })
      const answer = await t.send({
        operation: 'updateCustomField',
        path: { field_id: thing.field.id },
        body,
      })
      if (answer.status === 200) {
        thing.name = body.custom_field.name
        thing.field = t.run.own.fieldRenamed(thing.field, thing.name)
      }
      return answer
    },
    remove: ({ field }) => deleteField(t, field),
    async look({ field, name }) {
      const page = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: field.id } })
      return { page: page.json, listed: recordsWith((await listFields(t)).json, name) }
    },
  }
}
