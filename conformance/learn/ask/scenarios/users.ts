/** Users of its own: made, changed, refused, and disabled afterwards. */
import type { Scenario, Script } from '../script.js'
import { long, longestOf, strange } from './bodies.js'

/** Whatever may be wrong with a user's body besides its username; the same for creation and update. */
function userFaults(s: Script, taken: { username: string; email: string }): object[] {
  const domain = s.profile.emailDomain ?? 'example.org'
  const level = s.profile.accessLevel
  return [
    { email: 'no address' },
    { email: `${s.name()}@localhost` },
    { email: `${s.name()}!x@${domain}` },
    { email: `${s.name()}@mailinator.com` },
    { email: taken.email },
    { email: '' },
    { email: null },
    { email: 12 },
    { realname: '' },
    { realname: `  Kit   ${s.name()} ` },
    { realname: `${s.name()}${long(100)}` },
    { realname: `a <b> ${s.name()}` },
    { realname: 5 },
    { access_level: 33 },
    { access_level: 101 },
    { access_level: -1 },
    { access_level: '25' },
    { access_level: level === undefined ? null : { id: level } },
    { enabled: 'yes' },
    { enabled: 1 },
    { enabled: null },
    { language: 'klingon' },
    { language: 'german', timezone: 'Europe/Berlin' },
    { timezone: 'Mars/Base' },
    { avatar: 'initials:KT' },
    { avatar: long(70_000) },
    { client_preferred: true },
    { notify_user: true },
    { nickname: 'kit' },
  ]
}

