/** Section 7: requests that are well-formed and out of the ordinary get a documented status, whichever it is. */

import { documentedStatuses, type OperationId } from '../contract/index.js'
import { existingUser, missing } from '../suite/existing.js'
import { requirement } from '../suite/requirement.js'
import { keepingColumns, needDestructive, pluginBody, withPlugin } from '../suite/shared.js'
import type { Check, OwnUser, Run } from '../suite/types.js'
import type { Answer } from '../target/call.js'
import { columnLists, isObject, mentions } from '../target/look.js'
import { updatePlugin } from '../target/plugins.js'

type Odd = (t: Check, operation: OperationId) => Promise<void>

/** Which of the documented statuses it is may depend on what the document leaves open. */
const documented = (t: Check, answer: Answer, what: string) => t.expect(answer, documentedStatuses, what)

const long = (t: Check, length: number) => t.run.own.name().padEnd(length, 'z')

/** Made with such a body, and in the care of the run where that was accepted. */
async function creating(t: Check, what: string, overrides: object): Promise<void> {
  const body = t.run.own.userBody(overrides)
  const answer = await t.send({ operation: 'createUser', body })
  documented(t, answer, `creating a user with ${what}`)
  if (answer.status === 200) await t.run.own.adoptUser(body, answer)
}

/** Shared by all checks of a run, since users cannot be deleted. */
const oddUsers = new WeakMap<Run, Promise<readonly [disabled: OwnUser, shielded: OwnUser]>>()

async function makeOddUsers(t: Check): Promise<readonly [OwnUser, OwnUser]> {
  const disabled = await t.run.own.user({ enabled: false })
  // Disabled as well, since one that stays protected could not be closed any more.
  return [disabled, await t.run.own.user({ enabled: false, protected: true })]
}

/** The operation on a user that is disabled, and on one that is protected too. */
async function onOddUsers(t: Check, operation: OperationId, body?: object): Promise<void> {
  const users = oddUsers.get(t.run) ?? makeOddUsers(t)
  oddUsers.set(t.run, users)
  const [disabled, shielded] = await users
  const ask = (user: OwnUser) =>
    t.send({ operation, path: { user_id: user.username }, ...(body ? { body } : {}) })
  documented(t, await ask(disabled), 'a user that is disabled')
  documented(t, await ask(shielded), 'a user that is disabled and protected')
}

async function field(t: Check, operation: OperationId, what: string, custom_field: object): Promise<void> {
  const own = operation === 'updateCustomField' ? await t.run.own.field() : null
  const path = own ? { path: { field_id: own.id } } : {}
  const answer = await t.send({ operation, ...path, body: { custom_field } })
  documented(t, answer, `${what} of a field`)
  const { name } = custom_field as { name?: unknown }
  if (answer.status !== 200 || typeof name !== 'string') return
  if (own) t.run.own.fieldRenamed(own, name)
  else await t.run.own.adoptField(name, answer)
}

const fields: Odd = async (t, operation) => {
  const { custom_field } = t.run.own.fieldBody()
  const { name } = await t.run.own.field()
  if (name !== null) await field(t, operation, 'the name of another field', { ...custom_field, name })
  await field(t, operation, 'a name beyond ASCII', {
    ...custom_field,
    name: `${t.run.own.name()} Größe 名前`,
  })
  await field(t, operation, 'a name with an emoji', { ...custom_field, name: `${t.run.own.name()} 😀` })
  await field(t, operation, 'a type that is none', { ...custom_field, type: `${t.run.tag}-type` })
  const shared = operation === 'updateCustomField' ? { field_id: (await t.run.own.sharedField()).id } : null
  const body = shared ? { custom_field: { display_report: true } } : t.run.own.fieldBody()
  const answer = await t.send({
    operation,
    ...(shared && { path: shared }),
    body: { ...body, projects: [String(missing.id(t))] },
  })
  documented(t, answer, 'a project that is not there')
  if (shared === null) {
    const { name } = body.custom_field as { name: string }
    if (answer.status === 200) await t.run.own.adoptField(name, answer)
    return
  }
  const path = shared
  for (const body of [{}, { custom_field: {} }])
    documented(t, await t.send({ operation, path, body }), `the body ${JSON.stringify(body)}`)
}

