/** Changing a password: who must know the present one. */

import type { AdmittedCall } from '../request/call.js'
import { refuse } from '../request/errors.js'
import type { User } from '../state/store.js'
import type { UserValues } from './values.js'

/** For an update of a user that names a password. A blank one means "leave it", unless decided otherwise. */
export function needCurrentPassword(c: AdmittedCall, user: User, values: UserValues): void {
  if (!values.password) {
    if (c.decisions['password-blank-new'] === 'refused') refuseBlank()
    delete values.password
    return
  }
  const self = user.id === c.caller.id
  const who = c.decisions['update-password-who']
  if (!self && who === 'others-refused')
    refuse('access-denied', { detail: 'Nobody sets the password of others', decision: 'update-password-who' })
  if (who === 'all-need-current' || (self && who !== 'nobody-needs-current')) {
    // A manager proves to be the manager, not to know the password of somebody else.
    if (values.password_current === undefined) refuseMissing(c)
    needMatch(c, c.caller, values.password_current)
  }
  needOther(c, user, values.password)
}

export const refuseBlank = () =>
  refuse('invalid-value', {
    with: ['password'],
    detail: 'The new password is blank',
    decision: 'password-blank-new',
  })

function refuseMissing(c: AdmittedCall): never {
  const how = c.decisions['password-current-missing']
  const detail = 'The current password is not given'
  const decision = 'password-current-missing'
  if (how === 'empty-field') refuse('empty-field', { with: ['password_current'], detail, decision })
  refuse('current-password-mismatch', { detail, decision, status: how === 'mismatch' ? 400 : 403 })
}

export function needMatch(c: AdmittedCall, user: User, current: string): void {
  if (user.password === current) return
  const decision = 'password-current-wrong'
  refuse('current-password-mismatch', { decision, status: c.decisions[decision] === 'invalid' ? 400 : 403 })
}

/** Whether the present password will do as the new one. */
export function needOther(c: AdmittedCall, user: User, password: string): void {
  if (user.password === password && c.decisions['password-same'] === 'refused')
    refuse('invalid-value', {
      with: ['password'],
      detail: 'The new password is the old one',
      decision: 'password-same',
    })
}
