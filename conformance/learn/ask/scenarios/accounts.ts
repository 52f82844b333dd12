/** Scenarios for passwords, resets and sessions, and for what other users may do. */
import type { Scenario } from '../script.js'
import { impersonate, standIn } from './acting.js'
import { empty, long, passwordValues, plainBody } from './bodies.js'
import { nowhere } from './reading.js'
import { sending, vary } from './writing.js'

export const accounts: readonly Scenario[] = [
  {
    id: 'password',
    safety: 'destructive',
    needs: 'passwordAccount',
    async run(s) {
      const { current, next } = s.profile.passwordAccount ?? { current: '', next: '' }
      if (!s.profile.tokens.password) return
      const as = 'password'
      const change = sending(s, 'changeOwnPassword', { as })
      const plain = { password_current: current, password: next }
      const wrong = { ...plain, password_current: 'wrong one' }
      await vary(s, change, () => plain, passwordValues(s, current), 5)
      await change({ ...wrong, password: s.profile.password?.invalid ?? long(1025) })
      if (s.thorough) await change({ ...wrong, extra: 1 })
      for (const request of s.few(1, empty)) await s.send('changeOwnPassword', { as, ...request })
      await s.send('changeOwnPassword', { as })
      await change(plain)
      await change({ password_current: next, password: current }, { keep: true })
      await s.send('getAccountPage', { as })
      const own = s.names.password
      if (own === undefined) return
      const update = sending(s, 'updateUser', { as, path: { user_id: own } })
      for (const body of [
        { realname: `Kit ${s.name()}` },
        { password: next },
        { password: next, password_current: 'wrong one' },
        { password: '' },
        { password: current, password_current: current },
        { access_level: 10 },
        { enabled: true },
        { username: own },
      ])
        await update(body)
    },
  },
  {
    id: 'weak-passwords',
    safety: 'destructive',
    needs: 'passwordAccount',
    async run(s) {
      const { current } = s.profile.passwordAccount ?? { current: '' }
      if (!s.profile.tokens.password) return
      const change = sending(s, 'changeOwnPassword', { as: 'password' })
      const { password: own = 'abcdef' } = s.names
      for (const password of s.few(4, ['abc', 'abcdefgh', 'abcdefgh12', 'abcdef', own, 'abcdefghij'])) {
        const seen = await change({ password_current: current, password })
        if (seen?.status === 200)
          await change({ password_current: password, password: current }, { keep: true })
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
      for (const body of [{ protected: true }, { protected: false, enabled: false }]) {
        await s.send('updateUser', { path, body })
        await s.send('resetUser', { path })
      }
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
      for (const body of [{ protected: true }, { enabled: false, protected: false }]) {
        await s.send('updateUser', { path, body })
        await impersonate(s, { path })
      }
      await impersonate(s, { path: { user_id: await s.user({ access_level: 90 }) } })
      if (s.names.administrator !== undefined)
        await s.send('impersonateUser', { path: { user_id: s.names.administrator } })
    },
  },
  ...[40, 55, 70].map(
    (level): Scenario => ({
      id: `level-${level}`,
      safety: 'destructive',
      /** Sends calls that change nothing, whatever a user of this level may do. */
      async run(s) {
        if (!s.thorough && level !== 70) return
        const stand = await standIn(s, await s.user({ access_level: level }))
        if (stand === null) return
        const { way } = stand
        for (const id of ['getUserCreatePage', 'getCustomFieldCreatePage'] as const) await s.send(id, way)
        for (const id of ['listCustomFields', 'listPlugins'] as const) await s.send(id, way)
        for (const id of ['resetUser', 'deleteHelpdeskRecipient', 'impersonateUser'] as const)
          await s.send(id, { ...way, path: nowhere(s, id) })
        await s.send('updateSettings', { ...way, body: {} })
        if (s.profile.user) {
          const path = { user_id: s.profile.user.username }
          await s.send('getUser', { ...way, path })
          await s.send('getUserEditPage', { ...way, path })
          const body = { ...(plainBody(s, 'addUserToProjects') as object), project_ids: [] }
          await s.send('addUserToProjects', { ...way, path, body })
        }
        await stand.leave()
      },
    }),
  ),
  ...[{}, { access_level: 90 }].map(
    (level, index): Scenario => ({
      id: `own-session-${index}`,
      safety: 'destructive',
      /** Tries what users may do to themselves in an impersonated session. */
      async run(s) {
        if (!s.thorough) return
        const name = await s.user(level)
        const stand = await standIn(s, name)
        if (stand === null) return
        const update = sending(s, 'updateUser', { ...stand.way, path: { user_id: name } })
        for (const body of [{ enabled: true }, { email: s.userBody().email }]) await update(body)
        await s.send('impersonateUser', { ...stand.way, path: { user_id: await s.user() } })
        await stand.leave()
      },
    }),
  ),
]
