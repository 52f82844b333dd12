/** What a tracker shows of a user. */
import type { OperationId } from '../contract/index.js'
import type { Answer } from '../target/client.js'
import type { Check } from './check.js'
import { flagIn } from './look.js'
import type { OwnUser } from './own.js'

/** The user, and the edit page. Always both, whatever their status. */
export async function views(t: Check, user: OwnUser): Promise<readonly Answer[]> {
  const path = { user_id: user.username }
  return [await t.send({ operation: 'getUser', path }), await t.send({ operation: 'getUserEditPage', path })]
}

/** A flag of a user, where the tracker shows it, must have this value. */
export async function showsFlag(
  t: Check,
  user: OwnUser,
  field: string,
  value: boolean,
  culprit: OperationId = 'updateUser',
): Promise<void> {
  for (const shown of await views(t, user)) {
    const flag = shown.status === 200 ? flagIn(shown.json, field) : null
    t.verify(
      flag === null || flag === value,
      `${field} is shown as ${flag} after it was set to ${value}`,
      shown,
      culprit,
    )
  }
}

/** A valid creation answered 400 says nothing while the profile leaves the password rules unknown. */
export function refusedForThePassword(t: Check, status: number): boolean {
  return status === 400 && t.profile.password?.valid === undefined
}
