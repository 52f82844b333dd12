/** Sections 5 and 7: what was refused has not been done. */
import type { OperationId } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { usernameOf } from '../suite/identity.js'
import { requirement } from '../suite/requirement.js'
import { keepingColumns, keepingSetting, needDestructive, pluginBody, withPlugin } from '../suite/shared.js'
import type { Answer, Call } from '../target/call.js'
import { columnLists, mentions, projectLists, recordsWith, settingIn } from '../target/look.js'
import { uninstallPlugin, updatePlugin } from '../target/plugins.js'
import { UNKNOWN_TOKEN } from './differences/credentials.js'
import { changePassword, stillCurrent } from './password.js'

/** Sends a request in a way that must be refused. */
type Ask = (call: Call) => Promise<Answer>

/** For each operation: a request that would leave a trace, and the look for that trace. */
const traces: Partial<Record<OperationId, (t: Check, ask: Ask) => Promise<void>>> = {
  async createUser(t, ask) {
    const operation = 'createUser'
    const body = t.run.own.userBody()
    await refused(t, ask, { operation, body })
    const found = await t.send({ operation: 'getUser', path: { user_id: body.username } })
    t.expect(found, 404, 'reading a user whose creation was refused', operation)
  },

  async updateUser(t, ask) {
    const operation = 'updateUser'
    const { username } = await t.run.own.otherUser()
    const path = { user_id: username }
    await refused(t, ask, { operation, path, body: { username: t.run.own.username() } })
    const found = await t.send({ operation: 'getUser', path })
    t.expect(found, 200, 'reading a user under the name whose change was refused', operation)
  },

  async resetUser(t, ask) {
    const operation = 'resetUser'
    needDestructive(t)
    t.need('passwordAccount')
    const username = t.profile.tokens.password ? await usernameOf(t, 'password') : null
    if (username === null) return t.skip('the account page does not show the name of the password account')
    // Only where it can be changed before does it say something that it cannot be changed afterwards.
    await stillCurrent(t, operation)
    const before = t.run.passwordAccount
    if (before === null) return t.inconclusive("the password account's token or password was lost on the way")
    await refused(t, ask, { operation, path: { user_id: username } })
    const there = await changePassword(t, before.current, before.next)
    if (there.status !== 200) t.run.passwordAccount = null
    else await changePassword(t, before.next, before.current)
    // A limit on changes is a 400.
    t.verify(there.status !== 403, 'the password is gone after a reset that was refused', there, operation)
  },

  async createCustomField(t, ask) {
    const operation = 'createCustomField'
    t.need('customField.type')
    const body = t.run.own.fieldBody()
    await refused(t, ask, { operation, body })
    const listed = await t.send({ operation: 'listCustomFields' })
    const shown = mentions(listed.json, body.custom_field.name)
    t.verify(!shown, 'the list shows a field whose creation was refused', listed, operation)
  },

  async updateCustomField(t, ask) {
    const operation = 'updateCustomField'
    const field = await t.run.own.sharedField()
    const body = t.run.own.fieldBody()
    const path = { field_id: field.id }
    await refused(t, ask, { operation, path, body })
    const page = await t.send({ operation: 'getCustomFieldUpdatePage', path })
    const shown = mentions(page.json, body.custom_field.name)
    t.verify(!shown, 'the update page shows a name whose change was refused', page, operation)
  },

  async deleteCustomField(t, ask) {
    const operation = 'deleteCustomField'
    const field = await t.run.own.field()
    const path = { field_id: field.id }
    await refused(t, ask, { operation, path })
    const twin = await t.send({ operation, path })
    t.expect(twin, 200, 'deleting, as administrator, a field whose deletion was refused before')
    if (twin.status === 200) t.run.own.fieldDeleted(field)
  },

  async deleteHelpdeskRecipient(t, ask) {
    const operation = 'deleteHelpdeskRecipient'
    needDestructive(t)
    const path = { recipient_id: t.run.own.recipient() }
    await refused(t, ask, { operation, path })
    const twin = await t.send({ operation, path })
    t.expect(twin, 200, 'deleting, as administrator, a recipient whose deletion was refused before')
  },

  async updatePlugin(t, ask) {
    const operation = 'updatePlugin'
    needDestructive(t)
    const { min, max } = t.need('plugin.priority')
    await withPlugin(t, async (plugin_name) => {
      const path = { plugin_name }
      await updatePlugin(t, path.plugin_name)
      await refused(t, ask, { operation, path, body: pluginBody(t, { priority: max }) })
      const listed = await t.send({ operation: 'listPlugins' })
      const shown = recordsWith(listed.json, plugin_name).map(({ priority }) => priority)
      const changed = max !== min && shown.includes(max)
      t.verify(!changed, 'the list shows a priority whose change was refused', listed, operation)
    })
  },

  async manageColumns(t, ask) {
    const operation = 'manageColumns'
    needDestructive(t)
    await keepingColumns(t, async (columns, reference) => {
      const read = () => t.send({ operation, body: reference })
      const before = columnLists((await read()).json)
      await refused(t, ask, { operation, body: { ...reference, columns: [...columns].reverse() } })
      const after = await read()
      const kept = JSON.stringify(columnLists(after.json)) === JSON.stringify(before)
      t.verify(kept, 'a read shows columns whose change was refused', after, operation)
    })
  },

  async updateUserSettings(t, ask) {
    const operation = 'updateUserSettings'
    needDestructive(t)
    await keepingSetting(t, async (setting, before) => {
      await refused(t, ask, { operation, body: { configs: [setting] } })
      const page = await t.send({ operation: 'getUserSettingsPage' })
      const shown = settingIn(page.json, setting.option)
      t.verify(shown === before, 'the settings page shows a value whose change was refused', page, operation)
    })
  },

  async addUserToProjects(t, ask) {
    const operation = 'addUserToProjects'
    const body = { project_ids: t.need('projects'), access_level: t.need('projectAccessLevel') }
    const { username } = await t.run.own.otherUser()
    const page = () => t.send({ operation: 'getUserEditPage', path: { user_id: username } })
    const before = await page()
    await refused(t, ask, { operation, path: { user_id: username }, body })
    const after = await page()
    const lists = (answer: Answer) =>
      JSON.stringify([...projectLists(answer.json)].map(([at, ids]) => [at, [...ids]]))
    t.verify(
      lists(before) === lists(after),
      'the edit page shows projects to which adding the user was refused',
      after,
      operation,
    )
  },

  async installPlugin(t, ask) {
    const operation = 'installPlugin'
    needDestructive(t)
    const path = { plugin_name: t.need('plugin').name }
    await refused(t, ask, { operation, path })
    // Only what is installed can be updated.
    const use = await updatePlugin(t, path.plugin_name)
    t.expect(use, [400, 404], 'updating a plugin whose installation was refused', operation)
    if (use.status === 200) await uninstallPlugin(t, path.plugin_name)
  },

  async uninstallPlugin(t, ask) {
    const operation = 'uninstallPlugin'
    needDestructive(t)
    const path = { plugin_name: t.need('plugin').name }
    const installed = await t.send({ operation: 'installPlugin', path })
    if (installed.status !== 200) t.inconclusive(`the plugin could not be installed: ${installed.status}`)
    try {
      await refused(t, ask, { operation, path })
      t.expect(
        await updatePlugin(t, path.plugin_name),
        200,
        'updating a plugin whose removal was refused',
        operation,
      )
    } finally {
      await uninstallPlugin(t, path.plugin_name)
    }
  },
}

