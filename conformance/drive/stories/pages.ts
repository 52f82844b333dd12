/** Pages of the caller, and repeated reads. */
import type { Identity } from '../../client/call.js'
import { knownValue } from '../../oracle/things.js'
import type { Driver } from '../driver.js'
import { usersOf } from '../users.js'

export const people = (driver: Driver): Identity[] =>
  (['administrator', 'restricted', 'password'] as const).filter(
    (one) => one === 'administrator' || driver.has(one),
  )

/** Each caller asks for each page, and again after the others. For the account page it asks twice in a row first. */
export async function ownPages(driver: Driver): Promise<void> {
  const callers = people(driver)
  for (const op of ['getAccountPage', 'getTokensPage', 'getUserSettingsPage'] as const) {
    if (!driver.sends(op) && op !== 'getAccountPage') continue
    const first = op === 'getAccountPage' ? callers.flatMap((one) => [one, one]) : callers
    for (const caller of [...first, ...callers.toReversed()]) await driver.ask({ op, caller })
  }
}

/** Reads each list and each page of a form twice. */
export async function reads(driver: Driver): Promise<void> {
  const pages = ['listCustomFields', 'getUserCreatePage', 'getCustomFieldCreatePage', 'listPlugins'] as const
  for (const op of pages.filter(driver.sends).flatMap((one) => [one, one])) await driver.ask({ op })
}

/** Reads the page and the record of a caller; returns its name, where it is known. */
export async function lookAtCaller(driver: Driver, caller: Identity): Promise<string | null> {
  await driver.ask({ op: 'getAccountPage', caller })
  const name = await driver.client.guard.nameOf(caller)
  if (name !== null) await driver.ask({ op: 'getUser', at: name })
  return name
}

/** Reads the users behind the tokens; again at the end, to see whether other changes affected them. */
export async function records(driver: Driver): Promise<void> {
  for (const caller of people(driver)) {
    const name = await lookAtCaller(driver, caller)
    if (name !== null && caller !== 'administrator') await driver.ask({ op: 'getUser', at: name, caller })
  }
  const { user } = driver.profile
  if (user) await driver.ask({ op: 'getUser', at: user.username })
}

/** Reads one user by both addresses and as several callers. */
export async function knownUser(driver: Driver): Promise<void> {
  const { user } = driver.profile
  if (!user) return
  const id = String(user.id)
  const both = [user.username, id, user.username]
  for (const op of ['getUser', 'getUserEditPage'] as const)
    for (const at of both) await driver.ask({ op, at })
  // A selection applies to either address.
  for (const query of ['select=id,email', 'select=username'])
    for (const at of both) await driver.ask({ op: 'getUser', at, query })
  await driver.ask({ op: 'getUser', at: user.username })
  if (!driver.has('restricted')) return
  for (const op of ['getUser', 'getUserEditPage'] as const) {
    for (const at of [user.username, id]) await driver.ask({ op, caller: 'restricted', at })
    if (op === 'getUser')
      for (const query of ['select=id,email', 'select=username', 'select[]=email'])
        await driver.ask({ op, caller: 'restricted', at: user.username, query })
  }
}

/** An ordinary user reads a disabled user, whole and in part. */
export async function disabledUser(driver: Driver): Promise<void> {
  const user = usersOf(driver).find((one) => knownValue(one, 'enabled') === false)
  if (!user || !driver.has('restricted')) return
  const addresses = user.id === undefined ? [user.name] : [user.name, user.id]
  for (const at of addresses) await driver.ask({ op: 'getUser', caller: 'restricted', at })
  for (const query of ['select=id,email', 'select=username'])
    await driver.ask({ op: 'getUser', caller: 'restricted', at: user.name, query })
}
