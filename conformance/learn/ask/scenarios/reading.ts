/** Reads, and requests that must be refused: nothing of it changes a tracker. */
import { operation as contractOf, type OperationId, operations } from '../../../contract/index.js'
import { NO_ID, NO_NAME } from '../../../oracle/names.js'
import type { Request, Scenario, Script } from '../script.js'

const reads = operations.filter(({ method }) => method === 'GET').map(({ id }) => id)

/** Names and ids that nothing has. */
export function nowhere(s: Script, id: OperationId): Record<string, string> {
  const name = `${NO_NAME}_${s.name()}`
  const all = { user_id: name, field_id: NO_ID, recipient_id: NO_ID, plugin_name: name }
  return Object.fromEntries(contractOf(id).parameters.map(({ name }) => [name, all[name]]))
}

/** A body that is in order, of which nothing can come where the path leads nowhere. */
export function plainBody(s: Script, id: OperationId): unknown {
  const { profile } = s
  switch (id) {
    case 'changeOwnPassword':
      return { password_current: `not ${s.name()}`, password: s.password }
    case 'updateUserSettings':
      return { configs: [profile.userSetting ?? { option: 'language', value: 'english' }] }
    case 'createUser':
      return s.userBody()
    case 'updateUser':
      return { realname: `Kit ${s.name()}` }
    case 'addUserToProjects':
      return {
        project_ids: profile.projects?.slice(0, 1) ?? ['1'],
        access_level: profile.projectAccessLevel ?? 'reporter',
      }
    case 'createCustomField':
    case 'updateCustomField':
      return s.fieldBody()
    case 'manageColumns':
      return profile.columns ?? {}
    case 'updatePlugin':
      return { protected: false, priority: profile.plugin?.priority?.min ?? 3 }
    case 'updateSettings':
      return profile.settings ?? []
    default:
      return undefined
  }
}

const wrongBody = (id: OperationId): unknown =>
  id === 'updateUser'
    ? { realname: 17 }
    : id === 'updateCustomField'
      ? { custom_field: { name: 17 } }
      : { project_ids: 17 }

/** One of each kind: reads and writes of users, fields and plugins. */
const tellingOfOthers = new Set<OperationId>([
  'getUser',
  'getUserEditPage',
  'updateUser',
  'addUserToProjects',
  'updateCustomField',
  'getCustomFieldUpdatePage',
  'resetUser',
  'updatePlugin',
  'installPlugin',
])

const bodied: readonly OperationId[] = ['updateUser', 'updateCustomField', 'addUserToProjects']

const withBody = (s: Script, id: OperationId): Request => {
  const body = plainBody(s, id)
  return body === undefined ? {} : { body }
}

