/** Section 4.2: where the list is put in an order that was asked for, it is in that order. */

import type { Answer } from '../client/call.js'
import { idOf } from '../client/look.js'
import { createField, fieldLists, listFields } from '../suite/fields.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'

type Key = string | number
type FieldLists = ReturnType<typeof fieldLists>

/** Without those of fields that are gone, or may not be listed as others are. */
const listsWith = (json: unknown, name: string) =>
  fieldLists(json).filter((list) => list.some((record) => Object.values(record).includes(name)))

const idsOf = (lists: FieldLists) =>
  lists.map((list) => list.flatMap((record) => idOf(record, 'field') ?? []))

/** The run's own names alone: how others compare, with capitals and marks, is not shown. */
const ownNamesOf = (t: Check, lists: FieldLists) =>
  lists.map((list) =>
    list
      .map((record) => record.name)
      .filter((name): name is string => typeof name === 'string' && name.startsWith(t.run.tag))
      .filter((name) => /^[a-z]+$/.test(name)),
  )

const rises = (keys: readonly Key[]) => keys.every((key, at) => at === 0 || (keys[at - 1] as Key) <= key)
/** Which way it goes without an order is not shown. */
const isOrdered = (keys: readonly Key[]) => rises(keys) || rises(keys.toReversed())

export const customFieldOrder = group({ rank: 410 }, [
  {
    id: 'custom-fields.sort-order',
    level: 'should',
    section: '4.2',
    statement: 'A list that `sort_by` puts in the order of ids or of names is in that order.',
    operations: ['listCustomFields'],
    safety: 'write',
    async check(t, operation) {
      if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
      // In the order of their names they are in none of the orders in which they are made.
      const [first, second, third] = [t.run.own.fieldBody(), t.run.own.fieldBody(), t.run.own.fieldBody()]
      for (const body of [second, third, first]) await createField(t, body)
      const { name: made } = second.custom_field
      const plain = await listFields(t)
      const unknown = await t.send({ operation, query: `sort_by=${t.run.tag}` })
      let judged = false
      for (const [by, keysOf] of [
        ['id', idsOf],
        ['name', (lists: FieldLists) => ownNamesOf(t, lists)],
      ] as const) {
        const sorted = await t.send({ operation, query: `sort_by=${by}` })
        if (!isHonoured(sorted, plain, unknown)) continue
        judged = true
        const wrong = keysOf(listsWith(sorted.json, made)).find((keys) => !isOrdered(keys as Key[]))
        t.verify(wrong === undefined, `sort_by=${by} gives the order ${wrong?.slice(-12).join(', ')}`, sorted)
      }
      if (!judged) t.skip('the list is in the same order whatever the query asks for')
    },
  },
])

/** Whether the query is where the option stands, and this a value of it: another than a made-up one, or refused less. */
function isHonoured(sorted: Answer, plain: Answer, unknown: Answer): boolean {
  if (sorted.status !== 200 || plain.status !== 200) return false
  const order = ({ json }: Answer) => JSON.stringify(idsOf(fieldLists(json)))
  return unknown.status === 200 ? order(sorted) !== order(unknown) : unknown.status === 400
}
