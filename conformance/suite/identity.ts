/** Whom a token speaks for, as far as the account page tells. */
import type { Identity } from '../target/client.js'
import type { Check } from './check.js'
import { idOf, isObject, recordsWith, values } from './look.js'
import type { Run } from './run.js'

/** The username behind a token: the one name on its account page that addresses itself; null where none does. */
export async function usernameOf(t: Pick<Check, 'send'>, as: Identity): Promise<string | null> {
  const page = await t.send({ operation: 'getAccountPage', as })
  for (const value of values(page.json)) {
    if (!isObject(value)) continue
    for (const [key, name] of Object.entries(value)) {
      if (!/^(user_?name|login(_?name)?|name)$/i.test(key) || typeof name !== 'string') continue
      if (!/^[\w.@+-]{1,64}$/.test(name)) continue
      const self = await t.send({ operation: 'getUser', as, path: { user_id: name } })
      if (self.status === 200) return name
    }
  }
  return null
}

interface Names {
  readonly usernames: readonly string[]
  /** As text. */
  readonly ids: readonly string[]
}

const names = new WeakMap<Run, Names>()

/** Users that are surely there, the administrator first where its name is known. */
export async function namesOf(t: Check): Promise<Names> {
  const known = names.get(t.run) ?? (await find(t))
  names.set(t.run, known)
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
