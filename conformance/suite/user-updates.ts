/** Updates of users, in the form that a tracker takes. */
import type { Answer } from '../target/client.js'
import type { Check } from './check.js'

/**
 * Changes something about a user, and names what shall stay as well: the address, without which there is nowhere to send a
 * reset to, and what else is given. An update may clear what it does not name. Nor need it accept what is so already,
 * so one that is refused with 400 is sent again with less.
 */
export async function updateNaming(
  t: Check,
  { username, email }: { readonly username: string; readonly email: string },
  changes: object,
  alike: object = {},
): Promise<Answer> {
  const path = { user_id: username }
  const send = (body: object) => t.send({ operation: 'updateUser', path, body, effect: 'write' })
  const whole = await send({ ...changes, email, ...alike })
  if (whole.status !== 400) return whole
  const addressed = Object.keys(alike).length > 0 ? await send({ ...changes, email }) : whole
  return addressed.status === 400 ? send(changes) : addressed
}
