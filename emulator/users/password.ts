/** Changing a password: who must know the present one. */

import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/refuse-by.js'
import type { User } from '../state/store.js'
import type { UserValues } from './values.js'

/** For an update of a user that names a password. A blank one means "leave it", unless decided otherwise. */
export function needCurrentPassword(c: AdmittedCall, user: User, values: UserValues): void {
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
    // A manager proves to be the manager, not to know the password of somebody else.
    if (values.password_current === undefined) refuseMissing(c)
    else needMatch(c, c.caller, values.password_current)
  }
  needOther(c, user, values.password)
}

export const refuseBlank = (c: AdmittedCall) =>
  refuseBy(c, 'password-blank-new', { refused: ['invalid-value', 'password'] }, 'The new password is blank')

/** A protected account is shared, so nobody changes its password on the own behalf. */
export const refuseProtectedPassword = (c: AdmittedCall, { username }: User) =>
  refuseBy(
    c,
    'password-protected',
    { 'access-denied': 'access-denied', 'protected-account': 'protected-account' },
    `The account ${username} is protected`,
  )

const mismatch = (status: 400 | 403) => ({ condition: 'current-password-mismatch', status }) as const

const refuseMissing = (c: AdmittedCall) =>
  refuseBy(
    c,
    'password-current-missing',
    {
      'empty-field': ['empty-field', 'password_current'],
      mismatch: mismatch(400),
      'by-operation': mismatch(403),
    },
    'The current password is not given',
  )

export function needMatch(c: AdmittedCall, user: User, current: string): void {
  if (user.password !== current)
    refuseBy(c, 'password-current-wrong', { invalid: mismatch(400), forbidden: mismatch(403) })
}

/** Whether the present password will do as the new one. */
export function needOther(c: AdmittedCall, user: User, password: string): void {
  if (user.password === password)
    refuseBy(
      c,
      'password-same',
      { refused: ['invalid-value', 'password'] },
      'The new password is the old one',
    )
}
