/** Section 1: one JSON text has many spellings. Each is judged against the plain one, so that what else may be wrong is left aside. */

import type { OperationId } from '../contract/index.js'
import { deleteField, listFields } from '../suite/fields.js'
import type { OwnUser } from '../suite/own.js'
import { requirement } from '../suite/requirement.js'
import { keepingColumns, keepingSetting, needDestructive, pluginBody, withPlugin } from '../suite/shared.js'
import type { Check, Run } from '../suite/types.js'
import type { Answer } from '../target/call.js'
import { isPaged, mentions } from '../target/look.js'

interface Spelled {
  readonly path?: Record<string, string | number>
  /** Another one each time, where a second of the same kind may be refused. */
  body(): unknown
  /** The one text to write in escapes, where another that is misread would leave what the run does not find again. */
  text?(body: unknown): string
  /** Takes care of what was made or changed; `how` it was spelled, for a verdict on what it became, null for the plain one. */
  done?(body: unknown, answer: Answer, how: string | null): Promise<void>
}

const spellings: readonly (readonly [how: string, spell: (body: unknown, only?: string) => string])[] = [
  ['indented', (body) => `\n${JSON.stringify(body, null, 2)}\n`],
  ['with its texts in escapes', inEscapes],
]

/** With each character of its texts, or of `only` this one, as JSON writes one by its number. */
function inEscapes(body: unknown, only?: string): string {
  return JSON.stringify(body).replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => {
    const text = JSON.parse(quoted) as string
    if (only !== undefined && text !== only) return quoted
    const units = text.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    return `"${units.join('')}"`
  })
}

async function asPlain(t: Check, operation: OperationId, { path, body, text, done }: Spelled): Promise<void> {
  const call = { operation, ...(path ? { path } : {}) }
  // Assigning the same project once more may be refused.
  for (const [how, spell] of operation === 'addUserToProjects' ? spellings.slice(0, 1) : spellings) {
    const first = body()
    const answer = await t.send({ ...call, body: first, rawBody: spell(first, text?.(first)) })
    if (answer.status !== 200) {
      const second = body()
      const plain = await t.send({ ...call, body: second })
      if (plain.status !== 200) t.inconclusive(`the plain body is answered ${plain.status}`)
      await done?.(second, plain, null)
    }
    if (t.expect(answer, 200, `a valid body ${how}`)) await done?.(first, answer, how)
  }
}

/** Changed here alone. */
const users = new WeakMap<Run, Promise<OwnUser>>()

async function userPath(t: Check): Promise<{ user_id: string }> {
  const user = users.get(t.run) ?? t.run.own.user()
  users.set(t.run, user)
  return { user_id: (await user).username }
}

type UserBody = ReturnType<Check['run']['own']['userBody']>

const nameIn = (body: unknown) => (body as ReturnType<Check['run']['own']['fieldBody']>).custom_field.name

const requests: Partial<
  Record<OperationId, (t: Check, ask: (how: Spelled) => Promise<void>) => Promise<void>>
> = {
  createUser: (t, ask) =>
    ask({
      body: () => t.run.own.userBody(),
      text: (body) => (body as UserBody).username,
      async done(body, answer, how) {
        const { username } = await t.run.own.adoptUser(body as UserBody, answer)
        if (how === null) return
        const found = await t.send({ operation: 'getUser', path: { user_id: username } })
        t.expect(found, 200, `reading a user made by a body ${how}`, 'createUser')
      },
    }),
  async updateUser(t, ask) {
    const path = await userPath(t)
    const body = () => ({ realname: `Kit Person ${t.run.own.name()}` })
    const shows = async ({ realname }: ReturnType<typeof body>) =>
      mentions((await t.send({ operation: 'getUser', path })).json, realname)
    const plain = body()
    await t.send({ operation: 'updateUser', path, body: plain })
    const visible = await shows(plain)
    await ask({
      path,
      body,
      async done(sent, answer, how) {
        if (how === null || !visible) return
        const shown = await shows(sent as typeof plain)
        t.verify(shown, `a real name is shown, and not one of a body ${how}`, answer)
      },
    })
  },
  async addUserToProjects(t, ask) {
    const body = { project_ids: t.need('projects').slice(0, 1), access_level: t.need('projectAccessLevel') }
    await ask({ path: await userPath(t), body: () => body })
  },
  async createCustomField(t, ask) {
    if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
    await ask({
      body: () => t.run.own.fieldBody(),
      text: nameIn,
      async done(body, answer, how) {
        const field = await t.run.own.adoptField(nameIn(body), answer)
        // Another with a plain name was found, unless it is on another page of the list.
        if (how !== null && field === null && !isPaged((await listFields(t)).json))
          t.verify(false, `a field made by a body ${how} is not found by its name`, answer)
        await deleteField(t, field)
      },
    })
  },
  async updateCustomField(t, ask) {
    const { id } = await t.run.own.sharedField()
    const body = { custom_field: { display_report: true } }
    await ask({ path: { field_id: id }, body: () => body })
    if (!(await t.run.own.canFollowFields())) return
    let field = await t.run.own.field()
    const path = { field_id: field.id }
    const shows = async (name: string) =>
      mentions((await t.send({ operation: 'getCustomFieldUpdatePage', path })).json, name)
    const visible = field.name !== null && (await shows(field.name))
    await ask({
      path,
      body: () => t.run.own.fieldBody(),
      text: nameIn,
      async done(renaming, answer, how) {
        const name = nameIn(renaming)
        field = t.run.own.fieldRenamed(field, name)
        if (how === null || !visible) return
        t.verify(
          await shows(name),
          `the update page shows the name of a field, and not one of a body ${how}`,
          answer,
        )
      },
    })
  },
  async updateUserSettings(t, ask) {
    needDestructive(t)
    await keepingSetting(t, (setting) => ask({ body: () => ({ configs: [setting] }) }))
  },
  async manageColumns(t, ask) {
    needDestructive(t)
    await keepingColumns(t, (columns, reference) => ask({ body: () => ({ ...reference, columns }) }))
  },
  async updatePlugin(t, ask) {
    needDestructive(t)
    let flag = false
    const body = () => {
      // What is so already may not be asked for.
      flag = !flag
      return pluginBody(t, { protected: flag })
    }
    await withPlugin(t, (plugin_name) => ask({ path: { plugin_name }, body }))
  },
  async updateSettings(t, ask) {
    needDestructive(t)
    const settings = t.need('settings')
    await ask({ body: () => settings })
  },
}

export const spelling = [
  requirement({
    id: 'body.spelling',
    level: 'must',
    section: '1',
    statement:
      'A body is read as JSON: indented, or with its texts in escapes, it does what it does without.',
    // The own password has no further change to spare.
    operations: Object.keys(requests) as OperationId[],
    safety: 'write',
    each: true,
    async check(t, operation) {
      await requests[operation]?.(t, (how) => asPlain(t, operation, how))
    },
  }),
]
