/** Operation 20: a helpdesk recipient is deleted. */
import { needGate } from '../request/access.js'
import { written } from '../request/answers.js'
import { refuse } from '../request/errors.js'
import { positiveId } from '../request/ids.js'
import { define } from '../request/operation.js'

export const deleteHelpdeskRecipient = define({
  gate: (c) => needGate(c, 'recipient-permission', 'delete helpdesk recipients'),
  find(c) {
    const text = c.path.recipient_id ?? ''
    const id = positiveId(text)
    if (id === null && c.decisions['recipient-bad-id'] === 'invalid')
      refuse('invalid-value', {
        with: ['recipient_id'],
        detail: `"${text}" is no id`,
        decision: 'recipient-bad-id',
      })
    const recipient = id === null ? undefined : c.store.db.recipients.find('id', id)
    if (recipient) return recipient
    const numberless = c.decisions['recipient-unknown'] === 'none'
    const decision = 'recipient-unknown'
    refuse('plugin-entity-not-found', {
      with: [`recipient ${text}`],
      decision,
      ...(numberless ? { number: null } : {}),
    })
  },
  run(c, recipient) {
    c.store.db.recipients.remove(recipient)
    return written(`Recipient ${recipient.id} deleted`, 'recipient', { id: recipient.id })
  },
})
