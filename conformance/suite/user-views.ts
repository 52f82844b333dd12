/** What a tracker shows of a user. */

import type { OperationId } from '../contract/index.js'
import type { Answer } from '../target/call.js'
import type { Moment } from './series.js'
import type { Check, OwnUser } from './types.js'

/** The user, and the edit page. Always both, whatever their status. */
export async function views(
  t: Pick<Check, 'send'>,
  user: Pick<OwnUser, 'username'>,
): Promise<readonly [user: Answer, page: Answer]> {
  const path = { user_id: user.username }
  return [await t.send({ operation: 'getUser', path }), await t.send({ operation: 'getUserEditPage', path })]
}

export async function viewsOfAll(
  t: Pick<Check, 'send'>,
  users: readonly Pick<OwnUser, 'username'>[],
): Promise<Answer[]> {
  const pages: Answer[] = []
  for (const user of users) pages.push(...(await views(t, user)))
  return pages
}

export const shownOf = (answers: readonly Answer[]): Moment['shown'] =>
  Object.fromEntries(
    answers
      .filter(({ status }) => status === 200)
      .map((answer) => [answer.operation, { answer, json: answer.json }]),
  )

/** `read`: the one that is enough; default both. */
export const viewsShown = async (
  t: Check,
  user: Pick<OwnUser, 'username'>,
  read: OperationId | null = null,
): Promise<Moment['shown']> =>
  shownOf(
    read === null
      ? await views(t, user)
      : [await t.send({ operation: read, path: { user_id: user.username } })],
  )

/** How a user that was made plainly looks now, or after an answer. */
export async function plainMoment(t: Check, user: OwnUser, after?: Answer): Promise<Moment> {
  const { realname, email, username } = user
  const level = t.profile.accessLevel
  const given = { realname, email, username, ...(level === undefined ? {} : { access_level: level }) }
  const pages = await views(t, user)
  const state = { ...given, enabled: true, protected: false }
  return { answer: after ?? pages[0], given: [], state, shown: shownOf(pages) }
}

/** Whom to blame where a user is not read by its new name: the read alone, if there is an edit page under that name. */
export async function culpritOfRename(t: Check, user_id: string): Promise<OperationId> {
  const page = await t.send({ operation: 'getUserEditPage', path: { user_id } })
  return page.status === 200 ? 'getUser' : 'updateUser'
}

/** A valid creation answered 400 says nothing while the profile leaves the password rules unknown. */
export function refusedForThePassword(t: Check, status: number): boolean {
  return status === 400 && t.profile.password?.valid === undefined
}
