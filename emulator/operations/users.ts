/** Operations 6 to 9, 11 and 13: create, read, update and reset users, and the pages for that. */
import {
  dateValue,
  idsAndNames,
  isLastAdministrator,
  levelChoices,
  levelValue,
  managesUsers,
  needLevel,
  needPageLevel,
  needUserManager,
  projectLevel,
  viewState,
} from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/errors.js'
import { withoutUndefined } from '../request/json.js'
import { define, entity, page, written } from '../request/operation.js'
import { locales } from '../request/preferences.js'
import { collections } from '../state/collections.js'
import { levels } from '../state/levels.js'
import type { User } from '../state/store.js'
import {
  endOldSessions,
  endSessions,
  madeUpPassword,
  mails,
  newPassword,
  notify,
  optionalFields,
  savePreferences,
} from '../users/effects.js'
import { LOCKED_AT, lastAdministrator, needLevelOver, needOwnLevel, permitUpdate } from '../users/rights.js'
import { findUser, refuseUnknownUser, selectedFields, userRecord, writtenFields } from '../users/user.js'
import { readUser, type UserValues } from '../users/values.js'

export const createUser = define({
  gate: needUserManager,
  accept(c) {
    const values = readUser(c)
    return values.username ? values : { ...values, username: freeName(c) }
  },
  permit(c, _, values) {
    if (values.access_level !== undefined) needOwnLevel(c, values.access_level)
  },
  run(c, _, values) {
    const id = c.store.nextId('users', c.decisions['create-id-assignment'] === 'stepped' ? 7 : 1)
    const { username = '', realname, email = '', access_level, enabled } = values
    const user = c.store.db.users.add({
      id,
      username,
      ...collections.users.fill({}),
      ...withoutUndefined({ realname, email, enabled, protected: values.protected }),
      password: firstPassword(c, values.password, id),
      access_level: access_level ?? levels[c.decisions['create-access-level-default']],
      created_at: c.now().toISOString(),
      ...optionalFields(c, values),
    })
    savePreferences(c, user, values)
    const silent = c.decisions['create-notify-flag'] === 'honoured' && values.notify_user !== true
    if (!silent) notify(c, user, 'registration')
    return entity('user', userRecord(c, user, [...writtenFields, 'projects']))
  },
})

/** The first password: if the tracker sends mail, users may have to choose one by a link in the mail. */
function firstPassword(c: AdmittedCall, given: string | undefined, id: number): string {
  if (given && !(mails(c) && c.decisions['create-password-given'] === 'discarded-with-mail')) return given
  return c.decisions['create-password-missing'] === 'blank' && !given ? '' : madeUpPassword(c, id)
}

function freeName(c: AdmittedCall): string {
  let number = c.store.db.users.rows.length + 1
  while (c.store.db.users.find('username', c.store.collation.username(`user${number}`))) number += 1
  return `user${number}`
}

/** If accounts are hidden, a caller who may not manage them cannot learn which exist. */
function needManagerOf(c: AdmittedCall, decision: 'create-permission' | 'get-user-permission'): void {
  if (managesUsers(c)) return
  const hidden = `${c.caller.username} does not manage users, and may not know which exist`
  if (c.decisions['id-existence-leak'] === 'hidden') refuseUnknownUser(c, c.path.user_id ?? '', hidden)
  needLevel(c, c.decisions['create-permission'], 'manage users', decision)
}

export const getUser = define({
  find: findUser,
  guard(c, user) {
    if (user.id === c.caller.id || managesUsers(c)) return
    if (c.decisions['get-user-permission'] === 'self-or-manager') needManagerOf(c, 'get-user-permission')
    if (user.enabled) return
    const detail = `The account ${user.username} is disabled, and ${c.caller.username} does not manage users`
    refuseBy(c, 'get-user-disabled', detail, {
      'forbidden-to-others': 'access-denied',
      'hidden-from-others': ['user-not-found-by-name', c.path.user_id ?? ''],
    })
  },
  accept: selectedFields,
  run: (c, user, fields) => {
    const record = userRecord(c, user, fields)
    return c.decisions['success-envelope'] === 'bare' ? entity('user', record) : entity('users', [record])
  },
})

export const updateUser = define({
  valuesFirst: true,
  find: findUser,
  guard(c, user) {
    if (user.id !== c.caller.id) {
      needManagerOf(c, 'create-permission')
      needLevelOver(c, user)
    } else if (!managesUsers(c))
      refuseBy(c, 'update-self-rights', 'Users may not change themselves', { nothing: 'access-denied' })
  },
  accept: (c, user) => readUser(c, user),
  permit: permitUpdate,
  run(c, user, values) {
    const self = user.id === c.caller.id
    const { username, realname, email, access_level, enabled, password } = values
    const pending = self && mails(c) && c.decisions['update-email-self'] === 'pending' && !!email
    const updated = c.store.db.users.change(user, {
      ...(password ? newPassword(c, user, password) : {}),
      ...withoutUndefined({ username, realname, access_level, enabled, protected: values.protected }),
      ...(email === undefined ? {} : pending ? { email_pending: email } : { email, email_pending: null }),
      ...optionalFields(c, values),
    })
    const { memberships } = c.store.db
    savePreferences(c, updated, values)
    if (pending) notify(c, updated, 'address-verification', { to: email })
    if (password && password !== user.password) endOldSessions(c, updated)
    const promoted = updated.access_level >= levels.administrator && user.access_level < levels.administrator
    if (promoted && c.decisions['update-promotion'] === 'project-levels-deleted')
      for (const row of memberships.having('user', user.id)) memberships.remove(row)
    if (enabled === false) endSessions(c, updated, false)
    notifyOfChange(c, user, updated, values)
    return written(`User ${updated.id} updated`, 'user', userRecord(c, updated, writtenFields))
  },
})

