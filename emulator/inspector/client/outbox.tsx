/** Mail that a real tracker would have sent, the newest first. */
import type { Mail } from '../../types.js'
import { Empty } from './ui.js'

export function Outbox({ mails }: { mails: readonly Mail[] }) {
  if (mails.length === 0) return <Empty>No mail was sent.</Empty>
  return (
    <ol class="list">
      {mails.toReversed().map(({ id, at, kind, to, user, changes }) => (
        <li key={id} class="box">
          <p>
            <b>{kind}</b> to <code>{to || 'nobody'}</code> <span class="muted">{user.username}</span>{' '}
            <time dateTime={at}>{at.slice(0, 19).replace('T', ' ')}</time>
          </p>
          <ul>
            {changes.map(({ field, from, to: now }) => (
              <li key={field}>
                {field}: <del>{from || '–'}</del> {now || '–'}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}