const operations = Object.keys(traces) as OperationId[]
/** Open to every user for its own things. */
const ownThings: readonly OperationId[] = ['manageColumns', 'updateUserSettings']

/** Whether such a request is refused at all is for other requirements to say. */
async function refused(t: Check, ask: Ask, call: Call): Promise<void> {
  const { status } = await ask(call)
  if (status < 400) t.inconclusive(`the request was not refused but answered ${status}`)
}

export const refusals = [
  requirement({
    id: 'refusal.unauthenticated-changes-nothing',
    level: 'must',
    section: '5',
    statement: 'What was refused for want of authentication has not been done.',
    // Changes of a password may be few in a day, so one of the two requirements is enough for it.
    operations: operations.filter((operation) => operation !== 'resetUser'),
    safety: 'write',
    each: true,
    async check(t, operation) {
      for (const authorization of [null, `Bearer ${UNKNOWN_TOKEN}`])
        await traces[operation]?.(t, (call) => t.send({ ...call, authorization }))
    },
  }),

  requirement({
    id: 'refusal.forbidden-changes-nothing',
    level: 'must',
    section: '5',
    statement: 'What a user without permission was refused has not been done.',
    operations: operations.filter((operation) => !ownThings.includes(operation)),
    safety: 'write',
    each: true,
    async check(t, operation) {
      t.need('tokens.restricted')
      await traces[operation]?.(t, (call) => t.send({ ...call, as: 'restricted' }))
    },
  }),
]
