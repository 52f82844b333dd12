/** Section 5, permissions: what an enabled user without any administrative permission may not do. */
import type { OperationId } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { usernameOf } from '../suite/identity.js'
import { ambiguous, ownUser, type PlainRequest, plainRequest, withPlainRequest } from '../suite/requests.js'
import { requirement } from '../suite/requirement.js'
import type { Answer } from '../target/call.js'
import { idOf, isObject, mentions, recordsWith, values } from '../target/look.js'

/** Asks as the restricted user, the missing permission being the request's only defect as far as can be known. */
async function expectForbidden(t: Check, operation: OperationId, allowed: readonly number[]): Promise<void> {
  t.need('tokens.restricted')
  const forbidden = async (proven: boolean, request: object) => {
    const answer = await t.send({ operation, ...request, as: 'restricted' })
    const otherGround = !proven && (answer.status === 404 || answer.status === 400)
    if (otherGround) ambiguous(t, operation, answer.status)
    return t.expect(answer, allowed, 'a valid request of a user without administrative permission')
  }
  await withPlainRequest(t, operation, async ({ proven, ...request }) => {
    // Asked again, since some forget the question once it was answered.
    for (let round = 1; round <= 3; round++) if (!(await forbidden(proven, request))) break
    for (const { rule, more = [], ...other } of await otherForms(t, operation, request)) {
      const answer = await t.send({ operation, ...other, as: 'restricted' })
      t.expect(answer, [...allowed, ...more], `${rule}, by a user without administrative permission`)
    }
    if (operation === 'installPlugin' && t.run.succeeded(operation) && t.allows('destructive'))
      await t.send({ operation: 'uninstallPlugin', ...request })
  })
}

interface OtherForm extends Omit<PlainRequest, 'proven'> {
  readonly rule: string
  /** Statuses that are right as well. */
  readonly more?: readonly number[]
}

/** The request in forms that reach the operation by another way, where the permission may have been forgotten. */
async function otherForms(
  t: Check,
  operation: OperationId,
  request: Omit<PlainRequest, 'proven'>,
): Promise<OtherForm[]> {
  // Nothing is asked for, which may be refused for that.
  if (operation === 'updateSettings') return [{ rule: 'an empty list of settings', body: [], more: [400] }]
  const [project] = t.profile.projects ?? []
  if (operation === 'createCustomField' && project !== undefined && t.profile.customField?.type !== undefined)
    return [{ rule: 'a field with a project', body: { ...t.run.own.fieldBody(), projects: [project] } }]
  const id = request.path?.user_id === undefined ? null : (await ownUser(t))?.id
  return typeof id === 'number' ? [{ ...request, rule: 'a user by its id', path: { user_id: id } }] : []
}

