/** Operations 1 to 3: the pages of users about their own account, and their password. */
import { passwordBody } from '../../conformance/contract/bodies.js'
import { dateValue, levelValue, projectLevel, viewState } from '../request/access.js'
import { page, written } from '../request/answers.js'
import { readBody } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/errors.js'
import { isObject } from '../request/json.js'
import { define } from '../request/operation.js'
import type { Token } from '../state/store.js'
import { endOldSessions, mails, newPassword } from '../users/effects.js'
import { userRecord, writtenFields } from '../users/record.js'
import { needMatch, needOther, refuseBlank, refuseProtectedPassword } from '../users/rights.js'
import { checkPassword, PASSWORD_LIMIT } from '../users/values.js'

/** Refuses a caller whose account is protected: such an account is shared, so its users may not manage it. */
export function needUnprotected(c: AdmittedCall, kind: 'page' | 'write'): void {
  if (!c.caller.protected) return
  const refused = { refused: 'protected-account' } as const
  const cases = kind === 'page' ? refused : { ...refused, 'pages-readable': 'protected-account' as const }
  refuseBy(c, 'me-protected', `The account ${c.caller.username} is protected`, cases)
}

export const getAccountPage = define({
  gate: (c) => needUnprotected(c, 'page'),
  run(c) {
    const user = userRecord(c, c.caller, writtenFields)
    if (c.decisions['account-page-content'] === 'record') return page('user', user, {})
    const { memberships, projects } = c.store.db
    return page('user', user, {
      projects: projects.rows
        .filter(({ id, enabled }) => enabled && memberships.find('pair', `${c.caller.id}/${id}`))
        .map((project) => ({
          id: project.id,
          name: project.name,
          description: project.description,
          view_state: viewState(c, project),
          level: levelValue(c, projectLevel(c, c.caller, project)),
        })),
      flags: {
        can_change_password: true,
        can_change_email: true,
        can_change_realname: true,
        can_delete: false,
        email_needs_verification: mails(c),
      },
      limits: { password: PASSWORD_LIMIT },
    })
  },
})

export const changeOwnPassword = define({
  gate(c) {
    if (c.caller.protected) refuseProtectedPassword(c, c.caller)
  },
  accept(c) {
    needCurrentPasswordGiven(c)
    const body = readBody(c, passwordBody)
    if (body.password === '') {
      refuseBlank(c)
      refuseFor('password-blank-new', ['empty-field', 'password'])
    }
    return body
  },
  permit(c, _, { password_current, password }) {
    needMatch(c, c.caller, password_current)
    checkPassword(c, password, c.caller.username)
    needOther(c, c.caller, password)
  },
  run(c, _, { password }) {
    const { caller } = c
    if (password !== caller.password) {
      const user = c.store.db.users.change(caller, newPassword(c, caller, password))
      endOldSessions(c, user)
    }
    return written('Password changed', 'user', { id: caller.id, name: caller.username })
  },
})

/** The field is required, so its absence always gives a 400; only the error's number is open. */
function needCurrentPasswordGiven(c: AdmittedCall): void {
  const { body } = c
  if (isObject(body) && (body.password_current ?? null) === null)
    refuseBy(c, 'password-current-missing', 'The current password is not given', {
      mismatch: { condition: 'current-password-mismatch', status: 400 },
    })
}

export const getTokensPage = define({
  gate: (c) => needUnprotected(c, 'page'),
  run(c) {
    const own = c.store.db.tokens.having('user', c.caller.id).filter(({ kind }) => kind === 'api')
    const order = c.decisions['tokens-content']
    const lastUse = (token: Token) => (order === 'by-creation' ? '' : (token.used_at ?? ''))
    const sorted = own.toSorted(
      (a, b) =>
        lastUse(b).localeCompare(lastUse(a)) || a.created_at.localeCompare(b.created_at) || a.id - b.id,
    )
    const tokens = sorted.map((token) => ({
      id: token.id,
      name: token.name,
      ...(order === 'masked' ? { token: `${token.secret.slice(0, 2)}…` } : {}),
      created_at: dateValue(c, token.created_at),
      last_used_at: dateValue(c, token.used_at),
    }))
    return page('tokens', tokens, { flags: { can_create: true, can_revoke: true }, limits: { name: 128 } })
  },
})
