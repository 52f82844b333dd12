import fc from 'fast-check'
import type { OperationId } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { isPaged, mentions } from '../suite/look.js'
import { requirement } from '../suite/requirement.js'
import type { Answer } from '../target/client.js'
import { holdsForAll, Violation } from './property.js'

const id = 'property.custom-field-model'

/** What a conforming tracker must remember of the fields that the run made: which there are, under which name. */
interface Model {
  readonly living: { id: number; name: string }[]
  readonly deleted: number[]
  readonly formerNames: string[]
}

interface Real {
  readonly t: Check
  readonly executed: Map<string, number>
}

type Command = fc.AsyncCommand<Model, Real>

function require(answer: Answer, status: number, what: string, operation?: OperationId): void {
  if (answer.status !== status)
    throw new Violation(`${what}: expected ${status}, saw ${answer.status}`, answer, operation)
}

/** Commands name resources by their place in the model, so that they still mean something after shrinking. */
function command(
  name: string,
  applies: (model: Model) => boolean,
  act: (model: Model, t: Check) => Promise<void>,
): Command {
  return {
    check: applies,
    async run(model, { t, executed }) {
      executed.set(name, (executed.get(name) ?? 0) + 1)
      await act(model, t)
    },
    toString: () => name,
  }
}

const at = <T>(items: readonly T[], place: number): T => items[place % items.length] as T
const anyLiving = ({ living }: Model) => living.length > 0
const MOST_LIVING = 6

const create = () =>
  command(
    'create',
    ({ living }) => living.length < MOST_LIVING,
    async (model, t) => {
      const body = t.run.own.fieldBody()
      const answer = await t.send({ operation: 'createCustomField', body, effect: 'write' })
      require(answer, 200, 'a valid creation')
      const field = await t.run.own.adoptField(body.custom_field.name, answer)
      if (field === null)
        throw new Violation('the new field is not to be found, though an earlier one was', answer)
      const known = [...model.living.map((living) => living.id), ...model.deleted]
      if (model.living.some((living) => living.id === field.id))
        throw new Violation(`the new field has the id ${field.id} of another one`, answer)
      if (known.includes(field.id)) model.deleted.splice(model.deleted.indexOf(field.id), 1)
      model.living.push({ id: field.id, name: body.custom_field.name })
    },
  )

const update = (place: number) =>
  command(`update ${place}`, anyLiving, async (model, t) => {
    const field = at(model.living, place)
    const body = t.run.own.fieldBody()
    const path = { field_id: field.id }
    require(await t.send({
      operation: 'updateCustomField',
      path,
      body,
      effect: 'write',
    }), 200, 'a valid update')
    t.run.own.fieldRenamed(field, body.custom_field.name)
    model.formerNames.push(field.name)
    field.name = body.custom_field.name
  })

const remove = (place: number) =>
  command(`delete ${place}`, anyLiving, async (model, t) => {
    const field = at(model.living, place)
    const path = { field_id: field.id }
    require(await t.send({
      operation: 'deleteCustomField',
      path,
      effect: 'write',
    }), 200, 'deleting an existing field')
    t.run.own.fieldDeleted(field)
    model.living.splice(model.living.indexOf(field), 1)
    model.deleted.push(field.id)
    model.formerNames.push(field.name)
  })

const read = (place: number) =>
  command(`read ${place}`, anyLiving, async (model, t) => {
    const field = at(model.living, place)
    const page = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: field.id } })
    require(page, 200, 'the update page of an existing field')
  })

const list = () =>
  command(
    'list',
    () => true,
    async (model, t) => {
      const listed = await t.send({ operation: 'listCustomFields' })
      require(listed, 200, 'the list of custom fields')
      const stale = model.formerNames.find((name) => mentions(listed.json, name))
      if (stale)
        throw new Violation('the list shows a field that was deleted, or a name that was changed', listed)
      // A list that shows one of the run's fields shows all of them, unless it is one page of several.
      const shown = model.living.filter(({ name }) => mentions(listed.json, name))
      if (shown.length > 0 && shown.length < model.living.length && !isPaged(listed.json))
        throw new Violation(
          `the list shows ${shown.length} of the ${model.living.length} fields that there are`,
          listed,
        )
    },
  )

const useDeleted = (
  place: number,
  operation: 'updateCustomField' | 'deleteCustomField' | 'getCustomFieldUpdatePage',
) =>
  command(
    `${operation} of deleted ${place}`,
    ({ deleted }) => deleted.length > 0,
    async (model, t) => {
      const path = { field_id: at(model.deleted, place) }
      const body = operation === 'updateCustomField' ? { body: t.run.own.fieldBody() } : {}
      require(await t.send({
        operation,
        path,
        ...body,
        refused: 'resource',
      }), 404, 'a field that was deleted')
    },
  )

function commands() {
  const place = fc.nat(20)
  return fc.commands(
    [
      fc.constant(null).map(create),
      place.map(update),
      place.map(remove),
      place.map(read),
      fc.constant(null).map(list),
      fc
        .tuple(place, fc.constantFrom('updateCustomField', 'deleteCustomField', 'getCustomFieldUpdatePage'))
        .map(([n, operation]) => useDeleted(n, operation)),
    ],
    { maxCommands: 30, size: 'max' },
  )
}

export const customFieldModel = requirement({
  id,
  level: 'must',
  section: '4.2',
  statement:
    'Custom fields behave as a set: any sequence of creations, updates, deletions, reads and lists agrees with a small model.',
  operations: [
    'createCustomField',
    'updateCustomField',
    'deleteCustomField',
    'getCustomFieldUpdatePage',
    'listCustomFields',
  ],
  safety: 'write',
  async check(t) {
    t.need('customField.type')
    const probe = await t.run.own.field()
    if (probe.name === null) t.skip('no field of its own can be found in answers')
    const executed = new Map<string, number>()
    // A few long sequences find more than many short ones, for fewer requests.
    const numRuns = Math.min(8, Math.max(2, Math.ceil(t.run.options.runs / 25)))
    await holdsForAll(t, { id, numRuns }, commands(), async (sequence) => {
      const model: Model = { living: [], deleted: [], formerNames: [] }
      try {
        await fc.asyncModelRun(() => ({ model, real: { t, executed } }), sequence)
      } finally {
        for (const field of model.living) await discard(t, field)
      }
    })
    for (const kind of ['create', 'update', 'delete', 'list']) {
      const count = [...executed].filter(([name]) => name.startsWith(kind)).reduce((sum, [, n]) => sum + n, 0)
      if (count < 2) t.inconclusive(`only ${count} commands of the kind ${kind} were carried out`)
    }
  },
})

/** Each sequence starts from nothing; what cannot be deleted here is left to the sweep. */
async function discard(t: Check, field: { id: number; name: string }): Promise<void> {
  const answer = await t.send({
    operation: 'deleteCustomField',
    path: { field_id: field.id },
    effect: 'write',
  })
  if (answer.status === 200) t.run.own.fieldDeleted(field)
}