export const permission = [
  requirement({
    id: 'permission.gated',
    level: 'must',
    section: '5',
    statement:
      'Impersonation, reset, plugin management, custom-field management and settings update are answered 403 when the authenticated user lacks permission.',
    operations: [
      'impersonateUser',
      'resetUser',
      'createCustomField',
      'updateCustomField',
      'deleteCustomField',
      'updatePlugin',
      'installPlugin',
      'uninstallPlugin',
      'listPlugins',
      'updateSettings',
    ],
    safety: 'read',
    each: true,
    async check(t, operation) {
      await expectForbidden(t, operation, [403])
    },
  }),

  requirement({
    id: 'permission.administrative',
    level: 'must',
    section: '1',
    statement: 'Creating and updating users, and adding them to projects, is for authorized administrators.',
    operations: ['createUser', 'updateUser', 'addUserToProjects'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      // Whether a user that the caller may not see exists may be hidden behind 404.
      await expectForbidden(t, operation, operation === 'createUser' ? [403] : [403, 404])
    },
  }),

  requirement({
    id: 'permission.own-level',
    level: 'must',
    section: '5',
    statement: 'A user without administrative permission does not raise its own access level.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t, operation) {
      t.need('tokens.restricted')
      const names = [await usernameOf(t, 'restricted'), await usernameOf(t, 'administrator')]
      const [username] = names
      if (typeof username !== 'string') return t.skip('the account page does not show the restricted user')
      const path = { user_id: username }
      const levelOf = async (name: string | null | undefined) => {
        if (!name) return undefined
        const { json } = await t.send({ operation: 'getUser', path: { user_id: name } })
        const [level] = recordsWith(json, name).map((record) => record.access_level)
        const number = isObject(level) ? level.id : level
        return typeof number === 'number' ? number : undefined
      }
      const before = await levelOf(username)
      const highest = await levelOf(names[1])
      // The least that is more, since with an administrator's level a tracker may take away what others have.
      const page = await t.send({ operation: 'getUserCreatePage' })
      const more = [...values(page.json)].filter(
        (one): one is number =>
          typeof one === 'number' &&
          before !== undefined &&
          highest !== undefined &&
          one > before &&
          one <= highest,
      )
      const access_level = more.length > 0 ? Math.min(...more) : highest
      if (before === undefined || access_level === undefined || before >= access_level)
        return t.skip('answers do not show that the administrator has a higher access level')
      const body = { access_level }
      const answer = await t.send({ operation, path, body, as: 'restricted' })
      const after = await levelOf(username)
      // It may be passed over.
      t.verify(
        after === before || after === undefined,
        `a user without administrative permission has raised its own access_level from ${before} to ${after}`,
        answer,
      )
      if (after === before || after === undefined) return
      await t.send({ operation, path, body: { access_level: before } })
    },
  }),

  requirement({
    id: 'permission.self-impersonation',
    level: 'should',
    section: '5',
    statement: 'Impersonation is refused without the permission, the own account included.',
    operations: ['impersonateUser'],
    safety: 'read',
    async check(t, operation) {
      t.need('tokens.restricted')
      const username = await usernameOf(t, 'restricted')
      if (username === null) return t.skip('the account page does not show the name of the restricted user')
      const page = await t.send({ operation: 'getAccountPage', as: 'restricted' })
      const [id] = recordsWith(page.json, username).map((record) => idOf(record, 'user'))
      for (const user_id of [username, ...(typeof id === 'number' ? [id] : [])]) {
        const answer = await t.send({ operation, path: { user_id }, as: 'restricted' })
        t.expect(answer, [403, 400, 404], 'the own account of a user without administrative permission')
      }
    },
  }),

  requirement({
    id: 'permission.recipients',
    level: 'should',
    section: '5',
    statement:
      'A user without administrative permission who deletes a helpdesk recipient is served or answered 403, and not in another way.',
    operations: ['deleteHelpdeskRecipient'],
    // Nowhere is it said that this deletion needs a permission, so the recipient may be gone.
    safety: 'destructive',
    async check(t, operation) {
      t.need('tokens.restricted')
      t.need('recipients')
      const recipient_id = t.run.own.presentRecipient()
      if (recipient_id === null) return t.skip('the profile has no recipients left to delete')
      const path = { recipient_id }
      const answer = await t.send({ operation, path, as: 'restricted' })
      t.observe('gate', operation, answer.status)
      // Whether what the caller may not see exists may be hidden behind 404.
      t.expect(answer, [200, 403, 404], 'a valid request of a user without administrative permission')
    },
  }),

  requirement({
    id: 'permission.other-ways',
    level: 'must',
    section: '5',
    statement:
      'Whom a user may not read it may not read by the other form of address either, and not the e-mail address by `select`.',
    operations: ['getUser', 'getUserEditPage'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      t.need('tokens.restricted')
      const user = (await ownUser(t)) ?? t.need('user')
      const ask = (user_id: string | number, query?: string) =>
        t.send({ operation, path: { user_id }, as: 'restricted', ...(query && { query }) })
      // Asked again, since some forget the question once it was answered.
      const forms = user.id === null ? [user.username] : [user.username, user.id]
      const asked = []
      for (const form of [...forms, ...forms])
        asked.push({ by: form === user.id ? 'id' : 'username', answer: await ask(form) })
      if (!asked.some(({ answer }) => answer.status === 403)) {
        const read = asked.map(({ answer }) => answer).filter(({ status }) => status === 200)
        if (read.length < asked.length || operation === 'getUserEditPage')
          return t.skip('the restricted user may read others')
        return emailIsHiddenAlike(t, user.username, read, (form) => ask(form, 'select=email'))
      }
      for (const { by, answer } of asked)
        t.verify(
          answer.status !== 200,
          `a user whom the caller may not read is read by ${by} all the same: expected 403, saw 200`,
          answer,
        )
      if (operation === 'getUserEditPage') return
      await isDisabledHidden(t)
      const shown = await t.send({ operation, path: { user_id: user.username } })
      const email = recordsWith(shown.json, user.username)
        .map((record) => record.email)
        .find((one) => typeof one === 'string' && one !== '')
      if (typeof email !== 'string') return
      for (const form of forms) {
        const answer = await ask(form, 'select=email')
        const told = answer.status === 200 && mentions(answer.json, email)
        t.verify(
          !told,
          'select=email shows the e-mail address of a user whom the caller may not read: expected 403, saw 200',
          answer,
        )
      }
    },
  }),

  requirement({
    id: 'permission.custom-field-pages',
    level: 'should',
    section: '5',
    statement: 'The pages of custom-field management are, like the management itself, permission-gated.',
    operations: ['getCustomFieldCreatePage', 'getCustomFieldUpdatePage'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      await expectForbidden(t, operation, operation === 'getCustomFieldCreatePage' ? [403] : [403, 404])
    },
  }),

  requirement({
    id: 'permission.valid-token',
    level: 'must',
    section: '5',
    statement:
      'A user without administrative permission is answered with what was asked for or with 403, and not as if its token were invalid.',
    operations: [
      'getUserCreatePage',
      'getUser',
      'getUserEditPage',
      'listCustomFields',
      'getCustomFieldCreatePage',
      'getCustomFieldUpdatePage',
    ],
    safety: 'read',
    each: true,
    async check(t, operation) {
      t.need('tokens.restricted')
      const { proven: _, ...request } = await plainRequest(t, operation)
      const answer = await t.send({ operation, ...request, as: 'restricted' })
      t.observe('gate', operation, answer.status)
      // Whether what the caller may not see exists may be hidden behind 404.
      const hidden = request.path === undefined ? [] : [404]
      t.expect(answer, [200, 403, ...hidden], 'a valid request of a user without administrative permission')
    },
  }),
]

