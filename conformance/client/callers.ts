/** Finds the user behind the credentials of a request, on their account page. */
import type { Profile } from '../contract/index.js'
import { memoisedByText } from '../contract/memoised.js'
import { type Answer, type Ask, type Call, type Identity, identities } from './call.js'
import type { Entry, Ledger } from './ledger.js'
import { mentions, pointersTo, valueAt } from './look.js'

/** A token of the profile, a user of the run's own, nobody, or somebody else. */
export type Caller = Identity | Entry | 'nobody' | 'other'

export type Callers = ReturnType<typeof createCallers>

export function createCallers(ask: Ask, ledger: Ledger, profile: Profile) {
  const pageOf = memoisedByText((by) => ask({ operation: 'getAccountPage', ...JSON.parse(by) }))
  const page = ({ as, authorization, headers }: Partial<Call>): Promise<Answer> =>
    pageOf(JSON.stringify({ as, authorization, headers }))

  async function of(call: Call): Promise<Caller> {
    if (call.authorization === undefined && call.headers === undefined) return call.as ?? 'administrator'
    const owner = identities.find((as) => call.authorization === `Bearer ${profile.tokens[as]}`)
    if (owner !== undefined && call.headers === undefined) return owner
    const { status, json } = await page(call)
    if (status !== 200) return 'nobody'
    const own = ledger.known.find(({ kind, name }) => kind === 'user' && name !== '' && mentions(json, name))
    // Read again each time, since some pages show the newest users to everybody.
    if (own && !mentions((await ask({ operation: 'getAccountPage' })).json, own.name)) return own
    for (const as of identities) {
      if (profile.tokens[as] === undefined) continue
      const theirs = await page({ as })
      if (theirs.status === 200 && JSON.stringify(theirs.json) === JSON.stringify(json)) return as
    }
    return 'other'
  }

  /** The username behind a token of the profile; asked for once. */
  const nameOf: (as: Identity) => Promise<string | null> = memoisedByText((as) =>
    usernameOf(ask, profile, as as Identity),
  )

  return { of, nameOf }
}

/** The username behind a token: the one name on its account page that addresses itself; null where none does, or without such a token. */
export async function usernameOf(ask: Ask, profile: Profile, as: Identity): Promise<string | null> {
  if (profile.tokens[as] === undefined) return null
  const operation = 'getAccountPage'
  const page = await ask({ operation, as })
  const isName = (value: unknown) => typeof value === 'string' && /^[\w.@+-]{1,64}$/.test(value)
  const named = (at: string) => valueAt(page.json, at) as string
  const isNamed = (at: string) => /\/(user_?name|login(_?name)?|name)(\/0)?$/i.test(at)
  let places = pointersTo(page.json, isName).filter(isNamed)
  // A text that two account pages share is the name of neither user, unless there is no other.
  if (new Set(places.map(named)).size > 1 && profile.tokens.restricted !== undefined) {
    const { json } = await ask({ operation, as: as === 'restricted' ? 'administrator' : 'restricted' })
    const isOwn = (at: string) => valueAt(json, at) !== named(at)
    if (places.some(isOwn)) places = places.filter(isOwn)
  }
  for (const name of new Set(places.map(named))) {
    if ((await ask({ operation: 'getUser', as, path: { user_id: name } })).status === 200) return name
  }
  return null
}

/** What shows later whose token it is: the places of its owner's name on the account page, and the status of the list of plugins. */
export async function marksOfOwner(ask: Ask, name: string, as: Identity) {
  const page = await ask({ operation: 'getAccountPage', as })
  const plugins = await ask({ operation: 'listPlugins', as })
  return { places: name === '' ? [] : pointersTo(page.json, (one) => one === name), plugins: plugins.status }
}

/** For the entry of a session. */
export const marksIn = ({ value }: Entry): Partial<Awaited<ReturnType<typeof marksOfOwner>>> => value ?? {}

/** After an impersonation: whether a token acts as the same user as before, according to its entry in the ledger. */
export async function speaksForOwner(ask: Ask, entry: Entry): Promise<boolean> {
  const { name, as = 'administrator' } = entry
  const { places = [], plugins } = marksIn(entry)
  if (places.length === 0) return (await ask({ operation: 'listPlugins', as })).status === plugins
  const { status, json } = await ask({ operation: 'getAccountPage', as })
  return status === 200 && places.every((place) => valueAt(json, place) === name)
}
