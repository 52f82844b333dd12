/** Whom a token speaks for, as far as the account page tells. */

import type { Identity } from '../client/call.js'
import { usernameOf as nameBehind } from '../client/callers.js'
import { idOf, recordsWith } from '../client/look.js'
import { onceFor, oncePerRun } from './once.js'
import type { Check } from './types.js'

/** The username behind a token, as the account page has it now. */
export const usernameNow = (t: Check, as: Identity): Promise<string | null> =>
  nameBehind((call) => t.send(call), t.profile, as)

const nameAtFirst = onceFor(usernameNow)

/** Likewise, asked for until it is known; null where the account page shows none that addresses itself. */
export const usernameOf = async (t: Check, as: Identity): Promise<string | null> =>
  (await nameAtFirst(t, as)) ?? usernameNow(t, as)

const owners = {
  administrator: 'administrator',
  restricted: 'restricted user',
  password: 'password account',
  disabled: 'disabled user',
} as const

/** Likewise, or a skip that says whose it is. */
export const needName = async (t: Check, as: Identity): Promise<string> =>
  (await usernameOf(t, as)) ?? t.skip(`the account page does not show the name of the ${owners[as]}`)

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
