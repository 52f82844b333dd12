/** The user in the path: an id or a username in one segment. */
import { managesUsers } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse } from '../request/errors.js'
import { refuseBy } from '../request/refuse-by.js'
import type { User } from '../state/store.js'

/** Nobody by that id or name, or nobody that the caller may know of. */
export function refuseUnknownUser(c: AdmittedCall, segment: string): never {
  const digits = /^\d+$/.test(segment)
  const number = c.decisions['user-not-found-number']
  refuse(digits ? 'user-not-found-by-id' : 'user-not-found-by-name', {
    with: [segment],
    ...(number === 'by-form'
      ? {}
      : { number: number === 'none' ? null : 811, decision: 'user-not-found-number' }),
  })
}

function userAt(c: AdmittedCall, segment: string): User | undefined {
  const { users } = c.store.db
  const byName = () => users.find('username', c.store.collation.username(segment))
  const digits = /^\d+$/.test(segment)
  const byId = () => (digits ? users.find('id', Number(segment)) : undefined)
  switch (c.decisions['user-segment-rule']) {
    case 'digits-are-id':
      return digits ? byId() : byName()
    case 'id-then-username':
      return byId() ?? byName()
    case 'username-first':
      return byName() ?? byId()
  }
}

export function findUser(c: AdmittedCall): User {
  const segment = c.path.user_id ?? ''
  if (segment === 'me' && c.decisions['user-segment-me'] === 'caller') return c.caller
  const found = userAt(c, segment)
  if (found) return found

  const leaky = c.operation === 'getUser' || c.operation === 'updateUser'
  if (leaky && !managesUsers(c))
    refuseBy(
      c,
      'id-existence-leak',
      { forbidden: 'access-denied' },
      `No such user, which ${c.caller.username} may not know`,
    )
  if (/^0+$/.test(segment)) refuseZero(c, leaky)
  refuseUnknownUser(c, segment)
}

function refuseZero(c: AdmittedCall, checksForm: boolean): void {
  const invalid = ['invalid-value', 'user_id'] as const
  const cases = checksForm ? { invalid, 'by-operation': invalid } : { invalid }
  refuseBy(c, 'user-id-zero-negative', cases)
}
