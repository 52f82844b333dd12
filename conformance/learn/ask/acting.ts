/** Acts as another user, in whichever way a tracker offers that, and ends it again. */
import { sweep } from '../../client/sweep.js'
import type { Answered, Ask, Credentials, Driver } from '../../drive/driver.js'
import { sessionIn } from '../trace/recorded.js'

/** Whether an impersonation may have left a token with another user. */
export const isSwitched = ({ client }: Driver): boolean =>
  client.guard.ledger.open.some(({ kind, state }) => kind === 'session' && state !== 'gone')

/** Gives each token back to its owner. */
export async function giveBack(driver: Driver): Promise<void> {
  const { client, profile } = driver
  if (isSwitched(driver)) await sweep(client, profile, client.guard.ledger, ({ kind }) => kind !== 'session')
}

/** Returns what is added to a request so that it acts as a user; null where no way is known. */
export function actingFor(driver: Driver): (name: string) => Promise<Partial<Ask> | null> {
  const ways = new Map<string, Partial<Ask> | null>()

  async function shows(name: string, way: Partial<Ask> = {}): Promise<boolean> {
    const { status, json } = await driver.ask({ op: 'getAccountPage', ...way })
    return status === 200 && (way.caller !== undefined || JSON.stringify(json ?? '').includes(name))
  }

  return async (name) => {
    const known = ways.get(name)
    if (known !== undefined) return known
    const answer = await driver.ask({ op: 'impersonateUser', at: name })
    // A test of other ways would show nothing now. A token that is given back has to be switched again.
    if (await shows(name)) return {}
    const caller = credentialsIn(answer)
    const tries = [...(caller ? [{ caller }] : []), { headers: { 'x-mantis-username': name } }]
    let found: Partial<Ask> | null = null
    // A tracker that does not know a way answers as to the administrator, or as to a caller without a token.
    for (const way of tries) if (found === null && (await shows(name, way))) found = way
    ways.set(name, found)
    return found
  }
}

/** The credentials of the session that an impersonation has begun. */
export function credentialsIn({ json, status, cookies }: Answered): Credentials | undefined {
  if (status !== 200) return undefined
  const { token, cookie } = sessionIn({ status, json, headers: cookies ? { 'set-cookie': cookies } : {} })
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  return cookie === undefined ? undefined : { authorization: null, cookie }
}
