/** Users and custom fields of its own: made, changed, refused, and swept afterwards. */
import type { Request, Scenario, Script } from '../script.js'

const long = (length: number) => 'k'.repeat(length)

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
    { realname: `${long(64)}${s.name()}` },
    { realname: long(256) },
    { realname: `a <b> ${s.name()}` },
    { realname: 5 },
    { access_level: 33 },
    { access_level: 101 },
    { access_level: -1 },
    { access_level: '25' },
    { access_level: level === undefined ? null : { id: level } },
    { access_level: 90 },
    { enabled: 'yes' },
    { enabled: 1 },
    { enabled: null },
    { protected: true },
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

const strange: readonly Request[] = [
  { rawBody: '{' },
  { body: {} },
  { body: [] },
  {},
  { rawBody: 'null' },
  { body: 'text' },
]

export const writing: readonly Scenario[] = [
  {
    id: 'create',
    safety: 'write',
    async run(s) {
      const plain = s.userBody()
      await s.send('createUser', { body: plain })
      for (const request of s.few(4, strange)) await s.send('createUser', { ...request, refused: 'body' })
      const without = (name: string) =>
        Object.fromEntries(Object.entries(s.userBody()).filter(([key]) => key !== name))
      for (const name of ['email', 'realname', 'password', 'access_level', 'enabled'])
        await s.send('createUser', { body: without(name) })
      await s.send('createUser', { body: without('username') })
      await s.send('createUser', { body: { username: s.name() } })
      for (const username of s.few(9, [
        plain.username,
        plain.username.toUpperCase(),
        ` ${s.name()} `,
        '',
        `${s.name()},x`,
        `${s.name()} x y`,
        `${s.name()}@example.org`,
        `${s.name()}${long(80)}`.slice(0, 80),
        `${s.name()}${long(200)}`.slice(0, 200),
        `${s.name()}+a`,
        `9${s.name()}`,
        `${s.name()}é`,
        `${s.name()}${long(30)}`.slice(0, 45),
        `${s.name()}${long(60)}`.slice(0, 62),
        `${s.name()}${long(200)}`.slice(0, 120),
        String(plain.realname),
      ]))
        await s.send('createUser', {
          body: s.userBody({ username, email: `${s.name()}@${s.profile.emailDomain ?? 'example.org'}` }),
        })
      await s.send('createUser', { body: s.userBody({ username: 12 }) })
      await s.send('createUser', { body: s.userBody({ username: null }) })
      for (const [index, fault] of userFaults(s, plain).entries())
        if (s.thorough || index % 2 === 0) await s.send('createUser', { body: s.userBody(fault) })
      await s.send('createUser', { body: s.userBody({ username: '', email: 'no address' }) })
      for (const password of ['', 'short', 'lowercaseonly', s.profile.password?.invalid ?? long(1025)])
        await s.send('createUser', { body: s.userBody({ password }) })
      const own = s.userBody()
      await s.send('createUser', { body: { ...own, password: own.username } })
      await s.send('createUser', { body: s.userBody({ password_current: 'x' }) })
      await s.send('createUser', { body: s.userBody(), headers: { 'Content-Type': 'text/plain' } })
      await s.send('createUser', {
        body: s.userBody(),
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
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
      for (const request of s.few(4, strange))
        await s.send('updateUser', { path, ...request, refused: 'body' })
      for (const [index, fault] of userFaults(s, other).entries())
        if (s.thorough || index % 2 === 1) await s.send('updateUser', { path, body: fault })
      await s.send('updateUser', { path, body: { realname: `Kit ${s.name()}`, nickname: 'kit' } })
      await s.send('updateUser', { path, body: { protected: true } })
      await s.send('updateUser', { path, body: { realname: 'Kit again' } })
      await s.send('updateUser', { path, body: { protected: true, realname: 'Kit again' } })
      await s.send('updateUser', { path, body: { protected: false, realname: 'Kit again' } })
      for (const username of s.few(4, [
        other.username,
        '',
        'a,b',
        name,
        `  ${name}  `,
        other.username.toUpperCase(),
        5,
      ]))
        await s.send('updateUser', { path, body: { username } })
      const valid = s.profile.password?.valid ?? 'Kit-7f3a!Quartz'
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
        { project_ids: [], access_level },
        { access_level },
        { project_ids: [second] },
        { project_ids: second, access_level },
        { project_ids: [Number(second)], access_level },
        { project_ids: [second], access_level: '' },
        { project_ids: ['987654'], access_level },
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
      for (const body of s.few(17, bodies)) await s.send('addUserToProjects', { path, body })
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
  {
    id: 'definitions',
    safety: 'write',
    async run(s) {
      const plain = s.fieldBody()
      const [project = '1'] = s.profile.projects ?? []
      const create = (body: unknown, more: Request = {}) => s.send('createCustomField', { body, ...more })
      await create(plain, { bind: { name: 'plain', kind: 'field', of: plain.custom_field.name } })
      for (const request of s.few(4, strange))
        await s.send('createCustomField', { ...request, refused: 'body' })
      const types = s.few(5, [undefined, 'none-such', '0', 'list', 'STRING', 5, '', null, '3', '99'])
      for (const type of types) await create(s.fieldBody({ type }))
      const name = plain.custom_field.name
      for (const other of s.few(6, [
        name,
        name.toUpperCase(),
        '',
        `${s.name()},x`,
        ` ${s.name()} `,
        `<b>${s.name()}</b>`,
        12,
        '   ',
        null,
        `${s.name()} é`,
      ]))
        await create(s.fieldBody({ name: other }))
      const nameless = { ...s.fieldBody().custom_field, name: undefined }
      await create({ custom_field: nameless })
      for (const type of s.few(1, ['enum', 'choice'])) {
        await create(s.fieldBody({ type }))
        await create(s.fieldBody({ type, possible_values: 'a|b', default_value: 'c' }))
        await create(s.fieldBody({ type, possible_values: 'a|b', default_value: 'a' }))
      }
      await create(s.fieldBody({ default_value: long(256) }))
      if (s.thorough) await create(s.fieldBody({ default_value: long(120) }))
      if (s.thorough) await create(s.fieldBody({ type: 'date', default_value: 'someday' }))
      await create(s.fieldBody({ display_report: 'yes' }))
      await create(s.fieldBody({ display_report: true, display_update: false }))
      await create(s.fieldBody({ colour: 'red' }))
      await create({ ...s.fieldBody(), extra: 1 })
      for (const projects of s.few(4, [
        [project],
        ['987654'],
        [project, '987654'],
        ['abc'],
        [1],
        [],
        'x',
        null,
      ]))
        await create({ ...s.fieldBody(), projects })
      await create({ custom_field: 'text' })
      await create(s.fieldBody(), { headers: { 'Content-Type': 'text/plain' } })
      await s.send('listCustomFields')
    },
  },
  {
    id: 'redefinitions',
    safety: 'write',
    async run(s) {
      const other = s.fieldBody()
      await s.send('createCustomField', { body: other })
      const field = await s.field({ possible_values: 'a|b', default_value: 'a', display_report: true })
      const path = { field_id: field }
      const [project = '1', second = project] = s.profile.projects ?? []
      const update = (body: unknown, more: Request = {}) =>
        s.send('updateCustomField', { path, body, ...more })
      await s.send('getCustomFieldUpdatePage', { path })
      await update({ custom_field: { default_value: 'b' } })
      await s.send('getCustomFieldUpdatePage', { path })
      for (const request of s.few(4, strange))
        await s.send('updateCustomField', { path, ...request, refused: 'body' })
      for (const definition of s.few(8, [
        {},
        { type: 'none-such' },
        { type: 'date' },
        { name: '' },
        { name: other.custom_field.name },
        { name: other.custom_field.name.toUpperCase() },
        { name: `a,${s.name()}` },
        { colour: 'red' },
        { display_report: 'yes' },
        { type: s.profile.customField?.type ?? 'string' },
        { type: 'enum' },
        { name: null },
        { name: 7 },
        { name: s.name() },
        { display_update: null },
        { default_value: long(256) },
        { possible_values: 5 },
      ]))
        await update({ custom_field: definition })
      for (const projects of s.few(4, [[project], [second], ['987654'], [], ['abc'], null]))
        await update({ custom_field: { display_report: true }, projects })
      await s.send('getCustomFieldUpdatePage', { path })
      await s.send('deleteCustomField', { path, body: { force: true } })
      await s.send('deleteCustomField', { path })
      await s.send('deleteCustomField', { path })
      const linked = await s.field({}, [project])
      await s.send('listCustomFields')
      if (s.profile.tokens.restricted) await s.send('listCustomFields', { as: 'restricted' })
      await s.send('deleteCustomField', { path: { field_id: linked } })
      await s.send('getCustomFieldUpdatePage', { path: { field_id: linked } })
    },
  },
  {
    id: 'lengths',
    safety: 'write',
    async run(s) {
      const limit = s.profile.customField?.nameLimit ?? 64
      const fits = async (length: number) => {
        const name = `${s.name()}${long(length)}`.slice(0, length)
        return (await s.send('createCustomField', { body: s.fieldBody({ name }) }))?.status === 200
      }
      let [most, least] = [0, 0]
      // Names of its own have about twenty characters; a shorter limit would show everywhere.
      for (const length of [limit, limit + 1, limit - 1, 40, 64, 65, 128, 255, 256]) {
        if (length < 24 || length <= most || (least > 0 && length >= least)) continue
        const fine = await fits(length)
        if (fine) most = Math.max(most, length)
        else least = least === 0 ? length : Math.min(least, length)
      }
      while (most > 0 && least - most > 1) {
        const middle = Math.floor((most + least) / 2)
        if (await fits(middle)) most = middle
        else least = middle
      }
    },
  },
]
