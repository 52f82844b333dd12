/** Operation 10: a caller acts as another user. */
import { letters } from '../random.js'
import { impersonationNeeds, mayImpersonate } from '../request/access.js'
import { written } from '../request/answers.js'
import { SESSION_COOKIE } from '../request/auth.js'
import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/errors.js'
import { define } from '../request/operation.js'
import type { Token, User } from '../state/store.js'
import { findUser } from '../users/find.js'
import { userRecord } from '../users/record.js'

export const impersonateUser = define({
  gate(c) {
    const { username, access_level } = c.caller
    if (!mayImpersonate(c.caller, c.decisions)) {
      const detail = `To impersonate users ${impersonationNeeds(c.decisions)}; ${username} has ${access_level}`
      refuseFor('impersonate-permission', 'access-denied', detail)
    }
    if (c.session.kind !== 'api')
      refuseBy(c, 'impersonate-chain-end', 'The session is an impersonated one', {
        'nested-refused': 'access-denied',
      })
  },
  find: findUser,
  guard(c, user) {
    const { username, access_level } = c.caller
    const invalid = ['invalid-value', 'user_id'] as const
    if (user.id === c.caller.id)
      refuseBy(c, 'impersonate-self', 'Nobody impersonates oneself', { invalid, forbidden: 'access-denied' })
    if (!user.enabled)
      refuseBy(c, 'impersonate-disabled', `The account ${user.username} is disabled`, {
        'not-found': ['user-not-found-by-name', user.username],
        invalid,
        forbidden: 'access-denied',
      })
    if (user.access_level > access_level) {
      const detail = `${user.username} has level ${user.access_level}, ${username} has ${access_level}`
      refuseBy(c, 'impersonate-higher', detail, { refused: 'access-denied' })
    }
    if (user.protected)
      refuseBy(c, 'impersonate-protected', `The account ${user.username} is protected`, {
        refused: 'protected-account',
      })
  },
  run(c, user) {
    const effect = c.decisions['impersonate-effect']
    if (effect === 'token-switches') c.store.db.tokens.change(c.session, { acting_as: user.id })
    if (effect === 'cookie' || effect === 'cookie-and-token') {
      const cookie = startSession(c, user, 'cookie')
      c.answerHeaders.push(['set-cookie', `${SESSION_COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Lax`])
    }
    const isTold = effect === 'token' || effect === 'cookie-and-token'
    return written(`Impersonating ${user.username}`, 'user', {
      ...userRecord(c, user, ['id', 'name', 'access_level']),
      impersonated_by: c.caller.username,
      ...(isTold ? { token: startSession(c, user, 'bearer') } : {}),
    })
  },
})

/** Limits the sessions on a tracker that runs for days, since nobody may end them. */
const SESSION_LIMIT = 1000

function startSession(c: AdmittedCall, user: User, kind: 'cookie' | 'bearer'): string {
  const id = c.store.nextId('tokens')
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