export const reading: readonly Scenario[] = [
  {
    id: 'credentials',
    safety: 'read',
    async run(s) {
      const mixed = operations.toSorted((a, b) => (a.number % 3) - (b.number % 3))
      for (const { id } of s.few(3, mixed)) {
        const path = nowhere(s, id)
        await s.send(id, {
          path,
          authorization: s.pick([null, 'Bearer not-a-token']),
          refused: 'credentials',
          ...withBody(s, id),
        })
      }
      const token = '{{token.administrator}}'
      for (const authorization of s.few(3, [
        `bearer ${token}`,
        token,
        `Bearer  ${token}`,
        `Bearer wrong, Bearer ${token}`,
        `Basic ${token}`,
      ]))
        await s.send('getAccountPage', { authorization })
      await s.send('createUser', { authorization: null, rawBody: '{', refused: 'credentials' })
      await s.send('listPlugins', { suffix: '/' })
      await s.send('getAccountPage', { suffix: `/${s.name()}` })
      await s.send('getAccountPage', { suffix: `/${s.name()}`, authorization: null })
    },
  },
  {
    id: 'pages',
    safety: 'read',
    async run(s) {
      for (const id of reads.filter((read) => contractOf(read).parameters.length === 0)) await s.send(id)
      if (s.profile.tokens.disabled) await s.send('getAccountPage', { as: 'disabled' })
      for (const as of s.few(1, ['restricted', 'password'] as const))
        if (s.profile.tokens[as])
          for (const id of reads.filter((read) => contractOf(read).parameters.length === 0))
            await s.send(id, { as })
    },
  },
  {
    id: 'nowhere',
    safety: 'read',
    async run(s) {
      for (const { id, parameters } of operations) {
        if (parameters.length === 0) continue
        await s.send(id, { path: nowhere(s, id), refused: 'resource', ...withBody(s, id) })
        // Which of two faults is told: nothing is there, and the body is none.
        if ((s.thorough ? bodied : bodied.slice(0, 2)).includes(id))
          await s.send(id, { path: nowhere(s, id), refused: 'resource', body: wrongBody(id) })
        const [parameter] = parameters
        if (!parameter) continue
        const odd =
          parameter.name === 'user_id'
            ? [
                ...(s.thorough || id === 'getUser' || id === 'updateUser' ? ['0'] : []),
                ...(id === 'getUser' ? ['-1'] : s.few(id === 'resetUser' ? 1 : 0, ['987654321', '-1'])),
              ]
            : parameter.name === 'plugin_name'
              ? []
              : s.few(2, ['abc', '0', '-1'])
        for (const value of odd)
          await s.send(id, { path: { [parameter.name]: value }, refused: 'resource', ...withBody(s, id) })
        if (s.profile.tokens.restricted && (s.thorough || tellingOfOthers.has(id))) {
          const as = 'restricted'
          await s.send(id, { as, path: nowhere(s, id), refused: 'permission', ...withBody(s, id) })
        }
      }
    },
  },
  {
    id: 'permission',
    safety: 'read',
    needs: 'tokens.restricted',
    async run(s) {
      const as = 'restricted'
      for (const id of ['createUser', 'createCustomField'] as const) {
        await s.send(id, { as, refused: 'permission', ...withBody(s, id) })
        await s.send(id, { as, refused: 'permission', rawBody: '{' })
        if (s.thorough) await s.send(id, { as, refused: 'permission', body: {} })
      }
      await s.send('updateSettings', { as, refused: 'permission', body: s.profile.settings ?? [] })
      await s.send('updateSettings', { as, refused: 'permission', body: {} })
      const { user, customField, plugin, projects = [], projectAccessLevel } = s.profile
      if (user) {
        for (const user_id of [String(user.id), user.username])
          await s.send('getUser', { as, path: { user_id } })
        const path = { user_id: user.username }
        await s.send('updateUser', { as, path, refused: 'permission', body: { realname: `Kit ${s.name()}` } })
        await s.send('updateUser', { as, path, refused: 'permission', body: { email: 'none' } })
        await s.send('impersonateUser', { as, path, refused: 'permission' })
        await s.send('resetUser', { as, path, refused: 'permission' })
        await s.send('getUserEditPage', { as, path })
        if (projects[0] !== undefined) {
          const body = { project_ids: [projects[0]], access_level: projectAccessLevel ?? 'reporter' }
          await s.send('addUserToProjects', { as, path, refused: 'permission', body })
          await s.send('addUserToProjects', {
            as,
            path,
            refused: 'permission',
            body: { ...body, access_level: 'none-such' },
          })
          await s.send('addUserToProjects', { as, path, refused: 'permission', body: {} })
        }
      }
      const own = s.names.restricted
      if (own !== undefined) {
        await s.send('getUser', { as, path: { user_id: own } })
        await s.send('getUserEditPage', { as, path: { user_id: own } })
        await s.send('updateUser', {
          as,
          path: { user_id: own },
          refused: 'permission',
          // Not an administrator's, with which a tracker may take away what the user has in projects.
          body: { access_level: 55 },
        })
        await s.send('updateUser', {
          as,
          path: { user_id: own },
          refused: 'body',
          body: { enabled: true, protected: false },
        })
      }
      const [id] = customField?.ids ?? []
      if (id !== undefined) {
        const path = { field_id: String(id) }
        await s.send('updateCustomField', { as, path, refused: 'permission', body: s.fieldBody() })
        await s.send('deleteCustomField', { as, path, refused: 'permission' })
        await s.send('getCustomFieldUpdatePage', { as, path })
      }
      if (plugin) {
        const path = { plugin_name: plugin.name }
        for (const operation of s.few(1, ['installPlugin', 'uninstallPlugin', 'updatePlugin'] as const))
          await s.send(operation, { as, path, refused: 'permission', ...withBody(s, operation) })
      }
    },
  },
  {
    id: 'users',
    safety: 'read',
    needs: 'user',
    async run(s) {
      const { user } = s.profile
      if (!user) return
      const path = { user_id: user.username }
      const byId = { user_id: String(user.id) }
      await s.send('getUser', { path })
      await s.send('getUser', { path: byId })
      for (const user_id of s.few(2, ['me', user.username.toUpperCase(), `${user.id}0000000`]))
        await s.send('getUser', { path: { user_id } })
      for (const query of s.few(5, [
        'select=id,name',
        'select=nonsense',
        'select=',
        'select[]=id&select[]=name',
        'select=ID,%20Name',
        'select=id,username,access_level',
        'select=email',
      ]))
        await s.send('getUser', { path, query })
      await s.send('getUser', { path, headers: { 'x-select': 'id' } })
      await s.send('getUser', { path, query: 'select=id&select[]=name', headers: { 'x-select': 'email' } })
      await s.send('getUserEditPage', { path: byId })
      await s.send('getUserEditPage', { path })
      await s.send('getUser', { path: { user_id: 'me' }, as: 'administrator', query: 'select=id' })
    },
  },
  {
    id: 'fields',
    safety: 'read',
    async run(s) {
      for (const query of s.few(4, [
        'sort_by=id',
        'sort_by=name&sort_order=desc',
        'sort_by=nonsense',
        'sort_order=sideways',
        'sort_by=name',
        'sort_by=id&sort_order=DESC',
      ]))
        await s.send('listCustomFields', { query })
      await s.send('listCustomFields', { headers: { 'x-sort-by': 'nonsense' } })
      await s.send('listCustomFields', { headers: { 'x-sort-by': 'id', 'x-sort-order': 'desc' } })
      for (const id of s.profile.customField?.ids?.slice(0, 1) ?? [])
        await s.send('getCustomFieldUpdatePage', { path: { field_id: String(id) } })
    },
  },
  {
    id: 'acting',
    safety: 'read',
    needs: 'user',
    async run(s) {
      const { user } = s.profile
      if (!user) return
      await s.send('getAccountPage', { headers: { 'x-mantis-username': user.username } })
      await s.send('getAccountPage', { headers: { 'x-mantis-username': s.name() } })
      await s.send('listPlugins', { headers: { 'x-mantis-username': user.username } })
    },
  },
]
