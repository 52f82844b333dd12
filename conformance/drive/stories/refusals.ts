/** Each defect of each request, on things of the run. Reads afterwards show whether a refused request changed them. */
import { type OperationId, operation } from '../../contract/index.js'
import { isObject } from '../../oracle/json.js'
import { isAddress } from '../../oracle/names.js'
import { changingUsers, kindOf } from '../../oracle/operations.js'
import { knownValue } from '../../oracle/things.js'
import { addresses, queries, sideDoors, strangersOf } from '../defects.js'
import type { Ask, Credentials, Driver, Given, Subjects } from '../driver.js'
import { fieldBody, someField } from '../fields.js'
import { learnId, listFields, look, peek, readField } from '../reads.js'
import { lowestLevel, newUser, usable, userBody, usersOf } from '../users.js'
import { valid } from '../valid.js'
import { formerSetting } from './accounts.js'

/** The user and the field that all defects are about. */
export async function subjectsOf(driver: Driver): Promise<Subjects> {
  const before = driver.subjects
  const users = usable(driver)
  const user = users.find((one) => one === before.user && !one.isGone) ?? users[0] ?? (await newUser(driver))
  const isKept = before.field && !before.field.isUnsure && !before.field.isGone
  const field = isKept ? before.field : await someField(driver)
  driver.subjects = { user, field }
  if (user !== before.user) await look(driver, user)
  if (field !== before.field) await look(driver, field)
  return driver.subjects
}

/** One read that shows what an operation changes; `turn` chooses between two views. */
export async function glance(driver: Driver, op: OperationId, { user, field }: Subjects, turn = 0) {
  const kind = kindOf(operation(op))
  if (kind === 'user') await peek(driver, user, turn)
  else if (kind === 'field' && turn % 2 === 1 && field?.id !== undefined) await readField(driver, field.id)
  else if (kind === 'field' || op === 'createCustomField') await listFields(driver)
  else if (kind === 'plugin') await driver.ask({ op: 'listPlugins' })
  else if (op === 'updateUserSettings') await driver.ask({ op: 'getUserSettingsPage' })
  else if (op === 'manageColumns')
    await driver.ask({ op, body: { ...driver.profile.columns, columns: undefined } })
}

/** Gives the administrator other columns and another setting than the valid requests do. */
async function makeOther(driver: Driver): Promise<void> {
  const { columns } = driver.profile
  const former = formerSetting(driver)
  const bodies = {
    updateUserSettings: former && { configs: [former] },
    manageColumns: columns && { ...columns, columns: columns.columns.toReversed() },
  }
  const ops = (['updateUserSettings', 'manageColumns'] as const).filter(driver.sends)
  for (const op of ops) if (bodies[op]) await driver.ask({ op, body: bodies[op] })
  for (const op of ops) await glance(driver, op, {})
}

const isRead = ({ op }: Ask) => operation(op).method === 'GET'

/** A run about fewer operations than this sends all credentials to each. */
export const FEW = 8

/** Reads the user that a creation would make, and returns its name: a user that was there before was not made by the creation. */
export async function watched(driver: Driver, { op, body }: Ask): Promise<string | undefined> {
  const { username } = op === 'createUser' && isObject(body) ? body : {}
  if (!isAddress(username)) return undefined
  await driver.ask({ op: 'getUser', at: username })
  return username
}

/** Requests without credentials, and with some wrong ones for each operation. */
export async function strangers(driver: Driver, { seed }: Given): Promise<void> {
  const things = await subjectsOf(driver)
  await makeOther(driver)
  for (const one of valid(driver, things)) {
    const at = await watched(driver, one)
    await driver.ask({ ...one, caller: 'nobody' })
    if (at !== undefined) await driver.ask({ op: 'getUser', at })
    // Either view of a user may show it.
    const turns = kindOf(operation(one.op)) === 'user' ? [0, 1] : [1]
    if (!isRead(one)) for (const turn of turns) await glance(driver, one.op, things, turn)
  }
  await withEach(driver, things, strangersOf(driver.profile).common, seed)
}

