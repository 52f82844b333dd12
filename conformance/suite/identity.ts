/** Whom a token speaks for, as far as the account page tells. */
import type { Identity } from '../target/client.js'
import type { Check } from './check.js'
import { idOf, pointersTo, recordsWith, valueAt } from './look.js'
import type { Run } from './run.js'

/** The username behind a token: the one name on its account page that addresses itself; null where none does. */
export async function usernameOf(t: Asker, as: Identity): Promise<string | null> {
  const operation = 'getAccountPage'
  const page = await t.send({ operation, as })
  let places = pointersTo(page.json, isName).filter((at) => memberOfName.test(at))
  const named = (at: string) => valueAt(page.json, at) as string
  // What stands at one place for two users is the name of neither, as far as there is another.
  if (new Set(places.map(named)).size > 1 && t.profile?.tokens.restricted !== undefined) {
    const { json } = await t.send({ operation, as: as === 'restricted' ? 'administrator' : 'restricted' })
    const isOwn = (at: string) => valueAt(json, at) !== named(at)
    places = [...places.filter(isOwn), ...places.filter((at) => !isOwn(at))]
  }
  for (const name of new Set(places.map(named))) {
    const self = await t.send({ operation: 'getUser', as, path: { user_id: name } })
    if (self.status === 200) return name
  }
  return null
}

type Asker = Pick<Check, 'send'> & Partial<Pick<Check, 'profile'>>

const memberOfName = /\/(user_?name|login(_?name)?|name)$/i
const isName = (value: unknown) => typeof value === 'string' && /^[\w.@+-]{1,64}$/.test(value)

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
