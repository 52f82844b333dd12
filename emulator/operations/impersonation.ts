/** Operation 10: a caller acts as somebody else. */
import { letters } from '../random.js'
import { impersonationNeeds, mayImpersonate } from '../request/access.js'
import { written } from '../request/answers.js'
import { SESSION_COOKIE } from '../request/auth.js'
import type { AdmittedCall } from '../request/call.js'
import { define } from '../request/operation.js'
import { refuseBy, refuseFor } from '../request/refuse-by.js'
import type { Token, User } from '../state/store.js'
import { findUser } from '../users/find.js'
import { userRecord } from '../users/record.js'

export const impersonateUser = define({
  gate(c) {
    if (!mayImpersonate(c.caller, c.decisions))
      refuseFor(
        'impersonate-permission',
        'access-denied',
        `To impersonate users ${impersonationNeeds(c.decisions)}; ${c.caller.username} has ${c.caller.access_level}`,
      )
    if (c.session.kind !== 'api')
      refuseBy(
        c,
        'impersonate-chain-end',
        { 'nested-refused': 'access-denied' },
        'The session is an impersonated one',
      )
  },
  find: findUser,
  guard(c, user) {
    const { username, access_level } = c.caller
    const invalid = ['invalid-value', 'user_id'] as const
    if (user.id === c.caller.id)
      refuseBy(c, 'impersonate-self', { invalid, forbidden: 'access-denied' }, 'Nobody impersonates oneself')
    if (!user.enabled)
      refuseBy(
        c,
        'impersonate-disabled',
        { 'not-found': ['user-not-found-by-name', user.username], invalid, forbidden: 'access-denied' },
        `The account ${user.username} is disabled`,
      )
    if (user.access_level > access_level)
      refuseBy(
        c,
        'impersonate-higher',
        { refused: 'access-denied' },
        `${user.username} has level ${user.access_level}, ${username} has ${access_level}`,
      )
    if (user.protected)
      refuseBy(
        c,
        'impersonate-protected',
        { refused: 'protected-account' },
        `The account ${user.username} is protected`,
      )
  },
  run(c, user) {
    const effect = c.decisions['impersonate-effect']
    let token: string | undefined
    if (effect === 'token-switches') {
      c.store.db.tokens.change(c.session, { acting_as: user.id })
    } else if (effect !== 'token') {
      const cookie = startSession(c, user, 'cookie')
      c.answerHeaders.push(['set-cookie', `${SESSION_COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Lax`])
    }
    if (effect === 'token' || effect === 'cookie-and-token') token = startSession(c, user, 'bearer')
    return written(`Impersonating ${user.username}`, 'user', {
      ...userRecord(c, user, ['id', 'name', 'access_level']),
      impersonated_by: c.caller.username,
      ...(token === undefined ? {} : { token }),
    })
  },
})

/** A tracker that runs for days must not grow by sessions that nobody ends. */
const SESSION_LIMIT = 1000

/** The oldest of all sessions ends once there are too many. */
function startSession(c: AdmittedCall, user: User, kind: 'cookie' | 'bearer'): string {
  const id = c.store.nextId('token')
  const secret = letters(32, id)
  const { tokens } = c.store.db
  tokens.add({
    id,
    user_id: user.id,
    name: `impersonated by ${c.caller.username}`,
    secret,
    kind,
    created_at: c.now().toISOString(),
    used_at: null,
  })
  const sessions = tokens.rows.filter((token) => token.kind !== 'api')
  if (sessions.length > SESSION_LIMIT) tokens.remove(sessions[0] as Token)
  return secret
}