export const users: readonly Scenario[] = [
  {
    id: 'create',
    safety: 'write',
    async run(s) {
      const plain = s.userBody()
      await s.send('createUser', { body: plain })
      for (const request of s.few(3, strange)) await s.send('createUser', { ...request, refused: 'body' })
      const without = (name: string) =>
        Object.fromEntries(Object.entries(s.userBody()).filter(([key]) => key !== name))
      for (const name of s.few(3, ['email', 'password', 'realname', 'access_level', 'enabled']))
        await s.send('createUser', { body: without(name) })
      await s.send('createUser', { body: without('username') })
      await s.send('createUser', { body: { username: s.name() } })
      const named = (username: string) =>
        s.send('createUser', {
          body: s.userBody({ username, email: `${s.name()}@${s.profile.emailDomain ?? 'example.org'}` }),
        })
      for (const username of s.few(7, [
        plain.username,
        plain.username.toUpperCase(),
        ` ${s.name()} `,
        '',
        `${s.name()},x`,
        `${s.name()} x y`,
        `${s.name()}@example.org`,
        String(plain.realname),
        `9876543210${s.name()}`,
        `${s.name()}é`,
        `${s.name()}+a`,
        ...[45, 62, 120].map((length) => `${s.name()}${long(length)}`.slice(0, length)),
      ]))
        await named(username)
      await s.send('createUser', { body: s.userBody({ username: 12 }) })
      await s.send('createUser', { body: s.userBody({ username: null }) })
      await s.send('createUser', { body: s.userBody({ access_level: 90, protected: true, enabled: false }) })
      for (const [index, fault] of userFaults(s, plain).entries())
        if (s.thorough || index % 4 === 0) await s.send('createUser', { body: s.userBody(fault) })
      await s.send('createUser', { body: s.userBody({ username: '', email: 'no address' }) })
      for (const password of s.few(3, [
        'short',
        'lowercaseonly',
        '',
        s.profile.password?.invalid ?? long(1025),
      ]))
        await s.send('createUser', { body: s.userBody({ password }) })
      const own = s.userBody()
      await s.send('createUser', { body: { ...own, password: own.username } })
      const backwards = Object.entries(s.userBody()).reverse()
      if (s.thorough) await s.send('createUser', { body: Object.fromEntries(backwards) })
      await s.send('createUser', { body: s.userBody({ password_current: 'x' }) })
      await s.send('createUser', { body: s.userBody(), headers: { 'Content-Type': 'text/plain' } })
      if (s.thorough)
        await s.send('createUser', {
          body: s.userBody(),
          headers: { 'Content-Type': 'application/json; charset=utf-8' },
        })
      // Last, since how many names it takes depends on the answers.
      await longestOf(
        async (length) => (await named(`${s.name()}${long(length)}`.slice(0, length)))?.status === 200,
      )
      await longestOf(async (length) => {
        const realname = `${s.name()}${long(length)}`.slice(0, length)
        return (await s.send('createUser', { body: s.userBody({ realname }) }))?.status === 200
      })
    },
  },
  {
    id: 'update',
    safety: 'write',
    async run(s) {
      const other = s.userBody()
      await s.send('createUser', { body: other })
      const name = await s.user()
      const path = { user_id: name }
      await s.send('updateUser', { path, body: { realname: `Kit ${s.name()}` } })
      await s.send('updateUser', {
        path: { user_id: `{{id.${name}}}` },
        body: { realname: `Kit ${s.name()}` },
      })
      for (const request of s.few(2, strange))
        await s.send('updateUser', { path, ...request, refused: 'body' })
      for (const [index, fault] of userFaults(s, other).entries())
        if (s.thorough || index % 4 === 2) await s.send('updateUser', { path, body: fault })
      await s.send('updateUser', { path, body: { realname: `Kit ${s.name()}`, nickname: 'kit' } })
      await s.send('updateUser', { path, body: { protected: true } })
      await s.send('updateUser', { path, body: { realname: 'Kit again' } })
      await s.send('updateUser', { path, body: { protected: true, realname: 'Kit again' } })
      await s.send('updateUser', { path, body: { protected: false, realname: 'Kit again' } })
      const valid = s.password
      await s.send('updateUser', { path, body: { password: `${valid}9` } })
      await s.send('updateUser', { path, body: { password: `${valid}9`, password_current: 'wrong' } })
      await s.send('updateUser', { path, body: { password: valid, password_current: valid } })
      await s.send('updateUser', { path, body: { password: '' } })
      await s.send('updateUser', { path, body: { password: s.profile.password?.invalid ?? long(1025) } })
      await s.send('updateUser', {
        path,
        body: { realname: `Kit ${s.name()}` },
        headers: { 'Content-Type': 'text/plain' },
      })
      await s.send('getUser', { path })
      await s.send('getUserEditPage', { path })
      await s.send('getUser', { path: { user_id: name.toUpperCase() } })
      // One that is taken is another user's name from then on.
      let present = name
      for (const username of s.few(4, [
        other.username,
        '',
        'a,b',
        `  ${name}  `,
        other.username.toUpperCase(),
        name,
        5,
      ])) {
        const seen = await s.send('updateUser', { path: { user_id: present }, body: { username } })
        if (seen?.status === 200 && username !== present) present = await s.user()
      }
    },
  },
  {
    id: 'disabled',
    safety: 'write',
    async run(s) {
      const name = await s.user()
      const path = { user_id: name }
      await s.send('updateUser', { path, body: { enabled: false } })
      await s.send('getUser', { path })
      if (s.profile.tokens.restricted) await s.send('getUser', { as: 'restricted', path })
      await s.send('getUserEditPage', { path })
      const [project] = s.profile.projects ?? []
      if (project !== undefined)
        await s.send('addUserToProjects', {
          path,
          body: { project_ids: [project], access_level: s.profile.projectAccessLevel ?? 'reporter' },
        })
      const digits = String(700_000_000 + Math.floor(s.random() * 90_000_000))
      await s.send('createUser', { body: s.userBody({ username: digits }) })
      await s.send('getUser', { path: { user_id: digits } })
      const twin = await s.user()
      await s.send('createUser', { body: s.userBody({ username: `{{id.${twin}}}` }) })
      await s.send('getUser', { path: { user_id: `{{id.${twin}}}` } })
      const nameless = await s.user({ email: '' })
      await s.send('getUser', { path: { user_id: nameless } })
    },
  },
  {
    id: 'projects',
    safety: 'write',
    needs: 'projects',
    async run(s) {
      const [first = '1', second = first] = s.profile.projects ?? []
      const access_level = s.profile.projectAccessLevel ?? 'reporter'
      const path = { user_id: await s.user() }
      const plain = { project_ids: [first], access_level }
      const bodies: unknown[] = [
        plain,
        plain,
        { project_ids: [first, second], access_level },
        { project_ids: ['987654'], access_level },
        { project_ids: [], access_level },
        { access_level },
        { project_ids: [second] },
        { project_ids: second, access_level },
        { project_ids: [Number(second)], access_level },
        { project_ids: [second], access_level: '' },
        { project_ids: [second, '987654'], access_level },
        { project_ids: ['abc'], access_level },
        { project_ids: ['0'], access_level },
        { project_ids: [second], access_level: 'none-such' },
        { project_ids: [second], access_level: '-1' },
        { project_ids: [second], access_level: access_level.toUpperCase() },
        { project_ids: [second], access_level: 'Developer' },
        { project_ids: [second], access_level: '40' },
        { project_ids: [second], access_level, extra: 1 },
        {},
        { project_ids: [second], access_level: 25 },
        { project_ids: [second], access_level: 'administrator' },
        { project_ids: [second, second], access_level },
        { project_ids: [null], access_level },
        { project_ids: null, access_level },
        { project_ids: [second], access_level: null },
        { project_ids: ['-3'], access_level },
        { project_ids: [second], access_level: '33' },
        { project_ids: [second], access_level: '25' },
        [],
      ]
      for (const body of s.few(10, bodies)) await s.send('addUserToProjects', { path, body })
      await s.send('addUserToProjects', { path, rawBody: '{' })
      await s.send('addUserToProjects', { path })
      await s.send('getUserEditPage', { path })
      if (s.profile.tokens.restricted)
        await s.send('addUserToProjects', {
          as: 'restricted',
          path,
          body: { project_ids: [], access_level },
          refused: 'permission',
        })
    },
  },
]
