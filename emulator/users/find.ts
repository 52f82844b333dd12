/** Finds the user in the path: an id or a username in one segment. */
import { managesUsers } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse, refuseBy, refuseFor } from '../request/errors.js'
import type { User } from '../state/store.js'

/** Refuses because there is no such user, or none that the caller may know about. */
export function refuseUnknownUser(c: AdmittedCall, segment: string): never {
  const how = c.decisions['user-not-found-number']
  const condition = /^\d+$/.test(segment) ? 'user-not-found-by-id' : 'user-not-found-by-name'
  if (how === 'by-form') refuse(condition, { with: [segment] })
  const number = how === 'none' ? null : 811
  refuseFor('user-not-found-number', { condition, with: [segment], number })
}

function userAt(c: AdmittedCall, segment: string): User | undefined {
  const { users } = c.store.db
  const named = users.find('username', c.store.collation.username(segment))
  const digits = /^\d+$/.test(segment)
  const numbered = digits ? users.find('id', Number(segment)) : undefined
  return {
    'digits-are-id': digits ? numbered : named,
    'id-then-username': numbered ?? named,
    'username-first': named ?? numbered,
  }[c.decisions['user-segment-rule']]
}

export function findUser(c: AdmittedCall): User {
  const segment = c.path.user_id ?? ''
  if (segment === 'me' && c.decisions['user-segment-me'] === 'caller') return c.caller
  const found = userAt(c, segment)
  if (found) return found

  const leaky = c.operation === 'getUser' || c.operation === 'updateUser'
  if (leaky && !managesUsers(c))
    refuseBy(c, 'id-existence-leak', `No such user, which ${c.caller.username} may not know`, {
      forbidden: 'access-denied',
    })
  if (/^0+$/.test(segment)) {
    const invalid = ['invalid-value', 'user_id'] as const
    refuseBy(c, 'user-id-zero-negative', leaky ? { invalid, 'by-operation': invalid } : { invalid })
  }
  refuseUnknownUser(c, segment)
}
