/** Whom a token speaks for, as far as the account page tells. */

import type { Identity } from '../target/call.js'
import { usernameOf as nameBehind } from '../target/callers.js'
import { idOf, recordsWith } from '../target/look.js'
import { oncePerRun } from './once.js'
import type { Check, Run } from './types.js'

const found = new WeakMap<Run, Map<Identity, string>>()

/** The username behind a token; null where its account page shows none that addresses itself. Asked for until it is known. */
export async function usernameOf(t: Check, as: Identity): Promise<string | null> {
  const known = found.get(t.run) ?? new Map<Identity, string>()
  found.set(t.run, known)
  const name = known.get(as) ?? (await usernameNow(t, as))
  if (name !== null) known.set(as, name)
  return name
}

/** The same as the account page has it now. */
export const usernameNow = (t: Check, as: Identity): Promise<string | null> =>
  nameBehind((call) => t.send(call), t.profile, as)

interface Names {
  readonly usernames: readonly string[]
  /** As text. */
  readonly ids: readonly string[]
}

/** Users that are surely there, the administrator first where its name is known. */
export const namesOf = oncePerRun(async (t: Check): Promise<Names> => {
  const { user } = t.profile
  const own = await usernameOf(t, 'administrator')
  const page = own === null ? undefined : (await t.send({ operation: 'getAccountPage' })).json
  const [id] = own === null ? [] : recordsWith(page, own).map((record) => idOf(record, 'user'))
  return {
    usernames: [own, user?.username].filter((name) => typeof name === 'string'),
    ids: [id, user?.id].filter((one) => typeof one === 'number').map(String),
  }
})
