/** Sessions that an impersonation has started, in the forms in which an answer can hand one out. */

import type { Answer, Call } from '../client/call.js'
import { isObject, mentions, values } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { usernameOf } from './identity.js'
import type { Check } from './types.js'

export type Credentials = Pick<Call, 'authorization' | 'headers'>

export interface Session {
  readonly credentials: Credentials
  /** Its account page: of whom it is is for the page to say. */
  readonly page: Answer
}

/**
 * Those that the target accepts without the administrator's token; a cookie also beside it, where it then is no longer the
 * administrator who asks.
 */
export async function sessionsIn(t: Check, answer: Answer): Promise<Session[]> {
  const sessions: Session[] = []
  async function accept(credentials: Credentials, isOne: (page: Answer) => boolean = () => true) {
    const page = await t.send({ operation: 'getAccountPage', ...credentials })
    if (page.status === 200 && isOne(page)) sessions.push({ credentials, page })
    return page.status === 200
  }
  for (const token of tokensIn(answer.json)) {
    t.run.client.redact.hide(token)
    await accept({ authorization: `Bearer ${token}` })
  }
  const cookie = cookieOf(answer)
  if (cookie === null) return sessions
  const headers = { Cookie: cookie }
  if (await accept({ authorization: null, headers })) return sessions
  const caller = await usernameOf(t, 'administrator')
  if (caller !== null) await accept({ headers }, ({ json }) => !mentions(json, caller))
  return sessions
}

/** Whether its page is that of this user. */
export const isOf = ({ page }: Session, username: string): boolean => mentions(page.json, username)

export const FOR_NOBODY = 'the administrator of the profile may impersonate nobody, as far as the run may see'

/** Whether an impersonation was answered 403, and is so for any user: a permission that nobody has is one too. */
export async function isForNobody(t: Check, operation: OperationId, answer: Answer): Promise<boolean> {
  if (operation !== 'impersonateUser' || answer.status !== 403) return false
  if (!t.allows('destructive')) return true
  const { username, id } = await t.run.own.sharedUser()
  for (const user_id of [username, ...(id === null ? [] : [id])]) {
    const other = await t.send({ operation, path: { user_id } })
    if (other.status !== 403) return false
  }
  return true
}

/** Texts under a name that speaks of a token, other than one to go back with or one against forgery. */
function tokensIn(json: unknown): string[] {
  const members = [...values(json)].filter(isObject).flatMap(Object.entries)
  const tokens = members.flatMap(([name, value]) =>
    /token|session|bearer|secret/i.test(name) &&
    !/csrf|xsrf|return|restore|back|former|previous|original|caller|admin|refresh/i.test(name) &&
    typeof value === 'string' &&
    /^[\w.~+/=-]{8,4096}$/.test(value)
      ? [value]
      : [],
  )
  return [...new Set(tokens)]
}

/** As the one header that a browser would make of all that were set. */
function cookieOf({ headers }: Answer): string | null {
  const set = headers['set-cookie']
  if (set === undefined) return null
  // Joined with commas, which stand in dates too.
  const pairs = set.split(/,(?=\s*[\w!#$%&'*.^`|~+-]+=)/).map((one) => one.split(';')[0]?.trim() ?? '')
  return pairs.filter((pair) => /^[^=]+=.+/.test(pair)).join('; ') || null
}