/** Sends all credentials to each operation; or to every `step`-th one a single one. */
async function withEach(
  driver: Driver,
  things: Subjects,
  callers: readonly Credentials[],
  first: number,
  step = 1,
): Promise<void> {
  const requests = valid(driver, things)
  const isNarrow = requests.length < FEW
  const count = isNarrow || step === 1 ? callers.length : 1
  for (const [index, one] of requests.entries())
    if (isNarrow || (index + first) % step === 0)
      for (const caller of byTurns(callers, count, first + index)) await driver.ask({ ...one, caller })
  await look(driver, things.user, things.field)
}

/** The given number of elements from a position on; the list starts again at its end. */
const byTurns = <T>(list: readonly T[], count: number, first: number): T[] =>
  list.slice(0, count).map((_, turn) => list[(first + turn) % list.length] as T)

/** Rarer credentials, and ways around the header. */
export async function doors(driver: Driver, { seed }: Given): Promise<void> {
  const things = await subjectsOf(driver)
  const name = (await driver.client.guard.nameOf('administrator')) ?? 'administrator'
  const door = sideDoors(driver.profile, name)
  for (const one of valid(driver, things)) await driver.ask({ ...one, ...door, caller: 'nobody' })
  await withEach(driver, things, strangersOf(driver.profile).rare, seed, 6)
}

const ofAnybody = ['manageColumns', 'changeOwnPassword', 'updateUserSettings', 'deleteHelpdeskRecipient']

/** An ordinary user sends the valid request of each operation. */
export async function ordinary(driver: Driver): Promise<void> {
  if (!driver.has('restricted')) return
  const caller = 'restricted'
  const { projects = [] } = driver.profile
  const made: string[] = []
  const level = lowestLevel(driver)
  const things = await withLowestUser(driver, await subjectsOf(driver))
  for (const request of valid(driver, things)) {
    if (ofAnybody.includes(request.op)) continue
    const isCreation = request.op === 'createUser' && level !== undefined
    const one = isCreation ? { ...request, body: userBody(driver, { access_level: level }) } : request
    const at = await watched(driver, one)
    const { isDone } = await driver.ask({ ...one, caller })
    if (!isRead(one)) {
      // A careless tracker may check the permission only sometimes, or only of what is given.
      await driver.ask({ ...one, body: reducedBody(one.body), caller })
      await glance(driver, one.op, things)
    }
    if (at !== undefined && !isDone) made.push(at)
    if (one.op === 'createCustomField' && projects.length > 0)
      for (let times = 0; times < 2; times += 1)
        await driver.ask({ ...one, caller, body: fieldBody(driver, {}, projects.slice(-1)) })
  }
  for (const at of made) await driver.ask({ op: 'getUser', at })
  await byOtherNames(driver, things)
}

/** A tracker may forbid changes of users with a higher level, so the user has the lowest one. */
async function withLowestUser(driver: Driver, { user, field }: Subjects): Promise<Subjects> {
  const level = lowestLevel(driver)
  if (level === undefined) return { user, field }
  const known = usable(driver).find((one) => knownValue(one, 'access_level') === level)
  const made = known ?? (await newUser(driver, { access_level: level }))
  await peek(driver, made, 1)
  return { user: made ?? user, field }
}

/** A list with its first element alone, or a user without a level. */
function reducedBody(body: unknown): unknown {
  if (!isObject(body)) return Array.isArray(body) ? body.slice(0, 1) : body
  const { access_level: _, ...rest } = body
  return 'username' in body ? rest : body
}

/** An ordinary user names itself, and another user by its id. */
async function byOtherNames(driver: Driver, { user, field }: Subjects): Promise<void> {
  const caller = 'restricted'
  const name = await driver.client.guard.nameOf(caller)
  if (name !== null)
    for (const op of ['impersonateUser', 'resetUser'] as const) await driver.ask({ op, caller, at: name })
  const changing: readonly OperationId[] = changingUsers.filter((op) => op !== 'createUser')
  const byId = valid(driver, { user, field }).filter(({ op }) => changing.includes(op))
  if (!user || byId.length === 0) return
  const other = usable(driver).find((one) => one !== user)
  const at = user.id ?? (other && (await learnId(driver, user, other)))
  for (const one of at === undefined ? [] : byId) {
    await driver.ask({ ...one, caller, at })
    if (one.op !== 'impersonateUser') continue
    // After a served impersonation the oracle needs a page that shows whose token it is.
    await driver.ask({ op: 'getAccountPage', caller })
    await driver.ask({ ...one, caller, at })
  }
}

