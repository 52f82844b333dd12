/** Reads, and requests that must be refused: none of them changes a tracker. */
import { operation as contractOf, type OperationId, operations } from '../../../contract/index.js'
import { NO_ID, NO_NAME } from '../../../oracle/names.js'
import type { Request, Scenario, Script } from '../script.js'
import { NO_WORD, plainBody, withBody } from './bodies.js'

const pages = operations
  .filter(({ method, parameters }) => method === 'GET' && parameters.length === 0)
  .map(({ id }) => id)

/** For each parameter of an operation, a name or id that nothing has. */
export function nowhere(s: Script, id: OperationId): Record<string, string> {
  const name = `${NO_NAME}_${s.name()}`
  const all = { user_id: name, field_id: NO_ID, recipient_id: NO_ID, plugin_name: name }
  return Object.fromEntries(contractOf(id).parameters.map(({ name }) => [name, all[name]]))
}

/** Further names and ids that nothing has. */
const addresses = {
  user_id: ['0', '-1', '987654321'],
  field_id: ['abc', '0', '-1'],
  recipient_id: ['abc', '0', '-1'],
  plugin_name: [],
}

const wrongBodies: Partial<Record<OperationId, unknown>> = {
  updateUser: { realname: 17 },
  addUserToProjects: { project_ids: 17 },
  updateCustomField: { custom_field: { name: 17 } },
}

/** One operation of each kind: reads and writes of users, fields and plugins. */
const tellingOfOthers = new Set<OperationId>([
  ...(['getUser', 'getUserEditPage', 'updateUser', 'addUserToProjects', 'resetUser'] as const),
  ...(['updateCustomField', 'getCustomFieldUpdatePage', 'updatePlugin', 'installPlugin'] as const),
])

/** Sends what an ordinary user may not do, to the user, field and plugin of the profile and to the own account. */
async function forbidden(s: Script, as: 'restricted'): Promise<void> {
  const { user, customField, plugin, settings = [] } = s.profile
  const ask = (op: OperationId, request: Request = {}) => s.send(op, { as, ...request })
  for (const op of ['createUser', 'createCustomField'] as const) {
    await ask(op, withBody(s, op))
    await ask(op, { rawBody: '{' })
    if (s.thorough) await ask(op, { body: {} })
  }
  for (const body of [settings, {}]) await ask('updateSettings', { body })
  if (user) {
    const path = { user_id: user.username }
    await ask('getUser', { path: { user_id: String(user.id) } })
    for (const op of ['getUser', 'updateUser', 'impersonateUser', 'resetUser', 'getUserEditPage'] as const)
      await ask(op, { path, ...withBody(s, op) })
    await ask('updateUser', { path, body: { email: 'none' } })
    if (s.profile.projects) {
      const body = plainBody(s, 'addUserToProjects') as object
      for (const one of [body, { ...body, access_level: NO_WORD }, {}])
        await ask('addUserToProjects', { path, body: one })
    }
  }
  const own = s.names.restricted
  if (own !== undefined) {
    const path = { user_id: own }
    for (const op of ['getUser', 'getUserEditPage'] as const) await ask(op, { path })
    // The level is not an administrator's, because with that a tracker may remove the user's own levels in projects.
    for (const body of [{ access_level: 55 }, { enabled: true, protected: false }])
      await ask('updateUser', { path, body })
  }
  const [id] = customField?.ids ?? []
  if (id !== undefined)
    for (const op of ['updateCustomField', 'deleteCustomField', 'getCustomFieldUpdatePage'] as const)
      await ask(op, { path: { field_id: String(id) }, ...withBody(s, op) })
  if (plugin)
    for (const op of s.few(1, ['installPlugin', 'uninstallPlugin', 'updatePlugin'] as const))
      await ask(op, { path: { plugin_name: plugin.name }, ...withBody(s, op) })
}

