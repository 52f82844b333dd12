/** What a real tracker would have mailed. */
import type { Collections, Notification } from '../state/store.js'
import type { Mail } from './reports.js'

export function mailsOf({ users }: Collections, notifications: readonly Notification[]): Mail[] {
  return notifications.map(({ id, at, kind, to, user_id, changes }) => ({
    id,
    at,
    kind,
    to,
    user: { id: user_id, username: users.find('id', user_id)?.username ?? '' },
    changes,
  }))
}
