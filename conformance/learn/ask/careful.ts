/** At `write` a run leaves no enabled user, and at most one thing of a kind, so it sends nothing of which more could stay. */
import type { Ask, Driver } from '../../drive/driver.js'
import { folded, isObject } from '../../oracle/json.js'

/** The request, changed so that its user is disabled where the clean-up may not find it; null where it must not be sent. */
export function careful({ client, habits, profile }: Driver, ask: Ask): Ask | null {
  const { op, body } = ask
  const isCreation = op.startsWith('create')
  if (!isCreation && op !== 'updateUser' && op !== 'updateCustomField') return ask
  if (!isObject(body)) return ask
  const { tag } = client.guard.ledger
  // A tracker may remove markup from a name, and with it the tag by which the clean-up finds the thing.
  const isOwn = (name: unknown) =>
    typeof name === 'string' && folded(name.replace(/<[^>]*>?/g, '')).includes(folded(tag))
  if (/Field$/.test(op)) {
    const { custom_field: part } = body
    const isNamed = isObject(part) && (isOwn(part.name) || (part.name === undefined && !isCreation))
    return isNamed || !isObject(part) ? ask : null
  }
  const { username, protected: flag = false, access_level: level } = body
  // Such a user may not be disabled again.
  if (flag !== false && !habits.canFree) return null
  if (typeof level === 'number' && level > (profile.accessLevel ?? 0)) return null
  if (username === undefined && !isCreation) return ask
  if (!isOwn(username)) return null
  return /^\w{1,40}$/.test(String(username)) ? ask : { ...ask, body: { ...body, enabled: false } }
}