function notifyOfChange(c: AdmittedCall, before: User, after: User, values: UserValues): void {
  const how = c.decisions['notify-default']
  if (!(values.notify_user ?? how !== 'off')) return
  const changes = (['username', 'realname', 'email', 'access_level'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: String(before[field]), to: String(after[field]) }))
  const flagged = before.enabled !== after.enabled || before.protected !== after.protected
  if (changes.length > 0 || (how === 'on-for-any-change' && flagged))
    notify(c, after, 'account-changed', { changes })
}

export const getUserCreatePage = define({
  gate: (c) => needPageLevel(c, c.decisions['create-permission'], 'see the user create page'),
  run(c) {
    const level = levelValue(c, levels[c.decisions['create-access-level-default']])
    const flags = { can_set_password: !mails(c), can_notify: mails(c) }
    const user = { access_level: level, enabled: true, protected: false }
    return page('user', user, { ...userChoices(c), flags })
  },
})

const userChoices = (c: AdmittedCall) => ({
  access_levels: levelChoices(c),
  ...locales(),
  limits: { username: c.decisions['create-username-rules'] === 'up-to-64' ? 64 : 191, realname: 255 },
})

export const getUserEditPage = define({
  gate: (c) => needPageLevel(c, c.decisions['create-permission'], 'see the user edit page'),
  find: findUser,
  guard: needLevelOver,
  run(c, user) {
    const { memberships, projects } = c.store.db
    const inProject = (id: number) => memberships.find('pair', `${user.id}/${id}`)
    return page('user', userRecord(c, user, [...writtenFields, 'projects']), {
      ...userChoices(c),
      failed_logins: user.failed_logins,
      last_visit: dateValue(c, user.last_visit),
      project_levels: projects.rows
        .filter(({ id }) => inProject(id))
        .map((project) => ({
          project: { id: project.id, name: project.name },
          level: projectLevel(c, user, project),
          view_state: viewState(c, project),
        })),
      other_projects: idsAndNames(projects.rows.filter(({ id, enabled }) => enabled && !inProject(id))),
      flags: {
        can_reset: user.id !== c.caller.id && user.enabled && !user.protected,
        can_disable: !isLastAdministrator(c, user),
        can_impersonate: user.id !== c.caller.id && user.enabled,
        can_notify: mails(c),
        is_locked: user.failed_logins >= LOCKED_AT,
      },
    })
  },
})

export const resetUser = define({
  gate: needUserManager,
  find: findUser,
  guard(c, user) {
    const how = c.decisions['reset-protected']
    const stays = how === 'refused' || (how === 'unlocks-if-locked' && user.failed_logins < LOCKED_AT)
    if (user.protected && stays)
      refuseFor('reset-protected', 'protected-account', `The account ${user.username} is protected`)
    needLevelOver(c, user)
    const cases = { invalid: ['invalid-value', 'user_id'], forbidden: 'access-denied' } as const
    if (user.id === c.caller.id) refuseBy(c, 'reset-self', 'Nobody resets the own account', cases)
    if (!user.enabled) refuseBy(c, 'reset-disabled', `The account ${user.username} is disabled`, cases)
  },
  accept(c, user) {
    if (isLastAdministrator(c, user)) refuseBy(c, 'reset-last-admin', lastAdministrator)
    if (mails(c) && user.email === '' && !user.protected && c.decisions['reset-effect'] !== 'counter-only')
      refuseBy(c, 'reset-no-email', { refused: 'email-needed-for-reset' })
  },
  run(c, user) {
    const effect = c.decisions['reset-effect']
    const named = { id: user.id, name: user.username }
    if (user.protected || effect === 'counter-only') {
      c.store.db.users.change(user, { failed_logins: 0 })
      return written('Account unlocked', 'user', { ...named, action: 'unlock' })
    }
    const byMail = mails(c) && user.email !== ''
    const updated = c.store.db.users.change(user, {
      password: byMail ? madeUpPassword(c, user.id) : '',
      // With mail, the counter stays: the link in the mail ends a lock.
      ...(byMail ? {} : { failed_logins: 0 }),
    })
    if (effect === 'tokens-revoked') endSessions(c, updated, true)
    if (byMail && user.enabled) notify(c, updated, 'password-reset')
    return written('Account reset', 'user', { ...named, action: 'reset' })
  },
})
