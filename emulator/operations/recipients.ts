/** Operation 20: deletes a helpdesk recipient. */
import { needGate } from '../request/access.js'
import { written } from '../request/answers.js'
import { refuseBy } from '../request/errors.js'
import { positiveId } from '../request/json.js'
import { define } from '../request/operation.js'

export const deleteHelpdeskRecipient = define({
  gate: (c) => needGate(c, 'recipient-permission', 'delete helpdesk recipients'),
  find(c) {
    const text = c.path.recipient_id ?? ''
    const id = positiveId(text)
    if (id === 0)
      refuseBy(c, 'recipient-bad-id', `Not an id: ${text}`, { invalid: ['invalid-value', 'recipient_id'] })
    const recipient = c.store.db.recipients.find('id', id)
    if (recipient) return recipient
    const unknown = { condition: 'plugin-entity-not-found', with: [`recipient ${text}`] } as const
    refuseBy(c, 'recipient-unknown', { 'entity-not-found': unknown, none: { ...unknown, number: null } })
  },
  run(c, recipient) {
    c.store.db.recipients.remove(recipient)
    return written(`Recipient ${recipient.id} deleted`, 'recipient', { id: recipient.id })
  },
})
