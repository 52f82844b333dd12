/** What is shared on a tracker: plugins, settings, columns, recipients, passwords and sessions. */
import type { Request, Scenario, Script } from '../script.js'
import { sessionIn } from '../script.js'
import { nowhere } from './reading.js'

const long = 'k'.repeat(1025)

export const shared: readonly Scenario[] = [
  {
    id: 'plugins',
    safety: 'destructive',
    needs: 'plugin',
    async run(s) {
      const { name, priority = { min: 1, max: 5 } } = s.profile.plugin ?? { name: '' }
      const path = { plugin_name: name }
      const update = (body: unknown, more: Request = {}) => s.send('updatePlugin', { path, body, ...more })
      await s.send('uninstallPlugin', { path })
      await update({ priority: priority.min })
      await s.send('installPlugin', { path: { plugin_name: name.toUpperCase() } })
      await s.send('uninstallPlugin', { path })
      await s.send('installPlugin', { path, body: { force: true } })
      await s.send('uninstallPlugin', { path })
      await s.send('installPlugin', { path })
      await s.send('installPlugin', { path })
      await s.send('listPlugins')
      const { min, max } = priority
      for (const value of new Set([min, max, min - 1, max + 1, ...s.few(2, [3, 10, 0, 1, 4, 5, 6, 9, 11])]))
        await update({ priority: value, protected: false })
      for (const body of s.few(8, [
        { priority: priority.max },
        { protected: false },
        { priority: String(priority.min), protected: false },
        { priority: priority.min, protected: 'yes' },
        { extra: 1 },
        {},
        [],
        { priority: priority.min, protected: false, extra: 1 },
        { priority: null, protected: false },
        { priority: priority.min, protected: 0 },
        'text',
      ]))
        await update(body)
      await s.send('updatePlugin', { path, rawBody: '{' })
      await s.send('updatePlugin', { path })
      await update({ priority: priority.max, protected: true })
      await s.send('uninstallPlugin', { path })
      await s.send('listPlugins')
      await update({ priority: priority.max, protected: false })
      await s.send('uninstallPlugin', { path })
      await s.send('installPlugin', { path })
      await s.send('uninstallPlugin', { path })
      await s.send('listPlugins')
    },
  },
  {
    id: 'settings',
    safety: 'destructive',
    needs: 'settings',
    async run(s) {
      const settings = s.profile.settings ?? []
      const [first] = settings
      const update = (body: unknown, more: Request = {}) => s.send('updateSettings', { body, ...more })
      await update(settings)
      await update([])
      for (const request of s.few(3, [{ rawBody: '{' }, { body: {} }, {}, { body: 'text' }, { body: null }]))
        await s.send('updateSettings', request)
      if (typeof first === 'object' && first !== null) {
        const [member = 'option'] = Object.keys(first)
        const { value } = first as { value?: unknown }
        const option = (first as Record<string, unknown>)[member]
        await update([first, first])
        await update([{ ...first, [member]: s.name() }])
        await update([{ value }])
        await update([{ [member]: option }])
        await update([{ ...first, value: null }])
        await update([{ ...first, value: [1] }])
        await update([{ ...first, value: typeof value === 'string' ? 5 : 'text' }])
        await update([{ ...first, extra: 1 }])
        for (const other of ['option', 'name', 'key'])
          if (other !== member) await update([{ [other]: option, value }])
        await update([{ [String(option)]: value ?? 1 }])
        await update(['text'])
        await update([null])
        await update([first, { ...first, [member]: s.name() }])
      }
      await update(settings, { headers: { 'Content-Type': 'text/plain' } })
      await update(settings)
    },
  },
  {
    id: 'preferences',
    safety: 'destructive',
    needs: 'userSetting',
    async run(s) {
      const setting = s.profile.userSetting ?? { option: '', value: '' }
      const as = s.profile.tokens.password ? 'password' : 'administrator'
      const update = (body: unknown, more: Request = {}) =>
        s.send('updateUserSettings', { as, body, ...more })
      await update({ configs: [setting] })
      await s.send('getUserSettingsPage', { as })
      for (const body of s.few(11, [
        { configs: [] },
        {},
        { configs: 'text' },
        { configs: [{ option: setting.option }] },
        { configs: [{ option: s.name(), value: 'x' }] },
        { configs: [{ ...setting, value: 'not \u0001 a value' }] },
        { configs: [{ ...setting, value: 5 }] },
        { configs: [{ ...setting, extra: 1 }] },
        { configs: [setting, setting] },
        { configs: [setting], extra: 1 },
        { configs: [{ option: 'refresh_delay', value: '5' }] },
        { configs: [{ option: 'language', value: 'klingon' }] },
        { configs: [{ option: 'email_on_new', value: '1' }] },
        { configs: [{ option: 'language', value: 'english' }] },
        [],
        { configs: [{ ...setting, value: null }] },
        { configs: null },
        { configs: ['text'] },
        { configs: [{ value: setting.value }] },
        { configs: [{ ...setting, value: true }] },
        { configs: [setting, { option: s.name(), value: 'x' }] },
        { configs: [{ option: 'font_family', value: 'Lato' }] },
      ]))
        await update(body)
      await s.send('updateUserSettings', { as, rawBody: '{' })
      await s.send('updateUserSettings', { as })
      await s.send('getUserSettingsPage', { as })
      await update({ configs: [setting] })
    },
  },
  {
    id: 'columns',
    safety: 'destructive',
    needs: 'columns',
    async run(s) {
      const plain = s.profile.columns ?? { columns: [] }
      const { columns, ...reference } = plain
      const [one = 'id'] = columns
      const save = (body: unknown, more: Request = {}) => s.send('manageColumns', { body, ...more })
      const read = await save(reference)
      await save(plain)
      await save(reference)
      for (const body of s.few(12, [
        {},
        { columns },
        { ...plain, columns: [] },
        { ...plain, columns: [...columns, s.name()] },
        { ...plain, columns: [one, one] },
        { ...plain, columns: [one, one.toUpperCase()] },
        { ...plain, columns: one },
        { ...plain, type: 'none-such' },
        { ...plain, type: 'print' },
        { ...plain, type: 'view_issues' },
        { ...plain, project: { id: '987654' } },
        { ...plain, project: '987654' },
        { ...plain, project: null },
        { ...plain, project: 5 },
        { ...plain, project: s.profile.projects?.[0] ?? '1' },
        { ...plain, project: { id: s.profile.projects?.[0] ?? '1' } },
        { ...plain, extra: 1 },
        { ...plain, columns: ['eta'] },
        { ...plain, columns: null },
        { ...plain, project: { id: Number(s.profile.projects?.[0] ?? '1') } },
        { ...plain, columns: [s.name()] },
        { ...plain, columns: [one.toUpperCase()] },
        { ...plain, columns: [5] },
        { ...plain, type: 'csv' },
        { ...plain, type: null },
        { ...plain, type: 5 },
        { ...plain, project: 'abc' },
        { ...plain, project: {} },
        [],
        'text',
      ]))
        await save(body)
      await s.send('manageColumns', { rawBody: '{' })
      await s.send('manageColumns')
      if (s.profile.tokens.restricted) await s.send('manageColumns', { as: 'restricted', body: reference })
      if (read?.status === 200) await save(plain)
      await save(reference)
    },
  },
  {
    id: 'recipients',
    safety: 'destructive',
    needs: 'recipients',
    async run(s) {
      const [id] = s.profile.recipients ?? []
      if (id === undefined) return
      const path = { recipient_id: String(s.pick(s.profile.recipients ?? [id])) }
      if (s.profile.tokens.restricted)
        await s.send('deleteHelpdeskRecipient', { as: 'restricted', path, refused: 'permission' })
      await s.send('deleteHelpdeskRecipient', { path })
      await s.send('deleteHelpdeskRecipient', { path })
    },
  },
  {
    id: 'password',
    safety: 'destructive',
    needs: 'passwordAccount',
    async run(s) {
      const { current, next } = s.profile.passwordAccount ?? { current: '', next: '' }
      if (!s.profile.tokens.password) return
      const as = 'password'
      const change = (body: unknown) => s.send('changeOwnPassword', { as, body })
      for (const body of s.few(8, [
        { password_current: 'wrong one', password: next },
        { password: next },
        { password_current: current },
        { password_current: current, password: '' },
        { password_current: current, password: s.profile.password?.invalid ?? long },
        { password_current: current, password: current },
        { password_current: current, password: 5 },
        {},
        { password_current: 'wrong one', password: next, extra: 1 },
        { password_current: 'wrong one', password: s.profile.password?.invalid ?? long },
        { password_current: null, password: next },
        { password_current: '', password: next },
        { password_current: current, password: null },
        [],
      ]))
        await change(body)
      await s.send('changeOwnPassword', { as, rawBody: '{' })
      await s.send('changeOwnPassword', { as })
      await change({ password_current: current, password: next })
      await change({ password_current: next, password: current })
      await s.send('getAccountPage', { as })
      const own = s.names.password
      if (own === undefined) return
      const path = { user_id: own }
      const update = (body: unknown) => s.send('updateUser', { as, path, body })
      await update({ realname: `Kit ${s.name()}` })
      await update({ password: next })
      await update({ password: next, password_current: 'wrong one' })
      await update({ password: '' })
      await update({ password: current, password_current: current })
      await update({ access_level: 10 })
      await update({ enabled: true })
      await update({ username: own })
    },
  },
  {
    id: 'weak-passwords',
    safety: 'destructive',
    needs: 'passwordAccount',
    async run(s) {
      const { current } = s.profile.passwordAccount ?? { current: '' }
      if (!s.profile.tokens.password) return
      const as = 'password'
      const own = s.names.password
      for (const password of s.few(2, ['abc', 'abcdefgh', ...(own ? [own] : []), 'abcdef', 'abcdefghij'])) {
        const body = { password_current: current, password }
        const seen = await s.send('changeOwnPassword', { as, body })
        if (seen?.status === 200)
          await s.send('changeOwnPassword', { as, body: { password_current: password, password: current } })
      }
    },
  },
  {
    id: 'reset',
    safety: 'destructive',
    async run(s) {
      const path = { user_id: await s.user() }
      await s.send('resetUser', { path })
      await s.send('resetUser', { path, body: { password: 'x' } })
      await s.send('updateUser', { path, body: { protected: true } })
      await s.send('resetUser', { path })
      await s.send('updateUser', { path, body: { protected: false, enabled: false } })
      await s.send('resetUser', { path })
      await s.send('resetUser', { path: { user_id: await s.user({ email: '' }) } })
      await s.send('resetUser', { path: { user_id: `{{id.${await s.user()}}}` } })
    },
  },
  {
    id: 'impersonation',
    safety: 'destructive',
    async run(s) {
      const name = await s.user()
      const path = { user_id: name }
      await s.send('impersonateUser', {
        path,
        bind: { name: 'session', kind: 'session', of: name },
      })
      await s.send('impersonateUser', { path, body: { reason: 'x' } })
      await s.send('updateUser', { path, body: { protected: true } })
      await s.send('impersonateUser', { path })
      await s.send('updateUser', { path, body: { enabled: false, protected: false } })
      await s.send('impersonateUser', { path })
      await s.send('impersonateUser', { path: { user_id: await s.user({ access_level: 90 }) } })
      if (s.names.administrator !== undefined)
        await s.send('impersonateUser', { path: { user_id: s.names.administrator } })
    },
  },
  ...[40, 55, 70].map(
    (level): Scenario => ({
      id: `level-${level}`,
      safety: 'destructive',
      async run(s) {
        if (!s.thorough && level !== 70) return
        const name = await s.user({ access_level: level })
        const bind = { name: 'session', kind: 'session', of: name } as const
        const session = await s.send('impersonateUser', { path: { user_id: name }, bind })
        await acting(s, session && sessionIn(session), name)
      },
    }),
  ),
]

