/** The custom fields that a run makes for itself. */

import type { Answer } from '../client/call.js'
import { idAround } from '../client/look.js'
import { isDone, type Maker, oneAtATime } from './own-maker.js'
import { Skip } from './verdicts.js'

export interface OwnField {
  readonly id: number
  /** Null for a disposable field of the profile. */
  readonly name: string | null
}

export type FieldBody = { custom_field: Record<string, unknown> & { name: string } }

const choices = { possible_values: 'Kit one|Kit two' }

export function createOwnFields({ client, ledger, given, name, created, entryOf, refused }: Maker) {
  const { proofs } = client.guard
  let sharedField: OwnField | null = null
  let mayLackField = false
  let opaque = false
  /** Whether a field must have possible values; null until a creation was answered. */
  let hasChoices: boolean | null = null
  const givenAway = new Set<number>()
  const disposable = () => (given().customField?.ids ?? []).filter((id) => !givenAway.has(id))

  function fieldBody(overrides: object = {}): FieldBody {
    const { type, nameLimit } = given().customField ?? {}
    // The end is what tells names apart.
    return {
      custom_field: {
        name: name().slice(-(nameLimit ?? 0)),
        ...(hasChoices ? choices : {}),
        ...(type === undefined ? {} : { type }),
        ...overrides,
      },
    }
  }

  /** Null where no answer tells which field it is. One that is told and not proven is for reads alone; the guard sees to that. */
  async function adoptField(fieldName: string, answer: Answer): Promise<OwnField | null> {
    const entry = entryOf('customField', fieldName)
    if (entry === undefined) return null
    const told = idAround(answer.json, fieldName, 'field')
    // Where one that was told has been proven, the next one is when it is to be changed.
    const isFollowed = ledger.known.some(({ kind, id }) => kind === 'customField' && id !== null)
    const proven = told?.sure && isFollowed ? null : await proofs.adopt(entry, answer)
    if (told?.sure) return { id: told.id, name: fieldName }
    const id = proven ?? (await proofs.adopt(entry, await client.send({ operation: 'listCustomFields' })))
    return id === null ? null : { id, name: fieldName }
  }

  async function newField(): Promise<OwnField | null> {
    if (given().customField?.type === undefined || opaque) return null
    const body = fieldBody()
    const create = (of = body) => client.send({ operation: 'createCustomField', body: of })
    let answer = await create()
    if (hasChoices === null && answer.status === 400) {
      Object.assign(body.custom_field, choices)
      answer = await create()
      hasChoices = isDone(answer)
    }
    hasChoices ??= false
    if (!isDone(answer) && created.has('createCustomField'))
      await refused(answer, true, async () => (await create(fieldBody())).status)
    const field = isDone(answer) ? await adoptField(body.custom_field.name, answer) : null
    if (isDone(answer)) created.add('createCustomField')
    // One that cannot be found cannot be removed either, so there shall not be more of them.
    const isProven = ledger.known.some(({ kind, id }) => kind === 'customField' && id !== null)
    opaque = isDone(answer) && (field === null || !isProven)
    return field
  }

  const makeSharedField = oneAtATime(newField)

  function fromProfile(id: number | undefined): OwnField {
    if (id !== undefined && !client.allows('destructive'))
      throw new Skip(
        'needs --safety destructive: no field of its own can be found, and customField.ids are given away',
      )
    if (id === undefined)
      throw new Skip(
        'no field of its own can be found in answers, and the profile has no customField.ids left',
      )
    return { id, name: null }
  }

  return {
    fieldBody,
    adoptField,
    /** Before a check that creates fields by itself: what the type of the profile must have. */
    async learnFields() {
      if (hasChoices !== null || !client.allows('write')) return
      try {
        sharedField ??= await makeSharedField()
      } catch (error) {
        if (!(error instanceof Skip)) throw error
      }
      hasChoices ??= false
    },
    /** A field to be deleted: a new one, or one of the profile's disposable ones. */
    async field(): Promise<OwnField> {
      const own = await newField()
      if (own !== null) return own
      const { id } = fromProfile(disposable()[0])
      givenAway.add(id)
      return { id, name: null }
    },
    /** Whether answers tell which field was made, so that it can be used and removed. */
    async canFollowFields() {
      if (given().customField?.type === undefined) return false
      sharedField ??= await makeSharedField()
      return sharedField !== null && sharedField.name !== null && !opaque
    },
    /** A field that checks share because they do not delete it. */
    async sharedField() {
      sharedField ??= (await makeSharedField()) ?? fromProfile(disposable().at(-1))
      return sharedField
    },
    fieldRenamed: (field: OwnField, newName: string): OwnField =>
      field.name === null ? field : { ...field, name: newName },
    fieldDeleted(field: OwnField) {
      if (field.id === sharedField?.id) sharedField = null
    },
    /** Whoever asked for it. One that was refused may have been carried out all the same. */
    deletionAnswered(id: number, status: number) {
      if (id !== sharedField?.id) return
      if (isDone({ status })) sharedField = null
      else mayLackField = true
    },
    /** Whether a deletion of the shared field was refused since it was last seen. */
    mayLackField: () => mayLackField,
    /** Looks for the shared field. Where it is not there any more, the next check makes another one. */
    async lacksField() {
      const lost = sharedField
      mayLackField = false
      if (lost === null) return false
      const page = { operation: 'getCustomFieldUpdatePage', path: { field_id: lost.id } } as const
      const isGone = (await client.send(page)).status === 404
      if (isGone && lost.name === null) givenAway.add(lost.id)
      if (isGone) sharedField = null
      return isGone
    },
    isSharedField: (one: string) => one === sharedField?.name,
    forgetField() {
      sharedField = null
    },
  }
}
