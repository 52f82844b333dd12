/** Commands on custom fields: sections 2.5 and 4.2. */

import fc from 'fast-check'
import { isPaged, mentions, stillLists } from '../../client/look.js'
import { lasting } from '../../suite/fields.js'
import type { Check } from '../../suite/types.js'
import { Violation } from '../property.js'
import { at, type Command, command, type Model, require } from './model.js'

const MOST_LIVING = 6
const anyLiving = ({ fields }: Model) => fields.length > 0

const create = () =>
  command(
    'createCustomField',
    ({ fields }) => fields.length < MOST_LIVING,
    async (model, t) => {
      const body = t.run.own.fieldBody()
      const answer = await t.send({ operation: 'createCustomField', body })
      // How many fields there may be is not shown.
      if (answer.status === 400 && model.fields.length > 0) return
      require(answer, 200, 'a valid creation')
      const field = await t.run.own.adoptField(body.custom_field.name, answer)
      if (field === null)
        throw new Violation('the new field is not to be found, though an earlier one was', answer)
      const { id } = field
      if (model.fields.some((other) => other.id === id))
        throw new Violation(`the new field has the id ${id} of another one`, answer)
      // A tracker may give the id of a deleted field to a new one.
      const reused = model.deletedFields.indexOf(id)
      if (reused >= 0) model.deletedFields.splice(reused, 1)
      model.fields.push({ id, name: body.custom_field.name })
    },
  )

const update = (place: number) =>
  command('updateCustomField', anyLiving, async (model, t) => {
    const field = at(model.fields, place)
    const body = t.run.own.fieldBody()
    const path = { field_id: field.id }
    require(await t.send({
      operation: 'updateCustomField',
      path,
      body,
    }), 200, 'a valid update')
    t.run.own.fieldRenamed(field, body.custom_field.name)
    model.formerFieldNames.push(field.name)
    field.name = body.custom_field.name
  })

const remove = (place: number) =>
  command('deleteCustomField', anyLiving, async (model, t) => {
    const field = at(model.fields, place)
    const path = { field_id: field.id }
    require(await t.send({
      operation: 'deleteCustomField',
      path,
    }), 200, 'deleting an existing field')
    t.run.own.fieldDeleted(field)
    model.fields.splice(model.fields.indexOf(field), 1)
    model.deletedFields.push(field.id)
    model.formerFieldNames.push(field.name)
  })

const read = (place: number) =>
  command('getCustomFieldUpdatePage', anyLiving, async (model, t) => {
    const field = at(model.fields, place)
    const page = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: field.id } })
    require(page, 200, 'the update page of an existing field')
  })

async function wrongList(model: Model, t: Check): Promise<Violation | null> {
  const listed = await t.send({ operation: 'listCustomFields' })
  require(listed, 200, 'the list of custom fields')
  const { name: lastingName } = await t.run.own.sharedField()
  const alive = [...model.fields.map(({ name }) => name), ...(lastingName === null ? [] : [lastingName])]
  const stale = model.formerFieldNames.find((name) => stillLists(listed.json, name, listed.json, alive))
  if (stale)
    return new Violation(
      'the list shows a field that was deleted, or a name that was changed',
      listed,
      (await stillHas(model, t, stale)) ? 'updateCustomField' : 'listCustomFields',
    )
  // A list that shows one of the run's fields shows all of them, unless it is one page of several.
  const shown = model.fields.filter(({ name }) => mentions(listed.json, name))
  return shown.length > 0 && shown.length < model.fields.length && !isPaged(listed.json)
    ? new Violation(
        `the list shows ${shown.length} of the ${model.fields.length} fields that there are`,
        listed,
      )
    : null
}

const list = () =>
  command(
    'listCustomFields',
    () => true,
    async (model, t) => {
      const wrong = await lasting(t, () => wrongList(model, t))
      if (wrong) throw wrong
    },
  )

/** Whether a field that lives shows a former name on its own page too: then it was never renamed. */
async function stillHas({ fields }: Model, t: Check, name: string): Promise<boolean> {
  for (const { id } of fields) {
    const page = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: id } })
    if (mentions(page.json, name)) return true
  }
  return false
}

const useDeleted = (
  place: number,
  operation: 'updateCustomField' | 'deleteCustomField' | 'getCustomFieldUpdatePage',
) =>
  command(
    `${operation} of a deleted field`,
    ({ deletedFields }) => deletedFields.length > 0,
    async (model, t) => {
      const path = { field_id: at(model.deletedFields, place) }
      const body = operation === 'updateCustomField' ? { body: t.run.own.fieldBody() } : {}
      require(await t.send({
        operation,
        path,
        ...body,
      }), 404, 'a field that was deleted')
    },
  )

/** Each kind that a run must have seen, twice. */
export const plainFieldSequence = (): Command[] => [
  create(),
  create(),
  list(),
  update(0),
  update(1),
  list(),
  remove(0),
  create(),
  list(),
  remove(0),
  useDeleted(0, 'getCustomFieldUpdatePage'),
  list(),
]

export function fieldCommands(): fc.Arbitrary<Command>[] {
  const place = fc.nat(20)
  return [
    fc.constant(null).map(create),
    place.map(update),
    place.map(remove),
    place.map(read),
    fc.constant(null).map(list),
    fc
      .tuple(place, fc.constantFrom('updateCustomField', 'deleteCustomField', 'getCustomFieldUpdatePage'))
      .map(([n, operation]) => useDeleted(n, operation)),
  ]
}

/** Each sequence starts without fields; what cannot be deleted here is left to the sweep. */
export async function discardFields(model: Model, t: Check): Promise<void> {
  for (const field of model.fields) {
    const path = { field_id: field.id }
    const answer = await t.send({ operation: 'deleteCustomField', path })
    if (answer.status === 200) t.run.own.fieldDeleted(field)
  }
}
