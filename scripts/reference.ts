/** Tables of the documents: commands, flags and exit codes from the program's own help, and others from the code. */

import { z } from 'zod'
import { fieldsIn } from '../conformance/client/profile.js'
import { operations, profileSchema } from '../conformance/contract/index.js'
import { burdens } from '../conformance/report/plan.js'
import { table } from '../conformance/report/words.js'
import { faultSchema } from '../emulator/arrange/faults.js'
import { controlRoutes } from '../emulator/http/routes.js'
import { createTracker } from '../emulator/index.js'
import { inspectorRoutes } from '../emulator/inspector/routes.js'
import { fieldTypes } from '../emulator/state/field-types.js'
import { levelName } from '../emulator/state/levels.js'
import { run } from '../fixtures/program.js'

const tables: Readonly<Record<string, () => string | Promise<string>>> = {
  commands,
  'exit codes': async () =>
    table(['exit code', 'meaning'], rowsOf(await help('--help'), /^ {2}(\d+) +(.+)$/gm)),
  'control plane': async () =>
    table(['request', 'body or query', 'what it does or answers'], await controlRows()),
  burden: () =>
    table(
      ['safety', 'requests of a run', 'disabled users that it leaves'],
      burdens.map(({ safety, requests, disabled }) => [
        `\`${safety}\``,
        `about ${requests}`,
        disabled === 0 ? 'none' : `about ${disabled}`,
      ]),
    ),
  faults: () => table(['field', 'meaning'], describedIn(faultSchema)),
  operations: () => table(['id', 'request', 'body'], operationRows()),
  profile: () => table(['field', 'meaning'], describedIn(profileSchema)),
  state: async () => table(['', '', 'token'], await stateRows()),
}

const MARKED = /<!-- ([a-z ]+): made by npm run readme -->\n.*?<!-- end -->/gs

/** A document with updated tables. Throws on a mark that names no table. */
export async function withTables(text: string): Promise<string> {
  let whole = text
  for (const [marked, name = ''] of text.matchAll(MARKED)) {
    const make = tables[name]
    if (!make) throw new Error(`No table is called "${name}", only ${Object.keys(tables).join(', ')}`)
    const made = await make()
    whole = whole.replace(marked, () => `<!-- ${name}: made by npm run readme -->\n\n${made}\n\n<!-- end -->`)
  }
  return whole
}

async function commands(): Promise<string> {
  const parts: string[] = []
  for (const [name = '', about = ''] of rowsOf(await help('--help'), /^ {2}([a-z]+) +(.+)$/gm)) {
    const text = await help(name, '--help')
    const usage = /^Usage: (.+)$/m.exec(text)?.[1] ?? ''
    const flags = rowsOf(text, /^ {2}(--[\w-]+(?: \S+)?) {2,}(.+)$/gm).filter(([flag]) => flag !== '--help')
    const meanings = flags.map(([flag, meaning]) => [`\`${flag}\``, meaning])
    parts.push(`### ${name}\n\n\`${usage}\`: ${about}\n\n${table(['flag', 'meaning'], meanings)}`)
  }
  return parts.join('\n\n')
}

const rowsOf = (text: string, row: RegExp) =>
  [...text.matchAll(row)].map(([, left = '', right = '']) => [left, right] as const)

const help = async (...argv: string[]) => (await run(...argv)).out

type Rows = readonly (readonly string[])[]

const code = (text: string) => `\`${text}\``

/** Each operation, with the members of its body and their types. */
const operationRows = (): Rows =>
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
  readonly properties?: Readonly<Record<string, unknown>> | undefined
}

const membersOf = ({ properties = {} }: Shape): readonly string[] =>
  Object.entries(properties).map(([name, value]) => `${name}: ${typeOf(value as Shape)}`)

function typeOf(shape: Shape): string {
  if (shape.anyOf) return shape.anyOf.map((one) => typeOf(one as Shape)).join(' or ')
  if (shape.type === 'array') return `${typeOf(shape.items as Shape)}[]`
  return shape.properties ? `{ ${membersOf(shape).join(', ')} }` : String(shape.type ?? 'any')
}

/** Each route of the control plane except those that only the page uses. */
async function controlRows(): Promise<Rows> {
  const unrun = () => Promise.reject(new Error('The reference runs no suite'))
  const routes = [...controlRoutes, ...inspectorRoutes(await createTracker(), unrun)]
  return routes.flatMap(({ route, takes, meaning }) =>
    meaning === null ? [] : [[code(route.replace(' ', ' /__tracker/')), takes, meaning]],
  )
}

/** Each field of a fault or a profile that has a description. */
function describedIn(schema: z.ZodType): Rows {
  const fields = fieldsIn(z.toJSONSchema(schema, { io: 'input' }))
  return fields.flatMap(([path, { description }]) => (description ? [[code(path), description]] : []))
}

/** The users and other records of the starting state. */
async function stateRows(): Promise<Rows> {
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
