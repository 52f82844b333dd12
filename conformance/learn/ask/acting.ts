/** Acts as another user, in whichever way a tracker offers that, and ends it again. */
import type { Ask, Credentials } from '../../drive/ask.js'
import type { Answered, Driver } from '../../drive/driver.js'
import { sessionIn } from '../trace/recorded.js'

export interface Acting {
  /** The credentials of the session that the last sent impersonation has begun. */
  readonly session: Credentials | undefined
  /** What is added to a request so that it acts as the user; null where no way is known. */
  wayOf(name: string): Promise<Partial<Ask> | null>
  /** Sends an impersonation. If the token then acts as that user, it impersonates its owner, which ends that. */
  impersonate(ask: Ask): Promise<Answered>
  /** Gives the token back to its owner, if the last way lets the token itself act as a user. */
  giveBack(): Promise<void>
}

export function actingFor(driver: Driver): Acting {
  const ways = new Map<string, Partial<Ask> | null>()
  let session: Credentials | undefined
  let isSwitched = false

  async function speaksFor(name: string): Promise<boolean> {
    const page = await driver.ask({ op: 'getAccountPage' })
    return JSON.stringify(page.json ?? '').includes(name)
  }

  async function leave(): Promise<void> {
    const at = await driver.client.guard.nameOf('administrator')
    if (at !== null) await driver.ask({ op: 'impersonateUser', at })
  }

  async function begun(name: string): Promise<Partial<Ask> | null> {
    const answer = await driver.ask({ op: 'impersonateUser', at: name })
    isSwitched = await speaksFor(name)
    // If the token itself acts as the user now, a test of other ways would show nothing.
    if (isSwitched) return {}
    const caller = credentialsIn(answer)
    const tries: Partial<Ask>[] = [
      ...(caller ? [{ caller }] : []),
      { headers: { 'x-mantis-username': name } },
    ]
    for (const [index, way] of tries.entries()) {
      const page = await driver.ask({ op: 'getAccountPage', ...way })
      // A tracker that does not know a way answers as to the administrator, or as to a caller without a token.
      if (page.status === 200 && (index === 0 || JSON.stringify(page.json ?? '').includes(name))) return way
    }
    return null
  }

  return {
    get session() {
      return session
    },
    async wayOf(name) {
      const way = ways.has(name) ? (ways.get(name) ?? null) : await begun(name)
      // A token that is given back has to be switched again.
      if (!isSwitched) ways.set(name, way)
      return way
    },
    async impersonate(ask) {
      const answer = await driver.ask(ask)
      if (answer.status === 200 && (await speaksFor(ask.at ?? ''))) await leave()
      session = credentialsIn(answer)
      return answer
    },
    async giveBack() {
      if (isSwitched) await leave()
      isSwitched = false
    },
  }
}

function credentialsIn({ json, status, cookies }: Answered): Credentials | undefined {
  if (status !== 200) return undefined
  const { token, cookie } = sessionIn({ status, json, headers: cookies ? { 'set-cookie': cookies } : {} })
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  return cookie === undefined ? undefined : { authorization: null, cookie }
}
