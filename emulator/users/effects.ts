/** What follows from a change of a user: mail in the outbox, sessions that end, preferences that are kept. */

import { letters } from '../random.js'
import type { Context } from '../request/operation.js'
import { setPreference } from '../request/shared.js'
import type { Notification, User } from '../state/store.js'
import type { UserValues } from './values.js'

export const mails = (c: Context) => c.decisions['mail-mode'] === 'on'

/** A tracker that runs for days must not grow by messages that nobody fetches. */
const OUTBOX_LIMIT = 1000

/**
 * Puts into the outbox what a real tracker would send, where it pushes out the oldest once there are too many. Accounts
 * without an address get none.
 */
export async function notify(
  c: Context,
  user: User,
  kind: Notification['kind'],
  { to = user.email, changes = [] }: { to?: string; changes?: Notification['changes'] } = {},
): Promise<void> {
  if (!mails(c) || to === '' || c.decisions['mail-and-events'] === 'none') return
  const { notifications } = c.store.db
  const id = c.store.nextId('notification')
  await notifications.create({
    id,
    at: c.now().toISOString(),
    kind,
    user_id: user.id,
    to,
    changes,
  })
  if (notifications.rows.length > OUTBOX_LIMIT) notifications.delete(notifications.rows[0] as never)
}

/** Nobody knows it, and it is the same for the same tracker at the same time. */
export const madeUpPassword = (c: Context, user: number) =>
  letters(16, user * 7919 + (c.now().getTime() % 1e9))

/** The fields that a new password changes: an address that waits to be confirmed is dropped with the old one. */
export function newPassword(c: Context, user: User, password: string): Partial<User> {
  const drops = password !== user.password && c.decisions['password-effects'] !== 'nothing'
  return { password, ...(drops ? { email_pending: null } : {}) }
}

/** Ends what was begun with the old password, as far as the decisions say so. */
export async function endOldSessions(c: Context, user: User): Promise<void> {
  const how = c.decisions['password-effects']
  if (how !== 'nothing') await endSessions(c, user, how === 'tokens-revoked')
}

export async function endSessions(c: Context, user: User, tokensToo: boolean): Promise<void> {
  const { tokens } = c.store.db
  for (const token of tokens.having('user', user.id))
    if (tokensToo || token.kind !== 'api') tokens.remove(token)
  const switched = tokens.rows.filter(({ acting_as }) => acting_as === user.id)
  for (const token of switched) await tokens.change(token, { acting_as: null })
}

export async function savePreferences(c: Context, user: User, values: UserValues): Promise<void> {
  if (values.language !== undefined) await setPreference(c, user, 'language', values.language)
  if (values.timezone !== undefined) await setPreference(c, user, 'timezone', values.timezone)
}

/** The fields of a user that are stored as they are given. */
export function optionalFields(c: Context, values: UserValues): Partial<User> {
  const { client_preferred, avatar } = values
  return {
    ...(client_preferred === undefined || c.decisions['create-client-preferred'] === 'ignored'
      ? {}
      : { client_preferred }),
    ...(avatar === undefined || c.decisions['create-avatar'] === 'ignored' ? {} : { avatar }),
  }
}
