/** Who may do what to whose account. */
import { managesUsers } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/refuse-by.js'
import type { User } from '../state/store.js'
import { refuseProtectedPassword } from './password.js'
import type { UserValues } from './values.js'

/** Failed logins after which an account is locked. */
export const LOCKED_AFTER = 5

/** Whoever manages users manages those up to the own level. */
export function needLevelOver(c: AdmittedCall, user: User): void {
  const equal = c.decisions['update-others-rights'] === 'up-to-own-level'
  const { access_level, username, id } = c.caller
  if (user.id === id || user.access_level < access_level || (equal && user.access_level === access_level))
    return
  refuseFor(
    'update-others-rights',
    'access-denied',
    `${user.username} has level ${user.access_level}, ${username} has ${access_level}`,
  )
}

/** Nobody gives away a level above the own one. */
export function needOwnLevel(c: AdmittedCall, level: number): void {
  const equal = c.decisions['access-level-above-own'] === 'equal-allowed'
  if (level < c.caller.access_level || (equal && level === c.caller.access_level)) return
  refuseFor(
    'access-level-above-own',
    'access-denied',
    `${c.caller.username} has level ${c.caller.access_level} and may not give level ${level}`,
  )
}

export function permitProtected(c: AdmittedCall, user: User, values: UserValues): void {
  // A password is changed on the user's own behalf, so managing users does not help with the own one.
  if (user.id === c.caller.id && values.password) refuseProtectedPassword(c, user)
  const how = c.decisions['update-protected-target']
  const lifts = how === 'when-lifted' && values.protected === false
  if (managesUsers(c) && (how === 'managers-may' || lifts)) return
  refuseFor('update-protected-target', 'protected-account', `The account ${user.username} is protected`)
}

/** What users may not change in their own account. */
export function permitSelf(c: AdmittedCall, user: User, values: UserValues): void {
  const forbidden = ['access_level', 'enabled', 'protected'] as const
  const strict = c.decisions['update-unchanged-forbidden-field'] === 'refused'
  const field = forbidden.find(
    (name) => values[name] !== undefined && (strict || values[name] !== user[name]),
  )
  if (field) refuseFor('update-self-rights', 'access-denied', `Users may not set their own ${field}`)
  const renames = values.username !== undefined && values.username !== user.username
  if (renames)
    refuseBy(
      c,
      'update-self-rights',
      { 'not-the-username': 'access-denied' },
      'Users may not rename themselves',
    )
}

export const refuseLastAdministrator = (c: AdmittedCall) =>
  refuseBy(
    c,
    'update-last-admin',
    {
      'access-denied': 'access-denied',
      forbidden: { condition: 'last-administrator', status: 403 },
      invalid: { condition: 'last-administrator', status: 400 },
    },
    'It is the last enabled administrator',
  )
