/** Section 4.2: what the list of custom fields has of each, in whatever order. */

import { idOf, isPaged, pointersTo, recordsWith, valueAt } from '../client/look.js'
import {
  createField,
  deleteField,
  fieldLists,
  lasting,
  listedIn,
  listFields,
  updateField,
} from '../suite/fields.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'

/** Id and name of each field, in whatever order; of the run's own the id, since a list may be late with their names. */
const orderless = (t: Check, json: unknown) =>
  listedIn(json)
    .map((record) => ({ id: idOf(record, 'field'), name: String(record.name ?? record.label) }))
    .map(({ id, name }) => `${id} ${name.includes(t.run.tag) ? '' : name}`)
    .toSorted()
    .join()

export const customFieldLists = group({ rank: 170, level: 'should', safety: 'read' }, [
  {
    id: 'custom-fields.sorted',
    section: '4.2',
    statement: 'An ordering of the list leaves no field out, adds none, and leaves each its name.',
    operations: ['listCustomFields'],
    async check(t, operation) {
      const before = await listFields(t)
      if (before.status !== 200 || listedIn(before.json).length === 0)
        t.skip('the list shows no ids of fields')
      const queries = ['name', 'id', 'type'].flatMap((name) => [
        `sort_by=${name}`,
        `sort_by=${name}&sort_order=asc`,
        `sort_by=${name}&sort_order=desc`,
      ])
      for (const query of queries) {
        const sorted = await t.send({ operation, query })
        // Where the option stands, and what it may be, is not shown.
        if (sorted.status !== 200 || isPaged(sorted.json) || isPaged(before.json)) continue
        if (orderless(t, sorted.json) === orderless(t, before.json)) {
          t.verify(true, '', sorted)
          continue
        }
        // Somebody else may have made or deleted one meanwhile.
        const differs = async () => {
          const again = [await listFields(t), await t.send({ operation, query }), await listFields(t)]
          const [plain, second, plainAgain] = again.map(({ json }) => orderless(t, json))
          if (plain !== plainAgain) t.inconclusive('the list changes while it is read')
          return second === plain ? null : true
        }
        const wrong = await lasting(t, differs)
        t.verify(wrong === null, `the list with ${query} has other fields than the one without`, sorted)
      }
    },
  },

  {
    id: 'custom-fields.listed-once',
    section: '4.2',
    statement: 'The list has no field twice.',
    operations: ['listCustomFields'],
    async check(t) {
      const listed = await listFields(t)
      // One may belong to several groups.
      const lists = fieldLists(listed.json).map((list) => list.map((record) => JSON.stringify(record)))
      if (listed.status !== 200 || lists.flat().length === 0) t.skip('the list shows no ids of fields')
      const twice = lists.flatMap((list) => list.filter((one, index) => list.indexOf(one) !== index))[0]
      t.verify(twice === undefined, `the list has twice ${twice?.slice(0, 80)}`, listed)
    },
  },

  {
    id: 'custom-fields.type',
    section: '2.5',
    statement:
      'Fields of two types that the create page offers are shown with two types, and one that is given another type with that.',
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    async check(t) {
      const type = t.need('customField.type')
      const page = await t.send({ operation: 'getCustomFieldCreatePage' })
      const others = otherTypes(page.json, type)
      if (others.length === 0) t.skip('the create page does not show the type of the profile among others')
      const first = await typeOfNew(t, type)
      for (const other of others) {
        const second = await typeOfNew(t, other)
        // It may need values to choose from, and the like.
        if (first === null || second === null) continue
        t.verify(
          first.shown !== second.shown,
          `fields of the types ${type} and ${other} are both shown with ${second.shown}`,
          second.listed,
          'createCustomField',
        )
        await expectTypeChanged(t, { type, shown: first.shown }, { type: other, shown: second.shown })
        return
      }
    },
  },
])

/** A few of the types in the list where this one stands, written as it is. */
function otherTypes(page: unknown, type: string): string[] {
  for (const place of pointersTo(page, (value) => value === type)) {
    const [, list, member] = /^(.*)\/\d+(\/\w+)?$/.exec(place) ?? []
    const items = list === undefined ? undefined : valueAt(page, list)
    if (list === undefined || !Array.isArray(items) || !/types?$/i.test(list)) continue
    const texts = items.map((_, index) => valueAt(page, `${list}/${index}${member ?? ''}`))
    return texts.filter((text): text is string => typeof text === 'string' && text !== type).slice(0, 3)
  }
  return []
}

/** What the list shows as the type of a field that was created with it; null where that is not to be seen. */
async function typeOfNew(t: Check, type: string) {
  const body = t.run.own.fieldBody({ type })
  const { field } = await createField(t, body)
  const listed = await listFields(t)
  const [record] = recordsWith(listed.json, body.custom_field.name)
  await deleteField(t, field)
  return record?.type === undefined ? null : { shown: JSON.stringify(record.type), listed }
}

/** What is answered 200 has been done; whether the type of a field may change is not shown. */
async function expectTypeChanged(t: Check, from: ShownType, to: ShownType): Promise<void> {
  if (from.shown === to.shown) return
  const { custom_field } = t.run.own.fieldBody({ type: from.type })
  const { field } = await createField(t, { custom_field })
  if (field === null) return
  const answer = await updateField(t, field.id, { custom_field: { ...custom_field, type: to.type } })
  const listed = await listFields(t)
  const [record] = recordsWith(listed.json, custom_field.name)
  const kept = answer.status === 200 && JSON.stringify(record?.type) === from.shown
  const message = `a field that was given the type ${to.type} with 200 is still shown with ${from.shown}`
  t.verify(!kept, message, listed, 'updateCustomField')
}

interface ShownType {
  readonly type: string
  readonly shown: string
}
