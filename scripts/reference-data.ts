/** The parts of the contract and of the starting state that the documents contain. */
import { z } from 'zod'
import { fieldsIn } from '../conformance/client/profile.js'
import { operations, profileSchema } from '../conformance/contract/index.js'
import { faultSchema } from '../emulator/arrange/faults.js'
import { controlRoutes } from '../emulator/http/routes.js'
import { createTracker } from '../emulator/index.js'
import { inspectorRoutes } from '../emulator/inspector/routes.js'
import { fieldTypes } from '../emulator/state/field-types.js'
import { levelName } from '../emulator/state/levels.js'

export type Rows = readonly (readonly string[])[]

const code = (text: string) => `\`${text}\``

/** Each operation, with the members of its body and their types. */
export const operationRows = (): Rows =>
  operations.map(({ id, method, path, body }) => [
    code(id),
    code(`${method} ${path}`),
    body === undefined ? '' : bodyOf(id, body),
  ])

function bodyOf(id: string, body: z.ZodType): string {
  const first = operations.find((one) => one.body === body)
  if (first !== undefined && first.id !== id) return `as ${code(first.id)}`
  const schema = z.toJSONSchema(body) as Shape
  return schema.type === 'array' ? code('[…]') : membersOf(schema).map(code).join(', ')
}

interface Shape {
  readonly type?: unknown
  readonly items?: unknown
  readonly anyOf?: readonly unknown[]
  readonly description?: string | undefined
  readonly properties?: Readonly<Record<string, unknown>> | undefined
}

const membersOf = ({ properties = {} }: Shape): readonly string[] =>
  Object.entries(properties).map(([name, value]) => `${name}: ${typeOf(value as Shape)}`)

function typeOf(shape: Shape): string {
  if (shape.anyOf) return shape.anyOf.map((one) => typeOf(one as Shape)).join(' or ')
  if (shape.type === 'array') return `${typeOf(shape.items as Shape)}[]`
  return shape.properties ? `{ ${membersOf(shape).join(', ')} }` : String(shape.type ?? 'any')
}

/** Each field of a fault. */
export const faultRows = (): Rows =>
  Object.entries((z.toJSONSchema(faultSchema) as Shape).properties ?? {}).map(([name, field]) => [
    code(name),
    (field as Shape).description ?? '',
  ])

/** Each route of the control plane except those that only the page uses. */
export async function controlRows(): Promise<Rows> {
  const unrun = () => Promise.reject(new Error('The reference runs no suite'))
  const routes = [...controlRoutes, ...inspectorRoutes(await createTracker(), unrun)]
  return routes.flatMap(({ route, takes, meaning }) =>
    meaning === null ? [] : [[code(route.replace(' ', ' /__tracker/')), takes, meaning]],
  )
}

/** Each field of a profile that has a description. */
export function profileRows(): Rows {
  const fields = fieldsIn(z.toJSONSchema(profileSchema, { io: 'input' }))
  return fields.flatMap(([path, { description }]) => (description ? [[code(path), description]] : []))
}

/** The users and other records of the starting state. */
export async function stateRows(): Promise<Rows> {
  const tracker = await createTracker()
  const state = tracker.snapshot()
  const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name).join(', ')
  const tokenOf = (username: string) =>
    Object.entries(tracker.tokens)
      .filter(([, secret]) => tracker.db.tokens.find('secret', secret)?.user_id === idOf(username))
      .map(([name]) => code(`tokens.${name}`))
      .join(', ')
  const idOf = (username: string) => state.users.find((user) => user.username === username)?.id
  const users = state.users.map(({ id, username, access_level, enabled, protected: shared }) => {
    const about = [code(username), levelName(access_level), !enabled && 'disabled', shared && 'protected']
    return [`user ${id}`, about.filter(Boolean).join(', '), tokenOf(username)]
  })
  const fields = `${names(state.customFields.slice(0, 4))} and ${state.customFields.length - 4} more`
  const plugins = state.plugins.map(({ basename, installed }) =>
    installed ? basename : `${basename} (not installed)`,
  )
  return [
    ...users,
    ['projects', state.projects.map(({ id, name }) => `${name} (${id})`).join(', '), ''],
    ['custom fields', fields, ''],
    ['plugins', plugins.join(', '), ''],
    ['custom-field types', fieldTypes.join(', '), ''],
    ['helpdesk recipients', `${state.recipients.length}, with ids from ${state.recipients[0]?.id}`, ''],
  ]
}
