/** Custom fields as checks make and list them. */
import type { Check } from './check.js'
import { idOf, isObject, pointersTo, valueAt } from './look.js'
import type { OwnField } from './own.js'

/** Creates a field by this body; `field` is null where it was refused, or is not to be found. */
export async function createField(t: Check, body: { custom_field: { name: string } }) {
  const answer = await t.send({ operation: 'createCustomField', body, effect: 'write' })
  const field = answer.status === 200 ? await t.run.own.adoptField(body.custom_field.name, answer) : null
  return { answer, field }
}

/** Makes room for the next one, where that can be done. */
export async function deleteField(t: Check, field: OwnField | null): Promise<void> {
  if (field === null) return
  const path = { field_id: field.id }
  const { status } = await t.send({ operation: 'deleteCustomField', path, effect: 'write' })
  if (status === 200) t.run.own.fieldDeleted(field)
}

export const listFields = (t: Check) => t.send({ operation: 'listCustomFields' })

type FieldRecord = Readonly<Record<string, unknown>>

const isField = (record: FieldRecord) =>
  idOf(record, 'field') !== null && Object.keys(record).some((name) => /type/i.test(name))

/** The lists of fields that an answer is made of, rather than those in a record, each in its order. */
export function fieldLists(json: unknown): FieldRecord[][] {
  const lists = pointersTo(json, Array.isArray).filter((at) => !/\/\d+(\/|$)/.test(at))
  return lists.map((at) => (valueAt(json, at) as readonly unknown[]).filter(isObject).filter(isField))
}

export const listedIn = (json: unknown): FieldRecord[] => fieldLists(json).flat()
