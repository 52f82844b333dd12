/** Sections 2 and 7: each member of a body with JSON of another type. Whether it is refused stays open, with which status does not. */
import { z } from 'zod'
import { operation as contractOf, documentedStatuses, type OperationId, SUCCESS } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { existingUser } from '../suite/requests.js'
import { requirement } from '../suite/requirement.js'
import { keepingColumns, needDestructive, pluginBody, withPlugin } from '../suite/shared.js'
import type { Answer } from '../target/call.js'
import { recordsWith } from '../target/look.js'

type JsonObject = Record<string, unknown>

interface Schema {
  readonly type?: string
  readonly properties?: Record<string, Schema>
}

interface Member {
  /** From the body inwards. */
  readonly names: readonly string[]
  readonly type: string | undefined
}

/** The members of a body as section 2 has them; those of a member that is an object, in its place. */
function membersOf(operation: OperationId): Member[] {
  const { body } = contractOf(operation)
  const walk = ({ type, properties }: Schema, names: readonly string[]): Member[] =>
    properties
      ? Object.entries(properties).flatMap(([name, member]) => walk(member, [...names, name]))
      : [{ names, type }]
  return body ? walk(z.toJSONSchema(body, { io: 'input' }) as Schema, []) : []
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

function judge(t: Check, answer: Answer, what: string, value: unknown): boolean {
  const kind = Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'a text' : 'an object'
  t.expect(answer, documentedStatuses, `${what} as ${kind}`)
  return answer.status >= 200 && answer.status < 300
}

async function creatingUsers(t: Check, operation: OperationId): Promise<void> {
  for (const member of membersOf(operation)) {
    const [name = ''] = member.names
    // Whoever gets a name that is not known cannot be closed afterwards.
    const plain = t.run.own.userBody(name === 'username' ? { enabled: false } : {})
    const value = wrongValue(t, member, plain)
    const answer = await t.send({ operation, body: { ...plain, [name]: value } })
    if (!judge(t, answer, name, value)) continue
    const stored = recordsWith(answer.json, plain.email).map((record) => record.username)
    const [username = plain.username] = stored.filter((one) => typeof one === 'string')
    await t.run.own.adoptUser({ ...plain, username }, answer)
    if (name === 'protected') await lift(t, username)
  }
}

const lift = (t: Check, user_id: string | number) =>
  t.send({ operation: 'updateUser', path: { user_id }, body: { protected: false } })

async function updatingUsers(t: Check, operation: OperationId): Promise<void> {
  const { username, id } = await t.run.own.user()
  const path = { user_id: id ?? username }
  const update = (body: object) => t.send({ operation, path, body })
  for (const member of membersOf(operation)) {
    const [name = ''] = member.names
    // It would not be found again under another name.
    if (name === 'username' && id === null) continue
    for (const value of [wrongValue(t, member, {}), { unexpected: true }]) {
      if (!judge(t, await update({ [name]: value }), name, value)) continue
      if (name === 'protected') await lift(t, path.user_id)
      if (name === 'username' && (await update({ username })).status !== SUCCESS)
        await update({ enabled: false })
    }
  }
}

async function fields(t: Check, operation: OperationId): Promise<void> {
  t.need('customField.type')
  if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
  const creates = operation === 'createCustomField'
  const own = creates ? null : await t.run.own.field()
  const path = own ? { path: { field_id: own.id } } : {}
  for (const member of membersOf(operation)) {
    const plain = creates ? t.run.own.fieldBody() : { custom_field: {} }
    const value = wrongValue(t, member, plain)
    const body = putInto(plain, member.names, value)
    const what = member.names.join('.')
    const { name } = plain.custom_field as { name?: string }
    const answer = await t.send({ operation, ...path, body })
    if (judge(t, answer, what, value) && name !== undefined) await t.run.own.adoptField(name, answer)
  }
}

const types: Partial<Record<OperationId, (t: Check, operation: OperationId) => Promise<void>>> = {
  createUser: creatingUsers,
  updateUser: updatingUsers,
  async addUserToProjects(t, operation) {
    const { username } = await existingUser(t)
    const body = {
      project_ids: t.need('projects').slice(0, 1),
      access_level: t.need('projectAccessLevel'),
    }
    for (const member of membersOf(operation)) {
      const value = wrongValue(t, member, body)
      const wrong = putInto(body, member.names, value)
      const answer = await t.send({ operation, path: { user_id: username }, body: wrong })
      judge(t, answer, member.names.join('.'), value)
    }
  },
  createCustomField: fields,
  updateCustomField: fields,
  async manageColumns(t, operation) {
    needDestructive(t)
    await keepingColumns(t, async (columns, reference) => {
      const body = { ...reference, columns }
      for (const member of membersOf(operation)) {
        const value = wrongValue(t, member, body)
        const wrong = putInto(body, member.names, value)
        const answer = await t.send({ operation, body: wrong })
        judge(t, answer, member.names.join('.'), value)
      }
    })
  },
  async updatePlugin(t, operation) {
    needDestructive(t)
    await withPlugin(t, async (plugin_name) => {
      const send = (body: unknown) => t.send({ operation, path: { plugin_name }, body })
      const plain = pluginBody(t) as JsonObject
      for (const member of membersOf(operation)) {
        const value = wrongValue(t, member, plain)
        judge(t, await send(putInto(plain, member.names, value)), member.names.join('.'), value)
      }
      for (const value of [['kit'], 'kit']) judge(t, await send(value), 'the body', value)
      await send(plain)
    })
  },
  async updateSettings(t, operation) {
    needDestructive(t)
    const settings = t.need('settings')
    const send = (body: unknown) => t.send({ operation, body })
    for (const wrong of [wrapped(settings[0], (value) => [value]), wrapped(settings[0], () => null)]) {
      if (wrong === null) return t.skip("the profile's settings do not show where an element has its value")
      t.expect(await send([wrong]), documentedStatuses, `the setting ${JSON.stringify(wrong)}`)
    }
    await send(settings)
  },
}

/** A setting in one of the usual forms with another value; null where it is in none of them. */
function wrapped(element: unknown, change: (value: unknown) => unknown): object | null {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return null
  const entries = Object.entries(element)
  const key = 'value' in element ? 'value' : entries.length === 1 ? entries[0]?.[0] : undefined
  return key === undefined ? null : { ...element, [key]: change((element as JsonObject)[key]) }
}

export const memberTypes = [
  requirement({
    id: 'input.types',
    level: 'must',
    section: '7',
    statement:
      'Of whatever JSON type a member of a body is, the answer has a status that the document lists.',
    operations: Object.keys(types) as OperationId[],
    safety: 'write',
    each: true,
    async check(t, operation) {
      await types[operation]?.(t, operation)
    },
  }),
]
