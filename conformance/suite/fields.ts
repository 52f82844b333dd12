/** Custom fields as checks make and list them. */

import { setTimeout as delay } from 'node:timers/promises'
import { idOf, isObject, pointersTo, valueAt } from '../client/look.js'
import { perRun } from './once.js'
import type { Check, OwnField } from './types.js'

/** Creates a field by this body; `field` is null where it was refused, or is not to be found. */
export async function createField(t: Check, body: { custom_field: { name: string } }) {
  const answer = await t.send({ operation: 'createCustomField', body })
  const field = answer.status === 200 ? await t.run.own.adoptField(body.custom_field.name, answer) : null
  return { answer, field }
}

/** Makes room for the next one, where that can be done. */
export async function deleteField(t: Check, field: OwnField | null): Promise<void> {
  if (field === null) return
  const path = { field_id: field.id }
  const { status } = await t.send({ operation: 'deleteCustomField', path })
  if (status === 200) t.run.own.fieldDeleted(field)
}

export const listFields = (t: Check) => t.send({ operation: 'listCustomFields' })

export const fieldPage = (t: Check, field_id: number) =>
  t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id } })

export const updateField = (t: Check, field_id: number, body: object) =>
  t.send({ operation: 'updateCustomField', path: { field_id }, body })

/** Body of a definition, linked to a project where the profile has any: the list holds what is visible to the caller. */
export function linkedBody(t: Check, overrides: object = {}) {
  const projects = t.profile.projects?.slice(0, 1)
  return { ...t.run.own.fieldBody(overrides), ...(projects && { projects }) }
}

/** A new field under the run's own name; skips where answers do not tell which one it is. */
export async function namedField(t: Check, overrides: object = {}) {
  t.need('customField.type')
  const { custom_field } = t.run.own.fieldBody(overrides)
  const { answer, field } = await createField(t, { custom_field })
  if (answer.status !== 200) t.skip(`a creation is answered ${answer.status}`)
  if (field === null) return t.skip('no field of its own can be found in answers')
  return { field, name: custom_field.name }
}

/** Whether a list was wrong for long enough, so that none is asked for twice any more. */
const judged = perRun(() => ({ isLasting: false }))
const LATE_MS = 1000

/** What `look` finds wrong with a list, and finds a second later too: when a change shows in a list is not said. */
export async function lasting<T>(t: Check, look: () => Promise<T | null>): Promise<T | null> {
  const first = await look()
  if (first === null || judged(t.run).isLasting) return first
  await delay(LATE_MS)
  const second = await look()
  if (second !== null) judged(t.run).isLasting = true
  return second
}

type FieldRecord = Readonly<Record<string, unknown>>

const isField = (record: FieldRecord) =>
  idOf(record, 'field') !== null &&
  Object.keys(record).some((name) => /type|kind|possible|default|display/i.test(name))

/** The lists of fields that an answer is made of, rather than those in a record, each in its order. */
export function fieldLists(json: unknown): FieldRecord[][] {
  const lists = pointersTo(json, Array.isArray).filter((at) => !/\/\d+(\/|$)/.test(at))
  return lists.map((at) => (valueAt(json, at) as readonly unknown[]).filter(isObject).filter(isField))
}

export const listedIn = (json: unknown): FieldRecord[] => fieldLists(json).flat()
