/** What the documents repeat of the contract and of the starting state. */
import { z } from 'zod'
import { operations, profileSchema } from '../conformance/contract/index.js'
import { createTracker } from '../emulator/index.js'
import { levelName } from '../emulator/state/levels.js'

export type Rows = readonly (readonly string[])[]

const code = (text: string) => `\`${text}\``

/** Each operation, with the members of its body. */
export const operationRows = (): Rows =>
  operations.map(({ id, method, path, body }) => [
    code(id),
    code(`${method} ${path}`),
    body === undefined ? '' : membersOf(z.toJSONSchema(body)).map(code).join(', '),
  ])

interface Shape {
  readonly type?: unknown
  readonly description?: string | undefined
  readonly properties?: Readonly<Record<string, unknown>> | undefined
}

function membersOf(schema: Shape): readonly string[] {
  if (schema.type === 'array') return ['[…]']
  return Object.entries(schema.properties ?? {}).map(([name, value]) => {
    const { properties } = value as Shape
    return properties === undefined ? name : `${name}: { ${Object.keys(properties).join(', ')} }`
  })
}

/** Each field of a profile that says what it is for. */
export function profileRows(): Rows {
  const rows: string[][] = []
  const visit = (path: string, { description, properties = {} }: Shape) => {
    if (description !== undefined) rows.push([code(path), description])
    for (const [name, value] of Object.entries(properties))
      visit(path === '' ? name : `${path}.${name}`, value as Shape)
  }
  visit('', z.toJSONSchema(profileSchema, { io: 'input' }) as Shape)
  return rows
}

/** Who is there at the start, and what else. */
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
  const users = state.users.map(({ id, username, access_level, enabled, protected: shared }) => [
    `user ${id}`,
    [
      code(username),
      levelName(access_level),
      ...(enabled ? [] : ['disabled']),
      ...(shared ? ['protected'] : []),
    ].join(', '),
    tokenOf(username),
  ])
  return [
    ...users,
    ['projects', state.projects.map(({ id, name }) => `${name} (${id})`).join(', '), ''],
    [
      'custom fields',
      `${names(state.customFields.slice(0, 4))} and ${state.customFields.length - 4} more`,
      '',
    ],
    [
      'plugins',
      state.plugins
        .map(({ basename, installed }) => (installed ? basename : `${basename} (not installed)`))
        .join(', '),
      '',
    ],
    ['helpdesk recipients', `${state.recipients.length}, with ids from ${state.recipients[0]?.id}`, ''],
  ]
}
