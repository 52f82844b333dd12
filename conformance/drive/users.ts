/** Creates users, and disables them again. */
import type { Entry } from '../client/ledger.js'
import { knownValue, type Thing } from '../oracle/things.js'
import type { Driver } from './driver.js'
import { look, peek } from './reads.js'

type Form = (word: string, domain: string) => string

/** Forms of usernames. A tracker that refuses one form may accept the next. */
const forms: readonly Form[] = [
  (word) => word,
  (word, domain) => `${word}@${domain}`,
  (word) => word.slice(-8),
  (word) => `kit.${word}`,
  (word) => `${word[0]?.toUpperCase()}${word.slice(1)}`,
]

const domainOf = ({ profile }: Driver) => profile.emailDomain ?? 'example.org'
export const username = (driver: Driver): string =>
  (driver.habits.form ?? forms[0])?.(driver.word(), domainOf(driver)) ?? ''
export const email = (driver: Driver): string => `${driver.word()}@${domainOf(driver)}`
export const realname = (driver: Driver): string => `Kit Person ${driver.word()}`

/** The lowest level that a page offers, if it is below that of the profile. */
export function lowestLevel({ habits, profile }: Driver): number | undefined {
  const below = habits.levels.filter((level) => level > 0 && level < (profile.accessLevel ?? 0))
  return below.length > 0 ? Math.min(...below) : undefined
}

/** The body of a creation with the members that most trackers require. */
export function userBody(driver: Driver, more: object = {}) {
  const { accessLevel } = driver.profile
  return {
    username: username(driver),
    email: email(driver),
    realname: realname(driver),
    password: driver.password,
    ...(accessLevel === undefined ? {} : { access_level: accessLevel }),
    ...{ enabled: true, protected: false },
    ...more,
  }
}

/**
 * A new user, or undefined where none can be created. The first one is disabled before the second is created, since
 * the interface has no deletion of users.
 */
export async function newUser(driver: Driver, more: object = {}): Promise<Thing | undefined> {
  const { client, habits } = driver
  if (!client.allows('write') || habits.canRemove.get('user') === false) return undefined
  if (habits.form) {
    if (!habits.canRemove.has('user') && usersOf(driver).length > 0) return undefined
    return created(driver, habits.canFree ? more : { ...more, protected: false })
  }
  for (const form of forms) {
    habits.form = form
    const made = await created(driver, more)
    if (!made) continue
    await look(driver, made)
    await proveEnd(driver, made)
    return made
  }
  return undefined
}

async function created(driver: Driver, more: object): Promise<Thing | undefined> {
  const { made } = await driver.ask({ op: 'createUser', body: userBody(driver, more) })
  if (made?.isUnsure) await peek(driver, made)
  return made?.isUnsure === false ? made : undefined
}

/** Tries on one user to disable, protect and free it. The run does not try with others what fails here. */
async function proveEnd(driver: Driver, user: Thing): Promise<void> {
  const set = async (body: object) => (await driver.ask({ op: 'updateUser', at: user.name, body })).isDone
  const isDisabled = await set({ enabled: false })
  driver.habits.canRemove.set('user', isDisabled)
  await look(driver, user)
  if (!isDisabled) return
  if (await set({ protected: true })) driver.habits.canFree = await set({ protected: false })
  if (driver.habits.canFree) await set({ enabled: true })
  await look(driver, user)
}

export async function update(driver: Driver, user: Thing, body: object): Promise<boolean> {
  const { isDone } = await driver.ask({ op: 'updateUser', at: user.name, body })
  // What a change has stored shows in either view, so most changes are followed by a read of one.
  if (isDone && user.log.length % 3 === 0) await look(driver, user)
  else await peek(driver, user, user.log.length)
  return isDone
}

export const usersOf = ({ world }: Driver): Thing[] => world.of('user').filter(({ isUnsure }) => !isUnsure)

/** Users that are there, enabled and not protected. */
export const usable = (driver: Driver): Thing[] =>
  usersOf(driver).filter((it) => knownValue(it, 'enabled') === true && knownValue(it, 'protected') === false)

/** At least so many usable users, as far as they can be created. */
export async function some(driver: Driver, count: number): Promise<Thing[]> {
  const there = usable(driver)
  while (there.length < count) {
    const user = await newUser(driver, { client_preferred: there.length % 2 === 0 })
    if (!user) break
    await look(driver, user)
    there.push(user)
  }
  return there.slice(-Math.max(count, 1))
}

/** Disables all users of the run but these: a tracker may have few licences. */
export async function retire(driver: Driver, kept: readonly Thing[]): Promise<void> {
  const { ledger } = driver.client.guard
  // A tracker may ignore the case of a name.
  const names = new Set(kept.flatMap((user) => [...user.names].map((name) => name.toLowerCase())))
  const isDue = (entry: Entry) =>
    entry.kind === 'user' &&
    entry.state !== 'refused' &&
    !driver.habits.stuck.has(entry) &&
    !names.has(entry.name.toLowerCase())
  if (!ledger.open.some(isDue)) return
  await driver.sweep((entry) => !isDue(entry))
  for (const entry of ledger.open.filter(isDue)) driver.habits.stuck.add(entry)
}
