/** Who may do what to whose account. */
import { managesUsers } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse } from '../request/errors.js'
import type { User } from '../state/store.js'
import type { UserValues } from './values.js'

/** Failed logins after which an account is locked. */
export const LOCKED_AFTER = 5

/** Whoever manages users manages those up to the own level. */
export function needLevelOver(c: AdmittedCall, user: User): void {
  const equal = c.decisions['update-others-rights'] === 'up-to-own-level'
  const { access_level, username, id } = c.caller
  if (user.id === id || user.access_level < access_level || (equal && user.access_level === access_level))
    return
  refuse('access-denied', {
    detail: `${user.username} has level ${user.access_level}, ${username} has ${access_level}`,
    decision: 'update-others-rights',
  })
}

/** Nobody gives away a level above the own one. */
export function needOwnLevel(c: AdmittedCall, level: number): void {
  const equal = c.decisions['access-level-above-own'] === 'equal-allowed'
  if (level < c.caller.access_level || (equal && level === c.caller.access_level)) return
  refuse('access-denied', {
    detail: `${c.caller.username} has level ${c.caller.access_level} and may not give level ${level}`,
    decision: 'access-level-above-own',
  })
}

export function permitProtected(c: AdmittedCall, user: User, values: UserValues): void {
  const detail = `The account ${user.username} is protected`
  // A password is changed on the user's own behalf, so managing users does not help with the own one.
  if (user.id === c.caller.id && values.password) {
    const decision = 'password-protected'
    const denied = c.decisions[decision] === 'access-denied'
    refuse(denied ? 'access-denied' : 'protected-account', { detail, decision })
  }
  const decision = 'update-protected-target'
  const how = c.decisions[decision]
  const lifts = how === 'when-lifted' && values.protected === false
  if (managesUsers(c) && (how === 'managers-may' || lifts)) return
  refuse('protected-account', { detail, decision })
}

/** What users may not change in their own account. */
export function permitSelf(c: AdmittedCall, user: User, values: UserValues): void {
  const forbidden = ['access_level', 'enabled', 'protected'] as const
  const strict = c.decisions['update-unchanged-forbidden-field'] === 'refused'
  const field = forbidden.find(
    (name) => values[name] !== undefined && (strict || values[name] !== user[name]),
  )
  if (field)
    refuse('access-denied', {
      detail: `Users may not set their own ${field}`,
      decision: 'update-self-rights',
    })
  const renames = values.username !== undefined && values.username !== user.username
  if (renames && c.decisions['update-self-rights'] === 'not-the-username')
    refuse('access-denied', { detail: 'Users may not rename themselves', decision: 'update-self-rights' })
}

export function refuseLastAdministrator(c: AdmittedCall): never {
  const decision = 'update-last-admin'
  const detail = 'It is the last enabled administrator'
  if (c.decisions[decision] === 'access-denied') refuse('access-denied', { detail, decision })
  refuse('last-administrator', {
    detail,
    decision,
    status: c.decisions[decision] === 'forbidden' ? 403 : 400,
  })
}
