/** Acts as another user, in whichever way a tracker offers that, and ends it again. */
import type { Ask, Credentials } from '../../drive/ask.js'
import type { Answered, Driver } from '../../drive/driver.js'
import { sessionIn } from '../trace/recorded.js'

/** Impersonates a user. If the token then acts as that user, it impersonates its owner, which ends that. */
export async function impersonate(driver: Driver, ask: Ask): Promise<Answered> {
  const answer = await driver.ask(ask)
  if (answer.status === 200 && (await speaksFor(driver, ask.at ?? ''))) await leave(driver)
  return answer
}

export interface StandIn {
  /** What is added to a request so that it acts as the user. */
  readonly way: Partial<Ask>
  /** Gives the token back to its owner, where the token itself acts as the user. */
  readonly leave?: () => Promise<void>
}

/** Impersonates a user, and finds the way in which requests act as that user; null where no way is known. */
export async function standIn(driver: Driver, name: string): Promise<StandIn | null> {
  const answer = await driver.ask({ op: 'impersonateUser', at: name })
  // If the token itself acts as the user now, a test of other ways would show nothing.
  if (await speaksFor(driver, name)) return { way: {}, leave: () => leave(driver) }
  const caller = credentialsIn(answer)
  const ways: Partial<Ask>[] = [...(caller ? [{ caller }] : []), { headers: { 'x-mantis-username': name } }]
  for (const [index, way] of ways.entries()) {
    const page = await driver.ask({ op: 'getAccountPage', ...way })
    // A tracker that does not know a way answers as to the administrator, or as to a caller without a token.
    if (page.status === 200 && (index === 0 || JSON.stringify(page.json ?? '').includes(name))) return { way }
  }
  return null
}

/** The credentials of the session that an impersonation's answer begins. */
export function credentialsIn({ json, status, cookies }: Answered): Credentials | undefined {
  if (status !== 200) return undefined
  const { token, cookie } = sessionIn({ status, json, headers: cookies ? { 'set-cookie': cookies } : {} })
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  return cookie === undefined ? undefined : { authorization: null, cookie }
}

async function speaksFor(driver: Driver, name: string): Promise<boolean> {
  const page = await driver.ask({ op: 'getAccountPage' })
  return JSON.stringify(page.json ?? '').includes(name)
}

async function leave(driver: Driver): Promise<void> {
  const at = await driver.client.guard.nameOf('administrator')
  if (at !== null) await driver.ask({ op: 'impersonateUser', at })
}
