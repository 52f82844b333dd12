/** Finds the caller: by bearer token, by session cookie, or by the header for acting as another user. */
import type { Decisions } from '../decisions/index.js'
import { levels } from '../state/levels.js'
import type { Store, Token, User } from '../state/store.js'
import { has, needImpersonator } from './access.js'
import type { Call } from './call.js'
import { Refused, type RefusedOptions, refuse, refuseBy, refuseFor } from './errors.js'

export const SESSION_COOKIE = 'tracker_session'

export function authenticate(call: Call): void {
  const { headers, store, decisions } = call
  const authorization = headers.get('authorization')
  const session = authorization === null ? sessionOf(call) : bearerOf(authorization, call)
  const owner = session && store.db.users.find('id', session.user_id)
  if (!session || !owner)
    throw unauthenticated(decisions, { detail: 'No token of this tracker was presented' })
  if (!owner.enabled) {
    const detail = `The account ${owner.username} is disabled`
    const decision = 'disabled-caller-token'
    if (decisions[decision] === 'unauthenticated') throw unauthenticated(decisions, { detail, decision })
    refuseFor(decision, 'access-denied', detail)
  }
  if (!has(owner, levels.viewer)) {
    const detail = `The interface needs level ${levels.viewer}; ${owner.username} has ${owner.access_level}`
    refuseBy(call, 'low-level-caller', detail, { refused: 'access-denied' })
  }
  // A request to impersonate comes from the token's owner, even while the token acts as another user.
  const switched = call.operation === 'impersonateUser' ? null : session.acting_as
  const other = switched == null ? undefined : store.db.users.find('id', switched)
  const self = other?.enabled ? other : owner
  const name = headers.get('x-mantis-username')
  const acts = name !== null && decisions['impersonation-header'] !== 'ignored'
  call.caller = acts ? actingFor(self, name, store, decisions) : self
  call.session = session
}

const challenges = { bearer: 'Bearer', realm: 'Bearer realm="tracker", error="invalid_token"', none: null }

function unauthenticated(decisions: Decisions, why: Pick<RefusedOptions, 'detail' | 'decision'>): Refused {
  const challenge = challenges[decisions['unauthenticated-header']]
  const headers = challenge === null ? {} : { headers: { 'www-authenticate': challenge } }
  return new Refused('unauthenticated', { ...why, ...headers })
}

/** Lenient: credentials may be separated by commas, with the scheme in any case or absent; the first valid one counts. */
function bearerOf(authorization: string, { store, decisions }: Call): Token | undefined {
  const usable = (secret: string) => {
    const token = store.db.tokens.find('secret', secret)
    return token && token.kind !== 'cookie' ? token : undefined
  }
  const plain = /^Bearer ([^\s,]+)$/.exec(authorization)?.[1]
  if (plain !== undefined || decisions['bearer-scheme-parsing'] === 'strict') return usable(plain ?? '')
  const secrets = authorization.split(',').map((part) => part.trim().replace(/^bearer\s+/i, ''))
  return secrets.map(usable).find((token) => token !== undefined)
}

function sessionOf({ headers, store }: Call): Token | undefined {
  const cookie = headers.get('cookie') ?? ''
  const secret = new RegExp(`(?:^|;)\\s*${SESSION_COOKIE}=([^;\\s]+)`).exec(cookie)?.[1]
  const token = secret === undefined ? undefined : store.db.tokens.find('secret', secret)
  return token?.kind === 'cookie' ? token : undefined
}

/** The user as whom the caller acts in a single request; nothing is stored. */
function actingFor(owner: User, name: string, store: Store, decisions: Decisions): User {
  const target = store.db.users.find('username', store.collation.username(name))
  needImpersonator(owner, decisions, `act for ${name}`)
  if (!target) refuse('user-not-found-by-name', { with: [name] })
  if (target.id === owner.id) refuse('access-denied', { detail: 'Nobody acts for oneself' })
  if (!target.enabled) refuse('access-denied', { detail: `The account ${name} is disabled` })
  if (target.access_level > owner.access_level)
    refuse('access-denied', { detail: `${name} has a higher level than ${owner.username}` })
  return target
}