export async function disabled(driver: Driver): Promise<void> {
  if (!driver.has('disabled')) return
  for (const one of valid(driver, await subjectsOf(driver)).filter(isRead))
    await driver.ask({ ...one, caller: 'disabled' })
}

/** Addresses of absent things, and texts of a thing that do not address it. */
export async function unknown(driver: Driver): Promise<void> {
  const things = await subjectsOf(driver)
  const word = driver.word()
  // A change goes to an address that a read has shown to be absent.
  for (const one of valid(driver, things).toSorted((a, b) => Number(isRead(b)) - Number(isRead(a)))) {
    const kind = kindOf(operation(one.op))
    if (!kind || one.op === 'impersonateUser') continue
    await withPlugin(driver, one.op, async () => {
      for (const at of addresses(one.op, word)) await driver.ask({ ...one, at })
      if (isRead(one) || kind === 'plugin')
        for (const at of similarAddresses(one, things, driver)) await driver.ask({ ...one, at })
    })
    if (!isRead(one) && one.op !== 'updatePlugin') await glance(driver, one.op, things)
  }
}

/** Texts of a thing that do not address it, and its addresses with one sign more or less. */
function similarAddresses({ at = '', op }: Ask, { user, field }: Subjects, driver: Driver): string[] {
  const kind = kindOf(operation(op))
  if (kind === 'plugin') return [at.slice(0, -1)]
  if (kind === 'field') return field ? [field.name, `-${at}`, `${at}x`] : []
  const text = user?.facts.get('realname')?.possible?.[0]
  const numbered = user?.id === undefined ? usersOf(driver).find(({ id }) => id !== undefined) : user
  const ids = [numbered?.id, driver.profile.user?.id].filter((id) => id !== undefined)
  return [
    ...(typeof text === 'string' && text !== at ? [text] : []),
    ...[`${at}x`, at.slice(0, -1), `${at}%`],
    ...ids.flatMap((id) => [`-${id}`, `${id}.5`]),
  ]
}

/** Runs near the end, since a served impersonation may change whose token it is. */
export async function unknownImpersonations(driver: Driver): Promise<void> {
  // A served administrative request shows that the token is the administrator's again.
  await driver.ask({ op: 'listPlugins' })
  if (driver.world.unsettled.has('administrator')) return
  for (const at of addresses('impersonateUser', driver.word()))
    await driver.ask({ op: 'impersonateUser', at })
}

/** Reads with unknown queries, and with a selection, which the document names. */
export async function strangeQueries(driver: Driver, { seed }: Given): Promise<void> {
  const things = await subjectsOf(driver)
  const requests = valid(driver, things)
  const each = requests.length < FEW ? queries.length : 1
  for (const [index, one] of requests.filter(isRead).entries())
    for (const query of byTurns(queries, each, seed + index)) await driver.ask({ ...one, query })
  const { user } = things
  // The first read shows the whole user.
  const selections = ['', 'id,email,enabled,protected', 'realname', 'username&select=realname']
  for (const selection of user ? selections : [])
    await driver.ask({ op: 'getUser', at: user?.name, ...(selection && { query: `select=${selection}` }) })
}

/** Installs the plugin for the time of its updates, since a tracker may refuse to change a plugin that is not installed. */
export async function withPlugin(driver: Driver, op: OperationId, work: () => Promise<void>): Promise<void> {
  const put = async (change: OperationId) => {
    if (op !== 'updatePlugin') return
    await driver.ask({ op: change, at: driver.profile.plugin?.name })
    await driver.ask({ op: 'listPlugins' })
  }
  await put('installPlugin')
  await work()
  await put('uninstallPlugin')
}