export const reading: readonly Scenario[] = [
  {
    id: 'credentials',
    safety: 'read',
    async run(s) {
      const mixed = operations.toSorted((a, b) => (a.number % 3) - (b.number % 3))
      for (const { id } of s.few(3, mixed)) {
        const authorization = s.pick([null, 'Bearer not-a-token'])
        await s.send(id, { path: nowhere(s, id), authorization, ...withBody(s, id) })
      }
      const token = s.profile.tokens.administrator
      for (const authorization of s.few(3, [
        ...[`bearer ${token}`, token, `Bearer  ${token}`, `Bearer wrong, Bearer ${token}`, `Basic ${token}`],
      ]))
        await s.send('getAccountPage', { authorization })
      await s.send('createUser', { authorization: null, rawBody: '{' })
      await s.send('listPlugins', { suffix: '/' })
      await s.send('getAccountPage', { suffix: `/${s.name()}` })
      await s.send('getAccountPage', { suffix: `/${s.name()}`, authorization: null })
    },
  },
  {
    id: 'pages',
    safety: 'read',
    async run(s) {
      for (const id of pages) await s.send(id)
      if (s.profile.tokens.disabled) await s.send('getAccountPage', { as: 'disabled' })
      for (const as of s.few(1, ['restricted', 'password'] as const))
        if (s.profile.tokens[as]) for (const id of pages) await s.send(id, { as })
    },
  },
  {
    id: 'nowhere',
    safety: 'read',
    async run(s) {
      for (const { id, parameters } of operations) {
        const [parameter] = parameters
        if (!parameter) continue
        const request = () => ({ path: nowhere(s, id), ...withBody(s, id) })
        await s.send(id, request())
        // Shows which of two faults the answer reports: the thing does not exist, and the body is invalid.
        if (id in wrongBodies && (s.thorough || id !== 'updateCustomField'))
          await s.send(id, { path: nowhere(s, id), body: wrongBodies[id] })
        const isUser = parameter.name === 'user_id'
        const few = !isUser ? 2 : id === 'getUser' ? 2 : id === 'updateUser' || id === 'resetUser' ? 1 : 0
        for (const value of s.few(few, addresses[parameter.name]))
          await s.send(id, { path: { [parameter.name]: value }, ...withBody(s, id) })
        if (s.profile.tokens.restricted && (s.thorough || tellingOfOthers.has(id)))
          await s.send(id, { as: 'restricted', ...request() })
      }
    },
  },
  {
    id: 'permission',
    safety: 'read',
    needs: 'tokens.restricted',
    run: (s) => forbidden(s, 'restricted'),
  },
  {
    id: 'users',
    safety: 'read',
    needs: 'user',
    async run(s) {
      const { id, username } = s.profile.user ?? { id: 0, username: '' }
      const read = (user_id: string, request: Request = {}) =>
        s.send('getUser', { path: { user_id }, ...request })
      const others = s.few(2, ['me', username.toUpperCase(), `${id}0000000`])
      for (const user_id of [username, String(id), ...others]) await read(user_id)
      const lists = ['id,name', 'nonsense', '', 'id,username,access_level', 'ID,%20Name', 'email']
      const queries = lists.map((list) => `select=${list}`)
      for (const query of s.few(5, [
        ...queries.slice(0, 3),
        'select[]=id&select[]=name',
        ...queries.slice(3),
      ]))
        await read(username, { query })
      await read(username, { headers: { 'x-select': 'id' } })
      await read(username, { query: 'select[]=id&select[]=name', headers: { 'x-select': 'email' } })
      for (const user_id of [String(id), username]) await s.send('getUserEditPage', { path: { user_id } })
      await read('me', { query: 'select=id' })
    },
  },
  {
    id: 'fields',
    safety: 'read',
    async run(s) {
      const asked = [
        ...['sort_by=id', 'sort_by=name&sort_order=desc', 'sort_by=nonsense', 'sort_order=sideways'],
        ...['sort_by=name', 'sort_by=id&sort_order=DESC'],
      ]
      for (const query of s.few(4, asked)) await s.send('listCustomFields', { query })
      for (const headers of [{ 'x-sort-by': 'nonsense' }, { 'x-sort-by': 'id', 'x-sort-order': 'desc' }])
        await s.send('listCustomFields', { headers })
      for (const id of s.profile.customField?.ids?.slice(0, 1) ?? [])
        await s.send('getCustomFieldUpdatePage', { path: { field_id: String(id) } })
    },
  },
  {
    id: 'acting',
    safety: 'read',
    needs: 'user',
    async run(s) {
      const name = s.profile.user?.username ?? ''
      for (const username of [name, s.name()])
        await s.send('getAccountPage', { headers: { 'x-mantis-username': username } })
      await s.send('listPlugins', { headers: { 'x-mantis-username': name } })
    },
  },
]