const odd: Partial<Record<OperationId, Odd>> = {
  async createUser(t) {
    const { email } = await t.run.own.sharedUser()
    await creating(t, "another user's e-mail address", { email })
    await creating(t, 'a real name of null', { realname: null })
    await creating(t, 'a real name of 5,000 characters', { realname: 'k'.repeat(5000) })
    await creating(t, 'a username of 300 characters', { username: long(t, 300) })
    await creating(t, 'a password of 2,000 characters', { password: 'Kit-7f3a!'.repeat(222) })
    const invalid = t.profile.password?.invalid
    if (invalid !== undefined) await creating(t, 'a password that the rules forbid', { password: invalid })
    await creating(t, 'an access level that is none', { access_level: 987_654_321 })
  },
  async updateUser(t, operation) {
    const { email } = await t.run.own.sharedUser()
    const { id, username } = await t.run.own.user()
    const path = { user_id: username }
    const domain = t.profile.emailDomain ?? 'example.org'
    for (const [what, body] of [
      ['no field at all', {}],
      ['an access level beyond 32 bits', { access_level: 3_000_000_000 }],
      ['an e-mail address of hundreds of characters', { email: `${'k'.repeat(400)}@${domain}` }],
      ["another user's e-mail address", { email }],
      ['a real name of null', { realname: null }],
      ['an access level that is none', { access_level: 987_654_321 }],
      ['a negative access level', { access_level: -5 }],
      ['a password of another user', { password: t.run.own.password }],
    ] as const)
      documented(t, await t.send({ operation, path, body }), `updating a user with ${what}`)
    if (id !== null) {
      const blank = await t.send({ operation, path, body: { username: '' } })
      documented(t, blank, 'updating a user with an empty username')
      const back = { operation, path: { user_id: id }, body: { username } } as const
      if (blank.status === 200) await t.send(back)
    }
    await onOddUsers(t, operation, { realname: `Kit Person of ${t.run.tag}` })
  },
  getUser: (t, operation) => onOddUsers(t, operation),
  getUserEditPage: (t, operation) => onOddUsers(t, operation),
  async addUserToProjects(t, operation) {
    const access_level = t.need('projectAccessLevel')
    const { username } = await existingUser(t)
    const add = (body: object) =>
      t.send({ operation, path: { user_id: username }, body: { access_level, ...body } })
    documented(t, await add({ project_ids: [String(missing.id(t))] }), 'a project that is not there')
    documented(t, await add({ project_ids: [] }), 'no project at all')
    const [first = ''] = t.need('projects')
    const twice = { project_ids: [first, first], access_level }
    const path = { user_id: (await t.run.own.user()).username }
    documented(t, await t.send({ operation, path, body: twice }), 'one project twice')
    await onOddUsers(t, operation, { project_ids: t.need('projects').slice(0, 1), access_level })
  },
  async resetUser(t, operation) {
    needDestructive(t)
    await onOddUsers(t, operation)
    const path = { user_id: (await t.run.own.user()).username }
    const body = { password: t.run.own.password }
    documented(t, await t.send({ operation, path, body }), 'a replacement password')
  },
  createCustomField: fields,
  updateCustomField: fields,
  async manageColumns(t, operation) {
    needDestructive(t)
    await keepingColumns(t, async (columns, reference) => {
      const send = (body: object) => t.send({ operation, body: { ...reference, ...body } })
      const shown = async () => JSON.stringify(columnLists((await send({})).json))
      await send({ columns })
      const before = await shown()
      const { project } = reference
      for (const [what, body] of [
        ['a type that is none', { type: `${t.run.tag}-type` }],
        ['a project that is not there', { project: { id: String(missing.id(t)) } }],
        ['columns that are no list', { columns: 'id' }],
        ['a column that is a number', { columns: [7] }],
        ['no column in the list', { columns: [] }],
        ['a column that stands twice', { columns: [...columns, ...columns.slice(0, 1)] }],
        ['a project that is a text', { project: isObject(project) ? String(project.id) : project }],
        ['a column that is none', { columns: [...columns].reverse().concat(`${t.run.tag}_column`) }],
      ] as const) {
        const answer = await send(body)
        documented(t, answer, what)
        const kept = answer.status === 200 || (await shown()) === before
        t.verify(kept, `columns with ${what} were refused, and have been saved`, answer)
        if (answer.status === 200) await send({ columns })
      }
    })
  },
  async updatePlugin(t, operation) {
    needDestructive(t)
    await withPlugin(t, async (plugin_name) => {
      for (const [what, overrides] of [
        ['a priority that is text', { priority: 'high' }],
        ['a priority between two', { priority: 2.5 }],
        ['a priority that is a list', { priority: [1] }],
        ['a protection that is text', { protected: 'perhaps' }],
        ['a protection of null', { protected: null }],
      ] as const) {
        const body = pluginBody(t, overrides)
        documented(t, await t.send({ operation, path: { plugin_name }, body }), what)
      }
      const empty = { operation, path: { plugin_name }, body: {} } as const
      documented(t, await t.send(empty), 'no member at all')
      await t.send({ operation, path: { plugin_name }, body: pluginBody(t) })
    })
  },
  async installPlugin(t, operation) {
    needDestructive(t)
    await withPlugin(t, async (plugin_name) => {
      const again = await t.send({ operation, path: { plugin_name } })
      documented(t, again, 'a plugin that is installed')
    })
  },
  async uninstallPlugin(t, operation) {
    needDestructive(t)
    await withPlugin(t, async (plugin_name) => {
      const path = { plugin_name }
      await updatePlugin(t, plugin_name, { protected: true })
      documented(t, await t.send({ operation, path }), 'a plugin that is protected')
      await updatePlugin(t, plugin_name)
    })
    const gone = await t.send({
      operation,
      path: { plugin_name: t.need('plugin').name },
    })
    documented(t, gone, 'a plugin that is not installed')
  },
}

export const oddRequests = [
  requirement({
    id: 'input.out-of-the-ordinary',
    level: 'must',
    section: '7',
    statement:
      'What is taken, null, disabled, protected, not there or already done is answered with a status that the document lists, and what is refused of it is not saved.',
    operations: Object.keys(odd) as OperationId[],
    safety: 'write',
    each: true,
    async check(t, operation) {
      await odd[operation]?.(t, operation)
    },
  }),

  requirement({
    id: 'input.long-username',
    level: 'should',
    section: '2.1',
    statement: 'A user that was created with a long name is addressed by it.',
    operations: ['getUser', 'createUser'],
    safety: 'write',
    async check(t, operation) {
      const body = t.run.own.userBody({ username: t.run.own.username(long(t, 40)) })
      const answer = await t.send({ operation: 'createUser', body })
      if (answer.status !== 200) t.skip(`a username of 40 characters is answered ${answer.status}`)
      await t.run.own.adoptUser(body, answer)
      // What is stored may be shorter than what was given.
      if (!mentions(answer.json, body.username)) t.skip('the answer does not show the name that was stored')
      const found = await t.send({ operation, path: { user_id: body.username } })
      t.expect(found, 200, 'reading a user by the username of 40 characters that it was created with')
    },
  }),
]
