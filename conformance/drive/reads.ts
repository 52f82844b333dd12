/** Reads of things, and the ids that they show. */
import type { Identity } from '../client/call.js'
import { values } from '../client/look.js'
import { isObject } from '../oracle/json.js'
import { leavesOf } from '../oracle/leaves.js'
import { isId } from '../oracle/names.js'
import type { Thing } from '../oracle/things.js'
import type { Ask, Driver } from './driver.js'

/** All lists of words in an answer; for a list of records, the values of each member. */
export const wordListsIn = (json: unknown): unknown[][] =>
  values(json).flatMap((list) => {
    if (!Array.isArray(list) || list.length < 2) return []
    const [first, ...others] = list.filter(isObject)
    return first ? Object.keys(first).map((name) => [first, ...others].map((one) => one[name])) : [list]
  })

const viewsOfUser = ['getUserEditPage', 'getUser'] as const

/** Reads users and fields through every view that was not read since the last change. */
export async function look(driver: Driver, ...things: (Thing | undefined)[]): Promise<void> {
  for (const thing of things)
    if (thing?.kind === 'field') {
      if (thing.isGone) continue
      await listFields(driver)
      if (thing.id !== undefined) await readOnce(driver, { op: 'getCustomFieldUpdatePage', at: thing.id })
    } else if (thing && isPath(thing.name))
      // Either view comes first at times, since a read may change what the next one shows.
      for (const op of thing.log.length % 3 === 2 ? viewsOfUser.toReversed() : viewsOfUser)
        await readOnce(driver, { op, at: thing.name })
}

/** Reads a user through one view; `turn` chooses which. */
export async function peek(driver: Driver, user: Thing | undefined, turn = 0): Promise<void> {
  if (!user || !isPath(user.name)) return
  await driver.ask({ op: viewsOfUser[turn % 2 === 0 ? 0 : 1], at: user.name })
}

/** Reads a view, unless an administrator has read it since the last possible change. */
async function readOnce(driver: Driver, asked: Pick<Ask, 'op' | 'at'>): Promise<void> {
  const { requests, lastChange } = driver.world
  const last = requests.findLast(
    ({ op, address, role, isUnusual }) =>
      op === asked.op && address === asked.at && role === 'administrator' && !isUnusual,
  )
  if (!last || last.n < lastChange) await driver.ask(asked)
}

/** Whether a name can be part of a path. */
const isPath = (name: string): boolean => !/[/\\]|^\.*$/.test(name)

/** The page of a field. */
export const readField = (driver: Driver, at: string) => driver.ask({ op: 'getCustomFieldUpdatePage', at })

/** The present list of fields; read again only after a possible change. */
export const listFields = (driver: Driver): Promise<void> => readOnce(driver, { op: 'listCustomFields' })

/** Finds out the id of a field: the page at each candidate is read. */
export async function identify(driver: Driver, field: Thing | undefined): Promise<void> {
  if (!field || field.isGone) return
  await listFields(driver)
  for (const id of field.candidates) if (field.id === undefined) await readField(driver, id)
}

/** Learns the id of a user: reads the pages at each number that only the page of this user shows. */
export async function learnId(driver: Driver, user: Thing, other: Thing): Promise<string | undefined> {
  const pageOf = async ({ name: at }: Thing) =>
    leavesOf((await driver.ask({ op: 'getUserEditPage', at })).json)
  const foreign = await pageOf(other)
  const own = [...(await pageOf(user))].flatMap(([path, leaf]) =>
    typeof leaf !== 'object' && leaf !== foreign.get(path) && isId(String(leaf)) ? String(leaf) : [],
  )
  for (const op of own.length > 0 ? viewsOfUser : []) {
    if (user.id === undefined) await readOnce(driver, { op, at: user.name })
    for (const at of [...new Set(own)].slice(0, 3)) if (user.id === undefined) await driver.ask({ op, at })
  }
  return user.id
}

/** Reads the page and the record of a caller; returns its name, where it is known. */
export async function lookAtCaller(driver: Driver, caller: Identity): Promise<string | null> {
  await driver.ask({ op: 'getAccountPage', caller })
  const name = await driver.client.guard.nameOf(caller)
  if (name !== null) await driver.ask({ op: 'getUser', at: name })
  return name
}
