/** Puts into the ledger whatever a request may make, before it leaves: who sent it and why does not matter. */
import type { Answer, Call } from '../target/client.js'
import type { Ledger, Resource } from './ledger.js'
import { isObject } from './look.js'

export function createRecorder(ledger: Ledger) {
  const pending = new Map<Call, Resource>()
  return {
    onCall(call: Call): void {
      const made = madeBy(call)
      if (made === null || ledger.has(made)) return
      ledger.intend(made)
      pending.set(call, made)
    },
    onAnswer({ status }: Answer, call: Call): void {
      const made = pending.get(call)
      pending.delete(call)
      // Kept, since a faulty tracker may do what it refuses; the sweep looks whether it is there.
      if (made && status >= 400) ledger.update(made.name, { ...made, refused: true })
    },
  }
}

/** A user by creation or renaming, or a custom field. */
function madeBy({ operation, body }: Call): Resource | null {
  if (!isObject(body)) return null
  if (operation === 'createUser' || operation === 'updateUser') {
    const { username } = body
    return typeof username === 'string' ? { kind: 'user', name: username, id: null } : null
  }
  if (operation === 'createCustomField' && isObject(body.custom_field)) {
    const { name } = body.custom_field
    return typeof name === 'string' ? { kind: 'customField', name, id: null } : null
  }
  return null
}