/** Who is shown no e-mail address is shown none in another form or by a selection. */
async function emailIsHiddenAlike(
  t: Check,
  username: string,
  read: readonly Answer[],
  select: (form: string) => Promise<Answer>,
): Promise<void> {
  const shown = await t.send({ operation: 'getUser', path: { user_id: username } })
  const [record] = recordsWith(shown.json, username)
  const email = record?.email
  if (typeof email !== 'string' || email === '' || email === username)
    t.skip('the restricted user may read others')
  const tells = (answer: Answer) => answer.status === 200 && mentions(answer.json, email)
  const told = read.find(tells)
  t.verify(
    told === undefined || read.every(tells),
    'the e-mail address is shown to a user by one form of address, and not by the other',
    told ?? shown,
  )
  if (told !== undefined) return
  const selected = await select(username)
  t.verify(
    !tells(selected),
    'select=email shows an e-mail address that the caller is not shown otherwise',
    selected,
  )
}

/** A disabled user who may not be read may not be read in parts either. */
async function isDisabledHidden(t: Check): Promise<void> {
  if (!t.allows('write')) return
  const path = { user_id: (await t.run.own.user()).username }
  const disabled = await t.send({ operation: 'updateUser', path, body: { enabled: false } })
  if (disabled.status !== 200) return
  const ask = (query?: string) =>
    t.send({ operation: 'getUser', path, as: 'restricted', ...(query && { query }) })
  const { status } = await ask()
  if (status !== 403 && status !== 404) return
  for (const query of ['select=username', 'select=id']) {
    const answer = await ask(query)
    t.verify(
      answer.status !== 200,
      `${query} shows a disabled user whom the caller may not read: expected ${status}, saw 200`,
      answer,
    )
  }
}
