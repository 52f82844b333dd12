/** Whom a token speaks for, as far as the account page tells. */

import type { Identity } from '../target/call.js'
import { usernameOf as nameBehind } from '../target/callers.js'
import { idOf, recordsWith } from '../target/look.js'
import type { Check, Run } from './types.js'

type Asker = Pick<Check, 'send' | 'profile'>

/** The username behind a token; null where its account page shows none that addresses itself. */
export const usernameOf = (t: Asker, as: Identity): Promise<string | null> =>
  nameBehind((call) => t.send(call), t.profile, as)

interface Names {
  readonly usernames: readonly string[]
  /** As text. */
  readonly ids: readonly string[]
}

const names = new WeakMap<Run, Promise<Names>>()

/** Users that are surely there, the administrator first where its name is known. */
export function namesOf(t: Check): Promise<Names> {
  const known = names.get(t.run) ?? find(t)
  names.set(t.run, known)
  known.catch(() => names.delete(t.run))
  return known
}

async function find(t: Check): Promise<Names> {
  const { user } = t.profile
  const own = await usernameOf(t, 'administrator')
  const page = own === null ? undefined : (await t.send({ operation: 'getAccountPage' })).json
  const [id] = own === null ? [] : recordsWith(page, own).map((record) => idOf(record, 'user'))
  return {
    usernames: [own, user?.username].filter((name) => typeof name === 'string'),
    ids: [id, user?.id].filter((one) => typeof one === 'number').map(String),
  }
}
