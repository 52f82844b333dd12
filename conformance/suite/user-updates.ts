/** Updates of users, in the form that a tracker takes. */

import type { Answer } from '../target/call.js'
import { perRun } from './once.js'
import type { Check } from './types.js'

/** What was accepted first of each kind; by how many steps it says less than the whole. Then a refusal has another reason. */
const accepted = perRun(() => new Map<string, number>())

/**
 * Changes something about a user, and names what shall stay as well: the address, without which there is nowhere to send a
 * reset to, and what else is given. An update may clear what it does not name. Nor need it accept what is so already,
 * so where none was accepted yet, one that is refused with 400 is sent again with less.
 */
export async function updateNaming(
  t: Check,
  { username, email }: { readonly username: string; readonly email: string },
  changes: object,
  alike: object = {},
): Promise<Answer> {
  const send = (body: object) => t.send({ operation: 'updateUser', path: { user_id: username }, body })
  const kind = Object.keys(alike).join()
  const forms = [{ ...changes, email, ...alike }, ...(kind ? [{ ...changes, email }] : []), changes]
  const known = accepted(t.run)
  const proven = known.get(kind)
  let place = proven ?? 0
  let answer = await send(forms[place] ?? changes)
  while (proven === undefined && answer.status === 400 && place + 1 < forms.length) {
    place += 1
    answer = await send(forms[place] ?? changes)
  }
  if (answer.status === 200) known.set(kind, place)
  return answer
}
