/** Sections 2 and 7: each member of a body with JSON of another type. Whether it is refused stays open, with which status does not. */

import { isObject } from '../../client/look.js'
import { documentedStatuses, type OperationId } from '../../contract/index.js'
import { requirementOf, type Variant } from '../../suite/engine.js'
import { group } from '../../suite/requirement.js'
import { needProven, type Subject } from '../../suite/subjects.js'
import type { Check } from '../../suite/types.js'
import { type Schema, schemaOf } from './bodies.js'

type JsonObject = Record<string, unknown>

interface Member {
  /** From the body inwards. */
  readonly names: readonly string[]
  readonly type: string | undefined
}

/** The members of a body as section 2 has them; those of a member that is an object, in its place. */
function membersOf(operation: OperationId): Member[] {
  const walk = ({ type, properties }: Schema, names: readonly string[]): Member[] =>
    properties
      ? Object.entries(properties).flatMap(([name, member]) => walk(member, [...names, name]))
      : [{ names, type }]
  const members = walk(schemaOf(operation), [])
  // Whoever is protected may be kept from what follows.
  const isProtection = ({ names }: Member) => names[0] === 'protected'
  return [...members.filter((one) => !isProtection(one)), ...members.filter(isProtection)]
}

/** The body with another value in one place. */
function putInto(body: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = (body[name] ?? {}) as JsonObject
  return { ...body, [name]: rest.length > 0 ? putInto(inner, rest, value) : value }
}

const valueIn = (body: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], body)

/** A list of what would be right, so that little is made of it that could be something else; or a text for a list. */
function wrongValue(t: Check, { names, type }: Member, body: JsonObject): unknown {
  if (type === 'array') return `${t.run.tag}list`
  const plain = { boolean: true, integer: t.profile.accessLevel ?? 1 }[type ?? '']
  return [valueIn(body, names) ?? plain ?? t.run.own.name()]
}

/** Where one of the run's own is changed that nobody else uses: it may not be found by its name afterwards. */
async function ownPath(t: Check, operation: OperationId): Promise<Pick<Variant['call'], 'path'>> {
  if (operation === 'updateCustomField') return { path: { field_id: (await t.run.own.field()).id } }
  if (operation !== 'updateUser') return {}
  const { id, username } = await t.run.own.user()
  return { path: { user_id: id ?? username } }
}

/** The rest of the body, another one for each creation. */
function plainBody(t: Check, { operation, call }: Subject, [first]: readonly string[]): JsonObject {
  // Whoever gets a name that is not known cannot be closed afterwards.
  if (operation === 'createUser') return t.run.own.userBody(first === 'username' ? { enabled: false } : {})
  if (operation === 'createCustomField') return t.run.own.fieldBody()
  return operation === 'updateUser' || operation === 'updateCustomField' ? {} : (call.body as JsonObject)
}

const kindOf = (value: unknown) =>
  Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'a text' : 'an object'

async function mistyped(subject: Subject, t: Check): Promise<readonly Variant[]> {
  const { operation } = subject
  const path = await ownPath(t, operation)
  const variants = membersOf(operation).flatMap((member) => {
    const plain = plainBody(t, subject, member.names)
    const wrong = [
      wrongValue(t, member, plain),
      ...(operation === 'updateUser' ? [{ unexpected: true }] : []),
    ]
    return wrong.map((value, index) => ({
      what: `${member.names.join('.')} as ${kindOf(value)}`,
      call: { ...path, body: putInto(plain, member.names, value) },
      ...(index > 0 && { rare: true as const }),
    }))
  })
  const whole = operation === 'updatePlugin' ? [['kit'], 'kit'] : []
  return [...variants, ...whole.map((body) => ({ what: `the body as ${kindOf(body)}`, call: { body } }))]
}

/** A setting in one of the usual forms with another value, and afterwards as it was. */
function mistypedSettings(t: Check): readonly Variant[] {
  const settings = t.need('settings')
  const [element] = settings
  const names = isObject(element) ? Object.keys(element) : []
  const key = names.includes('value') ? 'value' : names.length === 1 ? names[0] : undefined
  if (!isObject(element) || key === undefined)
    return t.skip("the profile's settings do not show where an element has its value")
  const wrong = [[element[key]], null].map((value) => [{ ...element, [key]: value }])
  const kinds = [
    'a setting whose value is a list',
    'a setting whose value is null',
    'the settings as they are',
  ]
  return [...wrong, settings].map((body, index) => ({ what: kinds[index] as string, call: { body } }))
}

export const memberTypes = group({ rank: 320 }, [
  requirementOf({
    id: 'input.types',
    level: 'must',
    section: '7',
    statement:
      'Of whatever JSON type a member of a body is, the answer has a status that the document lists.',
    operations: [
      'createUser',
      'updateUser',
      'addUserToProjects',
      'createCustomField',
      'updateCustomField',
      'manageColumns',
      'updatePlugin',
      'updateSettings',
    ],
    safety: 'write',
    allowed: documentedStatuses,
    async change(subject, t) {
      const { operation } = subject
      await needProven(t, subject)
      if (operation.endsWith('CustomField') && !(await t.run.own.canFollowFields()))
        t.skip('no field of its own can be found in answers')
      return operation === 'updateSettings' ? mistypedSettings(t) : mistyped(subject, t)
    },
  }),
])
