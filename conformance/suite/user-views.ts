/** What a tracker shows of a user. */

import type { OperationId } from '../contract/index.js'
import type { Answer } from '../target/call.js'
import { flagIn, mentions, recordsWith } from '../target/look.js'
import type { Check, OwnUser } from './types.js'

/** The user, and the edit page. Always both, whatever their status. */
export async function views(
  t: Check,
  user: Pick<OwnUser, 'username'>,
): Promise<readonly [user: Answer, page: Answer]> {
  const path = { user_id: user.username }
  return [await t.send({ operation: 'getUser', path }), await t.send({ operation: 'getUserEditPage', path })]
}

/** What the pages of a user show of its name, address, level and flags, each as a text. */
export function portrait(
  pages: readonly Answer[],
  { realname, email, username }: OwnUser,
  flags: readonly string[],
): ReadonlySet<string> {
  const shown = pages.flatMap(({ operation, json }) => {
    const own = recordsWith(json, username)
    // A page may have flags of others as well.
    const valuesOf = (name: string) =>
      own.length > 0 ? own.map((record) => record[name]) : [flagIn(json, name) ?? undefined]
    return [
      ...[realname, email, username].filter((text) => mentions(json, text)),
      ...[...flags, 'access_level'].flatMap((name) =>
        valuesOf(name)
          .filter((value) => value !== undefined)
          .map((value) => `${name} ${JSON.stringify(value)}`),
      ),
    ].map((fact) => `${operation} ${fact}`)
  })
  return new Set(shown)
}

/** Whether all is shown that was shown before; what was not may be a word on the change itself, as in a history. */
export const keeps = (before: ReadonlySet<string>, after: ReadonlySet<string>): boolean =>
  [...before].every((fact) => after.has(fact))

/** Whom to blame where a user is not read by its new name: the read alone, if there is an edit page under that name. */
export async function culpritOfRename(t: Check, user_id: string): Promise<OperationId> {
  const page = await t.send({ operation: 'getUserEditPage', path: { user_id } })
  return page.status === 200 ? 'getUser' : 'updateUser'
}

/** A valid creation answered 400 says nothing while the profile leaves the password rules unknown. */
export function refusedForThePassword(t: Check, status: number): boolean {
  return status === 400 && t.profile.password?.valid === undefined
}
