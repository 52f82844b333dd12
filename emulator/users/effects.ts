/** The effects of a change of a user: mail in the outbox, ended sessions, stored preferences. */
import { letters } from '../random.js'
import type { AdmittedCall } from '../request/call.js'
import { withoutUndefined } from '../request/json.js'
import { setPreference } from '../request/preferences.js'
import type { Notification, User } from '../state/store.js'
import type { UserValues } from './values.js'

export const mails = (c: AdmittedCall) => c.decisions['mail-mode'] === 'on'

/** Limits the messages on a tracker that runs for days, since nobody may fetch them. */
const OUTBOX_LIMIT = 1000

/** Adds a mail to the outbox, and removes the oldest if there are too many. Accounts without an address get none. */
export function notify(
  c: AdmittedCall,
  { id: user_id, email }: User,
  kind: Notification['kind'],
  { to = email, changes = [] }: { to?: string; changes?: Notification['changes'] } = {},
): void {
  if (!mails(c) || to === '' || c.decisions['mail-and-events'] === 'none') return
  const { notifications } = c.store.db
  const id = c.store.nextId('notifications')
  notifications.add({ id, at: c.now().toISOString(), kind, user_id, to, changes })
  if (notifications.rows.length > OUTBOX_LIMIT) notifications.remove(notifications.rows[0] as Notification)
}

/** A password that nobody knows; the same tracker makes the same one at the same time. */
export const madeUpPassword = (c: AdmittedCall, user: number) =>
  letters(16, user * 7919 + (c.now().getTime() % 1e9))

/** The fields that a new password changes. An address that is not confirmed yet is dropped with the old password. */
export function newPassword(c: AdmittedCall, user: User, password: string): Partial<User> {
  const drops = password !== user.password && c.decisions['password-effects'] !== 'nothing'
  return { password, ...(drops ? { email_pending: null } : {}) }
}

/** Ends sessions that were started with the old password, according to the decisions. */
export function endOldSessions(c: AdmittedCall, user: User): void {
  const how = c.decisions['password-effects']
  if (how !== 'nothing') endSessions(c, user, how === 'tokens-revoked')
}

export function endSessions(c: AdmittedCall, user: User, tokensToo: boolean): void {
  const { tokens } = c.store.db
  for (const token of tokens.having('user', user.id))
    if (tokensToo || token.kind !== 'api') tokens.remove(token)
  const switched = tokens.rows.filter(({ acting_as }) => acting_as === user.id)
  for (const token of switched) tokens.change(token, { acting_as: null })
}

export function savePreferences(c: AdmittedCall, user: User, values: UserValues): void {
  if (values.language !== undefined) setPreference(c.store, user, 'language', values.language)
  if (values.timezone !== undefined) setPreference(c.store, user, 'timezone', values.timezone)
}

export function optionalFields(c: AdmittedCall, { client_preferred, avatar }: UserValues): Partial<User> {
  return withoutUndefined({
    client_preferred: c.decisions['create-client-preferred'] === 'ignored' ? undefined : client_preferred,
    avatar: c.decisions['create-avatar'] === 'ignored' ? undefined : avatar,
  })
}
