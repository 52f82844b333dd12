/** Scenarios that create, change and remove users and fields of the run, and that send requests to be refused. */
import type { OperationId } from '../../../contract/index.js'
import type { Request, Scenario, Script } from '../script.js'
import {
  assignmentValues,
  bodiesWith,
  empty,
  fieldValues,
  long,
  longestOf,
  plainBody,
  userValues,
  type Values,
} from './bodies.js'

const PLAIN_TEXT = { 'Content-Type': 'text/plain' }

export const sending =
  (s: Script, op: OperationId, fixed: Request = {}) =>
  (body: unknown, more: Request = {}) =>
    s.send(op, { ...fixed, body, ...more })

/** Sends some of the bodies in which one value is changed. */
export async function vary(
  s: Script,
  send: (body: unknown) => Promise<unknown>,
  plain: () => unknown,
  values: Values,
  few: number,
  from = 0,
): Promise<void> {
  for (const body of s.few(few, bodiesWith(plain, values), from)) await send(body)
}

/** Sends the first few of the bodies without valid content. */
export async function sendEmpty(s: Script, op: OperationId, fixed: Request, few = 2): Promise<void> {
  for (const request of s.few(few, empty)) await s.send(op, { ...fixed, ...request })
}

export const writing: readonly Scenario[] = [
  {
    id: 'create',
    safety: 'write',
    async run(s) {
      const plain = s.userBody()
      const create = sending(s, 'createUser')
      const named = (username: unknown, email = `${s.name()}@${s.profile.emailDomain ?? 'example.org'}`) =>
        create(s.userBody({ username, email }))
      await create(plain)
      await sendEmpty(s, 'createUser', {}, 3)
      for (const name of s.few(3, ['email', 'password', 'realname', 'access_level', 'enabled']))
        await create(s.userBody({ [name]: undefined }))
      await create(s.userBody({ username: undefined }))
      await create({ username: s.name() })
      const lengths = [45, 62, 120].map((length) => `${s.name()}${long(length)}`.slice(0, length))
      for (const username of s.few(7, [
        ...[plain.username, plain.username.toUpperCase(), ` ${s.name()} `, '', `${s.name()},x`],
        ...[`${s.name()} x y`, `${s.name()}@example.org`, String(plain.realname), `9876543210${s.name()}`],
        ...[`${s.name()}é`, `${s.name()}+a`, ...lengths],
      ]))
        await named(username)
      for (const username of [12, null]) await create(s.userBody({ username }))
      await create(s.userBody({ access_level: 90, protected: true, enabled: false }))
      await vary(s, create, s.userBody, userValues(s, plain), 10)
      await named('', 'no address')
      for (const password of s.few(3, [
        'short',
        'lowercaseonly',
        '',
        s.profile.password?.invalid ?? long(1025),
      ]))
        await create(s.userBody({ password }))
      const own = s.userBody()
      await create({ ...own, password: own.username })
      await create(s.userBody({ password_current: 'x' }))
      await create(s.userBody(), { headers: PLAIN_TEXT })
      if (s.thorough) {
        await create(Object.fromEntries(Object.entries(s.userBody()).reverse()))
        await create(s.userBody(), { headers: { 'Content-Type': 'application/json; charset=utf-8' } })
      }
      // These come last, because the number of names that they use depends on the answers.
      const cut = (length: number) => `${s.name()}${long(length)}`.slice(0, length)
      await longestOf(async (length) => (await named(cut(length)))?.status === 200)
      await longestOf(async (length) => (await create(s.userBody({ realname: cut(length) })))?.status === 200)
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
      const update = sending(s, 'updateUser', { path })
      const realname = () => ({ realname: `Kit ${s.name()}` })
      await update(realname())
      await update(realname(), { path: { user_id: `{{id.${name}}}` } })
      await sendEmpty(s, 'updateUser', { path })
      await vary(s, update, () => ({}), userValues(s, other), 10, 10)
      await update({ ...realname(), nickname: 'kit' })
      for (const more of [{}, { realname: 'Kit again' }])
        for (const flag of [{ protected: true }, {}, { protected: false }])
          if (Object.keys({ ...flag, ...more }).length > 0) await update({ ...flag, ...more })
      const valid = s.password
      for (const body of [
        { password: `${valid}9` },
        { password: `${valid}9`, password_current: 'wrong' },
        { password: valid, password_current: valid },
        { password: '' },
        { password: s.profile.password?.invalid ?? long(1025) },
      ])
        await update(body)
      await update(realname(), { headers: PLAIN_TEXT })
      await s.send('getUser', { path })
      await s.send('getUserEditPage', { path })
      await s.send('getUser', { path: { user_id: name.toUpperCase() } })
      // After an accepted change of the name, the next names are tried on a new user.
      let present = name
      const names = [other.username, '', 'a,b', `  ${name}  `, other.username.toUpperCase(), name, 5]
      for (const username of s.few(4, names)) {
        const seen = await update({ username }, { path: { user_id: present } })
        if (seen?.status === 200 && username !== present) present = await s.user()
      }
    },
  },
  {
    id: 'disabled',
    safety: 'write',
    async run(s) {
      const path = { user_id: await s.user() }
      await s.send('updateUser', { path, body: { enabled: false } })
      await s.send('getUser', { path })
      if (s.profile.tokens.restricted) await s.send('getUser', { as: 'restricted', path })
      await s.send('getUserEditPage', { path })
      if (s.profile.projects)
        await s.send('addUserToProjects', { path, body: plainBody(s, 'addUserToProjects') })
      // Names that a tracker may take for ids.
      const digits = String(700_000_000 + Math.floor(s.random() * 90_000_000))
      const twin = await s.user()
      for (const username of [digits, `{{id.${twin}}}`]) {
        await s.send('createUser', { body: s.userBody({ username }) })
        await s.send('getUser', { path: { user_id: username } })
      }
      await s.send('getUser', { path: { user_id: await s.user({ email: '' }) } })
    },
  },
  {
    id: 'projects',
    safety: 'write',
    needs: 'projects',
    async run(s) {
      const path = { user_id: await s.user() }
      const add = sending(s, 'addUserToProjects', { path })
      const plain = plainBody(s, 'addUserToProjects') as object
      const second = { ...plain, project_ids: s.profile.projects?.slice(0, 2).slice(-1) }
      await add(plain)
      await add(plain)
      await vary(s, add, () => second, assignmentValues(s), 8)
      await sendEmpty(s, 'addUserToProjects', { path }, 1)
      await s.send('addUserToProjects', { path })
      await s.send('getUserEditPage', { path })
      if (s.profile.tokens.restricted) await add({ ...plain, project_ids: [] }, { as: 'restricted' })
    },
  },
  {
    id: 'definitions',
    safety: 'write',
    async run(s) {
      const plain = s.fieldBody()
      const { name } = plain.custom_field
      const create = sending(s, 'createCustomField')
      await create(plain, { bind: { name: 'plain', kind: 'field', of: name } })
      await sendEmpty(s, 'createCustomField', {}, 3)
      for (const type of ['enum', 'choice']) {
        const fine = await create(s.fieldBody({ type, possible_values: 'a|b', default_value: 'a' }))
        if (!s.thorough && fine?.status !== 200) continue
        await create(s.fieldBody({ type }))
        await create(s.fieldBody({ type, possible_values: 'a|b', default_value: 'c' }))
        if (!s.thorough) break
      }
      await create(s.fieldBody({ name: undefined }))
      await vary(s, create, s.fieldBody, fieldValues(s, name), 14)
      if (s.thorough) await create(s.fieldBody({ type: 'date', default_value: 'someday' }))
      await create(s.fieldBody(), { headers: PLAIN_TEXT })
      await s.send('listCustomFields')
    },
  },
  {
    id: 'redefinitions',
    safety: 'write',
    async run(s) {
      const other = s.fieldBody()
      await s.send('createCustomField', { body: other })
      const path = {
        field_id: await s.field({ possible_values: 'a|b', default_value: 'a', display_report: true }),
      }
      const [project = '1'] = s.profile.projects ?? []
      const update = sending(s, 'updateCustomField', { path })
      const show = () => s.send('getCustomFieldUpdatePage', { path })
      await show()
      await update({ custom_field: { default_value: 'b' } })
      await show()
      await sendEmpty(s, 'updateCustomField', { path })
      await update({ custom_field: {} })
      const plain = () => ({ custom_field: { display_report: true } })
      await vary(s, update, plain, fieldValues(s, other.custom_field.name), 10, 12)
      await update({ custom_field: { name: s.name() } })
      await show()
      await s.send('deleteCustomField', { path, body: { force: true } })
      const deleted = await s.send('deleteCustomField', { path })
      // A tracker may refuse to delete a field that was ever in a project.
      const again = deleted?.status === 200 ? path : { field_id: await s.field() }
      await s.send('deleteCustomField', { path: again })
      const linked = { field_id: await s.field({}, [project]) }
      await s.send('listCustomFields')
      if (s.profile.tokens.restricted) await s.send('listCustomFields', { as: 'restricted' })
      await s.send('deleteCustomField', { path: linked })
      await s.send('getCustomFieldUpdatePage', { path: linked })
    },
  },
  {
    id: 'lengths',
    safety: 'write',
    async run(s) {
      const name = (length: number) => `${s.name()}${long(length)}`.slice(0, length)
      const create = (length: number) =>
        s.send('createCustomField', { body: s.fieldBody({ name: name(length) }) })
      // The run's own names have about twenty characters, so a shorter limit would show in every scenario.
      const lengths = Array.from({ length: 233 }, (_, index) => 24 + index)
      await longestOf(async (length) => (await create(length))?.status === 200, lengths)
    },
  },
]
