/** Sessions that an impersonation has started, in the forms in which an answer can hand one out. */
import type { OperationId } from '../contract/index.js'
import type { Answer, Call } from '../target/call.js'
import { isObject, mentions, values } from '../target/look.js'
import type { Check } from './check.js'

export type Credentials = Pick<Call, 'authorization' | 'headers'>

export interface Session {
  readonly credentials: Credentials
  /** Its account page: of whom it is is for the page to say. */
  readonly page: Answer
}

/** Those that the target accepts without the administrator's token. */
export async function sessionsIn(t: Check, answer: Answer): Promise<Session[]> {
  const candidates: Credentials[] = tokensIn(answer.json).map((token) => {
    t.run.client.redact.hide(token)
    return { authorization: `Bearer ${token}` }
  })
  const cookie = cookieOf(answer)
  if (cookie !== null) candidates.push({ authorization: null, headers: { Cookie: cookie } })
  const sessions: Session[] = []
  for (const credentials of candidates) {
    const page = await t.send({ operation: 'getAccountPage', ...credentials })
    if (page.status === 200) sessions.push({ credentials, page })
  }
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
