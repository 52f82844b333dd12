/** Passwords, resets and sessions, and what somebody else may do. */
import type { Request, Scenario, Script } from '../script.js'
import { impersonate, standIn } from './acting.js'
import { long } from './bodies.js'
import { nowhere } from './reading.js'

export const accounts: readonly Scenario[] = [
  {
    id: 'password',
    safety: 'destructive',
    needs: 'passwordAccount',
    async run(s) {
      const { current, next } = s.profile.passwordAccount ?? { current: '', next: '' }
      if (!s.profile.tokens.password) return
      const as = 'password'
      const change = (body: unknown, more: Request = {}) => s.send('changeOwnPassword', { as, body, ...more })
      for (const body of s.few(5, [
        { password_current: 'wrong one', password: next },
        { password: next },
        { password_current: current },
        { password_current: current, password: s.profile.password?.invalid ?? long(1025) },
        { password_current: 'wrong one', password: s.profile.password?.invalid ?? long(1025) },
        { password_current: current, password: '' },
        { password_current: current, password: current },
        { password_current: current, password: 5 },
        {},
        { password_current: 'wrong one', password: next, extra: 1 },
        { password_current: null, password: next },
        { password_current: '', password: next },
        { password_current: current, password: null },
        [],
      ]))
        await change(body)
      await s.send('changeOwnPassword', { as, rawBody: '{' })
      await s.send('changeOwnPassword', { as })
      await change({ password_current: current, password: next })
      await change({ password_current: next, password: current }, { keep: true })
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
      for (const password of s.few(4, [
        'abc',
        'abcdefgh',
        'abcdefgh12',
        'abcdef',
        ...(own ? [own] : []),
        'abcdefghij',
      ])) {
        const body = { password_current: current, password }
        const seen = await s.send('changeOwnPassword', { as, body })
        if (seen?.status === 200)
          await s.send('changeOwnPassword', {
            as,
            body: { password_current: password, password: current },
            keep: true,
          })
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
      await impersonate(s, { path, bind: { name: 'session', kind: 'session', of: name } })
      await impersonate(s, { path, body: { reason: 'x' } })
      await s.send('updateUser', { path, body: { protected: true } })
      await impersonate(s, { path })
      await s.send('updateUser', { path, body: { enabled: false, protected: false } })
      await s.send('impersonateUser', { path })
      await impersonate(s, { path: { user_id: await s.user({ access_level: 90 }) } })
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
        const stand = await standIn(s, await s.user({ access_level: level }))
        if (stand === null) return
        await actAs(s, stand.way)
        await stand.leave()
      },
    }),
  ),
]

/** Requests of somebody that the administrator stands in for; whatever they may do, they change nothing. */
async function actAs(s: Script, way: Request): Promise<void> {
  for (const id of [
    'getUserCreatePage',
    'getCustomFieldCreatePage',
    'listCustomFields',
    'listPlugins',
  ] as const)
    await s.send(id, way)
  for (const id of ['resetUser', 'deleteHelpdeskRecipient', 'impersonateUser'] as const)
    await s.send(id, { ...way, path: nowhere(s, id) })
  await s.send('updateSettings', { ...way, body: {} })
  if (!s.profile.user) return
  const path = { user_id: s.profile.user.username }
  await s.send('getUser', { ...way, path })
  await s.send('getUserEditPage', { ...way, path })
  await s.send('addUserToProjects', {
    ...way,
    path,
    body: { project_ids: [], access_level: s.profile.projectAccessLevel ?? 'reporter' },
  })
}
