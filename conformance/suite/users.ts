/** Users as checks make, change and read them. */

import type { Answer } from '../client/call.js'
import type { OperationId } from '../contract/index.js'
import { perRun } from './once.js'
import type { Moment } from './series.js'
import type { Check, OwnUser } from './types.js'

/** Creates a user with this in the body; null where it was not answered 200. */
export async function createUser(t: Check, overrides: object = {}) {
  const body = t.run.own.userBody(overrides)
  const answer = await t.send({ operation: 'createUser', body })
  return { body, answer, user: answer.status === 200 ? await t.run.own.adoptUser(body, answer) : null }
}

export const readUser = (t: Pick<Check, 'send'>, user_id: string | number) =>
  t.send({ operation: 'getUser', path: { user_id } })

export const updateUser = (t: Check, user_id: string | number, body: object) =>
  t.send({ operation: 'updateUser', path: { user_id }, body })

/** The user, and the edit page. Always both, whatever their status. */
export async function views(
  t: Pick<Check, 'send'>,
  user: Pick<OwnUser, 'username'>,
): Promise<readonly [user: Answer, page: Answer]> {
  const path = { user_id: user.username }
  return [await readUser(t, user.username), await t.send({ operation: 'getUserEditPage', path })]
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

/** A valid creation answered 400 says nothing while the profile leaves the password rules unknown. */
export function refusedForThePassword(t: Check, status: number): boolean {
  return status === 400 && t.profile.password?.valid === undefined
}

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
  const send = (body: object) => updateUser(t, username, body)
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
