/** Rights over accounts, and which password a caller must know. */
import { isLastAdministrator, managesUsers } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/errors.js'
import { levels } from '../state/levels.js'
import type { User } from '../state/store.js'
import type { UserValues } from './values.js'

/** So many failed logins lock an account. */
export const LOCKED_AT = 5

export const lastAdministrator = {
  forbidden: { condition: 'last-administrator', status: 403 },
  invalid: { condition: 'last-administrator', status: 400 },
} as const

export function permitUpdate(c: AdmittedCall, user: User, values: UserValues): void {
  if (user.protected) permitProtected(c, user, values)
  if (user.id === c.caller.id && !managesUsers(c)) permitSelf(c, user, values)
  const level = values.access_level
  if (level !== undefined && level !== user.access_level) needOwnLevel(c, level)
  const ends = values.enabled === false || (level !== undefined && level < levels.administrator)
  const cases = { 'access-denied': 'access-denied', ...lastAdministrator } as const
  if (ends && isLastAdministrator(c, user))
    refuseBy(c, 'update-last-admin', 'It is the last enabled administrator', cases)
  if (values.password !== undefined) needCurrentPassword(c, user, values)
}

export function needLevelOver(c: AdmittedCall, user: User): void {
  const equal = c.decisions['update-others-rights'] === 'up-to-own-level'
  const { access_level, username, id } = c.caller
  if (user.id === id || user.access_level < access_level || (equal && user.access_level === access_level))
    return
  const detail = `${user.username} has level ${user.access_level}, ${username} has ${access_level}`
  refuseFor('update-others-rights', 'access-denied', detail)
}

export function needOwnLevel(c: AdmittedCall, level: number): void {
  const equal = c.decisions['access-level-above-own'] === 'equal-allowed'
  const { access_level, username } = c.caller
  if (level < access_level || (equal && level === access_level)) return
  const detail = `${username} has level ${access_level} and may not give level ${level}`
  refuseFor('access-level-above-own', 'access-denied', detail)
}

function permitProtected(c: AdmittedCall, user: User, values: UserValues): void {
  // The right to manage users does not allow changing the password of one's own protected account.
  if (user.id === c.caller.id && values.password) refuseProtectedPassword(c, user)
  const how = c.decisions['update-protected-target']
  const lifts = how === 'when-lifted' && values.protected === false
  if (managesUsers(c) && (how === 'managers-may' || lifts)) return
  refuseFor('update-protected-target', 'protected-account', `The account ${user.username} is protected`)
}

function permitSelf(c: AdmittedCall, user: User, values: UserValues): void {
  const forbidden = ['access_level', 'enabled', 'protected'] as const
  const strict = c.decisions['update-unchanged-forbidden-field'] === 'refused'
  const field = forbidden.find((one) => values[one] !== undefined && (strict || values[one] !== user[one]))
  if (field) refuseFor('update-self-rights', 'access-denied', `Users may not set their own ${field}`)
  const cases = { 'not-the-username': 'access-denied' } as const
  if (values.username !== undefined && values.username !== user.username)
    refuseBy(c, 'update-self-rights', 'Users may not rename themselves', cases)
}

/** Checks the current password if an update sets a new one. A blank new one means "keep it", unless decided otherwise. */
function needCurrentPassword(c: AdmittedCall, user: User, values: UserValues): void {
  if (!values.password) {
    refuseBlank(c)
    delete values.password
    return
  }
  const self = user.id === c.caller.id
  const who = c.decisions['update-password-who']
  if (!self && who === 'others-refused')
    refuseFor('update-password-who', 'access-denied', 'Nobody sets the password of others')
  if (who === 'all-need-current' || (self && who !== 'nobody-needs-current')) {
    // Managers give their own password, not that of the other user.
    if (values.password_current !== undefined) needMatch(c, c.caller, values.password_current)
    else
      refuseBy(c, 'password-current-missing', 'The current password is missing', {
        'empty-field': ['empty-field', 'password_current'],
        mismatch: mismatch(400),
        'by-operation': mismatch(403),
      })
  }
  needOther(c, user, values.password)
}

export const refuseBlank = (c: AdmittedCall) =>
  refuseBy(c, 'password-blank-new', 'The new password is blank', { refused: ['invalid-value', 'password'] })

/** Refuses a change of the own password, since a protected account is shared. */
export const refuseProtectedPassword = (c: AdmittedCall, { username }: User) =>
  refuseFor('password-protected', c.decisions['password-protected'], `The account ${username} is protected`)

export const mismatch = (status: 400 | 403) => ({ condition: 'current-password-mismatch', status }) as const

export function needMatch(c: AdmittedCall, user: User, current: string): void {
  if (user.password !== current)
    refuseBy(c, 'password-current-wrong', { invalid: mismatch(400), forbidden: mismatch(403) })
}

export function needOther(c: AdmittedCall, user: User, password: string): void {
  const cases = { refused: ['invalid-value', 'password'] } as const
  if (user.password === password) refuseBy(c, 'password-same', 'The new password is the old one', cases)
}
