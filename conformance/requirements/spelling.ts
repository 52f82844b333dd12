/** Section 1: one JSON text has many spellings. Each is judged against the plain one, so that what else may be wrong is left aside. */
import type { OperationId, Safety } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import type { OwnUser } from '../suite/own.js'
import { requirement } from '../suite/requirement.js'
import type { Run } from '../suite/run.js'
import { keepingColumns, keepingSetting, needDestructive, pluginBody, withPlugin } from '../suite/shared.js'
import type { Answer } from '../target/client.js'

interface Spelled {
  readonly path?: Record<string, string | number>
  readonly effect: Safety
  /** Another one each time, where a second of the same kind may be refused. */
  body(): unknown
  /** Takes what was made into the care of the run. */
  made?(body: unknown, answer: Answer): Promise<void>
}

const spellings: readonly (readonly [how: string, spell: (body: unknown) => string])[] = [
  ['indented', (body) => `\n${JSON.stringify(body, null, 2)}\n`],
  ['with its texts in escapes', (body) => JSON.stringify(body).replace(/"(?:[^"\\]|\\.)*"/g, escaped)],
]

/** Each ASCII letter as a Unicode escape. */
function escaped(text: string): string {
  const letters = [...(JSON.parse(text) as string)].map((letter) =>
    /[a-z]/i.test(letter) ? `\\u00${letter.charCodeAt(0).toString(16)}` : JSON.stringify(letter).slice(1, -1),
  )
  return `"${letters.join('')}"`
}

/** What takes such a text for other letters would make things that the run does not find again, or not twice. */
const indentedOnly: readonly OperationId[] = ['createUser', 'createCustomField', 'addUserToProjects']

async function asPlain(
  t: Check,
  operation: OperationId,
  { path, effect, body, made }: Spelled,
): Promise<void> {
  const call = { operation, ...(path ? { path } : {}), effect }
  for (const [how, spell] of indentedOnly.includes(operation) ? spellings.slice(0, 1) : spellings) {
    const first = body()
    const answer = await t.send({ ...call, body: first, rawBody: spell(first) })
    if (answer.status === 200) await made?.(first, answer)
    else {
      const second = body()
      const plain = await t.send({ ...call, body: second })
      if (plain.status !== 200) t.inconclusive(`the plain body is answered ${plain.status}`)
      await made?.(second, plain)
    }
    t.expect(answer, 200, `a valid body ${how}`)
  }
}

/** Changed here alone. */
const users = new WeakMap<Run, Promise<OwnUser>>()

async function userPath(t: Check): Promise<{ user_id: string }> {
  const user = users.get(t.run) ?? t.run.own.user()
  users.set(t.run, user)
  return { user_id: (await user).username }
}

const requests: Partial<
  Record<OperationId, (t: Check, ask: (how: Spelled) => Promise<void>) => Promise<void>>
> = {
  createUser: (t, ask) =>
    ask({
      effect: 'write',
      body: () => t.run.own.userBody(),
      async made(body, answer) {
        await t.run.own.adoptUser(body as ReturnType<typeof t.run.own.userBody>, answer)
      },
    }),
  updateUser: async (t, ask) =>
    ask({
      path: await userPath(t),
      effect: 'write',
      body: () => ({ realname: `Kit Person ${t.run.own.name()}` }),
    }),
  async addUserToProjects(t, ask) {
    const body = { project_ids: t.need('projects').slice(0, 1), access_level: t.need('projectAccessLevel') }
    await ask({ path: await userPath(t), effect: 'write', body: () => body })
  },
  async createCustomField(t, ask) {
    if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
    await ask({
      effect: 'write',
      body: () => t.run.own.fieldBody(),
      async made(body, answer) {
        const { name } = (body as ReturnType<typeof t.run.own.fieldBody>).custom_field
        const field = await t.run.own.adoptField(name, answer)
        if (field === null) return
        const path = { field_id: field.id }
        const gone = await t.send({ operation: 'deleteCustomField', path, effect: 'write' })
        if (gone.status === 200) t.run.own.fieldDeleted(field)
      },
    })
  },
  async updateCustomField(t, ask) {
    const { id } = await t.run.own.sharedField()
    const body = { custom_field: { display_report: true } }
    await ask({ path: { field_id: id }, effect: 'write', body: () => body })
  },
  async updateUserSettings(t, ask) {
    needDestructive(t)
    await keepingSetting(t, (setting) => ask({ effect: 'destructive', body: () => ({ configs: [setting] }) }))
  },
  async manageColumns(t, ask) {
    needDestructive(t)
    await keepingColumns(t, (columns, reference) =>
      ask({ effect: 'destructive', body: () => ({ ...reference, columns }) }),
    )
  },
  async updatePlugin(t, ask) {
    needDestructive(t)
    await withPlugin(t, (plugin_name) =>
      ask({ path: { plugin_name }, effect: 'destructive', body: () => pluginBody(t) }),
    )
  },
  async updateSettings(t, ask) {
    needDestructive(t)
    const settings = t.need('settings')
    await ask({ effect: 'destructive', body: () => settings })
  },
}

export const spelling = [
  requirement({
    id: 'body.spelling',
    level: 'must',
    section: '1',
    statement:
      'A body is read as JSON: indented, or with its texts in escapes, it is answered as it is without.',
    // The own password has no further change to spare.
    operations: Object.keys(requests) as OperationId[],
    safety: 'write',
    each: true,
    async check(t, operation) {
      await requests[operation]?.(t, (how) => asPlain(t, operation, how))
    },
  }),
]
