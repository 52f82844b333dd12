/** Pages of the caller, and repeated reads. */
import { owners } from '../../client/call.js'
import { operationIds } from '../../contract/index.js'
import { knownValue } from '../../oracle/things.js'
import type { Driver } from '../driver.js'
import { lookAtCaller } from '../reads.js'
import { realname, usersOf } from '../users.js'

/** Each caller asks for each page, and again after the others. For the account page it asks twice in a row first. */
export async function ownPages(driver: Driver): Promise<void> {
  for (const op of ['getAccountPage', 'getTokensPage', 'getUserSettingsPage'] as const) {
    const isAccount = op === 'getAccountPage'
    if (!driver.sends(op) && !isAccount) continue
    const first = isAccount ? owners.flatMap((one) => [one, one]) : owners
    for (const caller of [...first, ...owners.toReversed()]) await driver.ask({ op, caller })
  }
}

/** The lists, and the pages of creations. */
export const shared = operationIds.filter((id) => /^list|CreatePage$/.test(id))

/** Reads each of them twice. */
export async function reads(driver: Driver): Promise<void> {
  for (const op of shared.filter(driver.sends).flatMap((one) => [one, one])) await driver.ask({ op })
}

/** Reads the users behind the tokens; again at the end, to see whether other changes affected them. */
export async function records(driver: Driver): Promise<void> {
  for (const caller of owners) {
    const name = await lookAtCaller(driver, caller)
    if (name !== null && caller !== 'administrator') await driver.ask({ op: 'getUser', at: name, caller })
  }
  const { user } = driver.profile
  if (user) await driver.ask({ op: 'getUser', at: user.username })
}

const views = ['getUser', 'getUserEditPage'] as const
const selections = ['select=id,email', 'select=username']

/** Reads one user by both addresses and as several callers. */
export async function knownUser(driver: Driver): Promise<void> {
  const { user } = driver.profile
  if (!user) return
  const [name, id] = [user.username, String(user.id)]
  for (const op of views) for (const at of [name, id, name]) await driver.ask({ op, at })
  // A selection applies to either address.
  for (const query of selections) for (const at of [name, id]) await driver.ask({ op: 'getUser', at, query })
  await driver.ask({ op: 'getUser', at: name })
  const caller = 'restricted'
  for (const at of [name, id]) await driver.ask({ op: 'getUser', caller, at })
  for (const query of [...selections, 'select[]=email'])
    await driver.ask({ op: 'getUser', caller, at: name, query })
  for (const at of [name, id]) await driver.ask({ op: 'getUserEditPage', caller, at })
}

/** An ordinary user reads a disabled user, whole and in part, and may not change it. */
export async function disabledUser(driver: Driver): Promise<void> {
  const user = usersOf(driver).find((one) => knownValue(one, 'enabled') === false)
  if (!user) return
  const read = { op: 'getUser', caller: 'restricted', at: user.name } as const
  await driver.ask(read)
  if (user.id !== undefined) await driver.ask({ ...read, at: user.id })
  for (const query of selections) await driver.ask({ ...read, query })
  for (const body of [{ realname: realname(driver) }, { enabled: true }])
    await driver.ask({ ...read, op: 'updateUser', body })
}