/** Requests of somebody that the administrator stands in for; whatever they may do, they change nothing. */
async function acting(
  s: Script,
  session: { cookie?: string; token?: string } | null,
  name?: string,
): Promise<void> {
  const ways: Request[] = [
    ...(session?.token ? [{ authorization: 'Bearer {{session}}' }] : []),
    ...(session?.cookie && !session.token
      ? [{ authorization: null, headers: { cookie: '{{session}}' } }]
      : []),
    ...(name === undefined ? [] : [{ headers: { 'x-mantis-username': name } }]),
  ]
  for (const [index, way] of ways.entries()) {
    const seen = await s.send('getAccountPage', way)
    // Where a way is not known, the tracker takes the call for the administrator's own, or for nobody's.
    if (seen?.status !== 200 || (index > 0 && !JSON.stringify(seen.json ?? '').includes(name ?? ''))) continue
    for (const id of [
      'getUserCreatePage',
      'getCustomFieldCreatePage',
      'listCustomFields',
      'listPlugins',
    ] as const)
      await s.send(id, way)
    for (const id of ['resetUser', 'deleteHelpdeskRecipient', 'impersonateUser'] as const)
      await s.send(id, {
        ...way,
        path: nowhere(s, id),
      })
    await s.send('updateSettings', { ...way, body: {} })
    if (s.profile.user) {
      const path = { user_id: s.profile.user.username }
      await s.send('getUser', { ...way, path })
      await s.send('getUserEditPage', { ...way, path })
      await s.send('addUserToProjects', {
        ...way,
        path,
        body: { project_ids: [], access_level: s.profile.projectAccessLevel ?? 'reporter' },
      })
    }
    return
  }
}
