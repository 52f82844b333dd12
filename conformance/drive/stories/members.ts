/** What is done to a user: projects, resets, and all of it by the id. */
import { scalars } from '../../oracle/json.js'
import type { Thing } from '../../oracle/things.js'
import type { Driver } from '../driver.js'
import { look, newUser, peek, realname, some, update, usable } from '../users.js'

function assigning(driver: Driver, all: readonly Thing[]) {
  const { projectAccessLevel } = driver.profile
  let turn = 0
  return async (user: Thing, project_ids: readonly string[], access_level = projectAccessLevel) => {
    await driver.ask({ op: 'addUserToProjects', at: user.name, body: { project_ids, access_level } })
    await look(driver, user)
    turn += 1
    await peek(driver, all[turn % all.length], turn)
  }
}

/** One project each, several, in either order, twice the same, and none. */
export async function memberships(driver: Driver): Promise<void> {
  const { projects = [], projectAccessLevel, accessLevel } = driver.profile
  if (projects.length === 0 || projectAccessLevel === undefined) return
  const all = await some(driver, 4)
  const add = assigning(driver, all)
  for (const [index, user] of all.entries()) await add(user, [projects[index % projects.length] ?? ''])
  const [a, b, c] = [await newUser(driver), await newUser(driver), await newUser(driver)]
  if (!a || !b || !c) return
  for (const user of [a, b, c]) await look(driver, user)
  const [first = '', ...rest] = projects
  await add(c, projects.slice(-1), `kit no level ${driver.word()}`)
  await add(c, projects.slice(-1))
  if (rest.length > 0) await add(a, projects)
  await add(b, projects.toReversed())
  for (let times = 0; times < 2; times += 1) await add(c, [first])
  await add(all[0] ?? a, [])
  await update(driver, b, { realname: realname(driver) })
  if (accessLevel !== undefined) await update(driver, b, { access_level: accessLevel })
  const protect = driver.habits.canFree ? [{ protected: true }, { protected: false }] : []
  const flags = [{ enabled: false }, { enabled: true }, ...protect]
  for (const [index, body] of flags.entries()) await update(driver, index % 4 < 2 ? b : c, body)
}

/** A user is read and changed by its id, where a page tells one. */
export async function ids(driver: Driver): Promise<void> {
  const { projects = [], projectAccessLevel } = driver.profile
  const [a, b, c] = await some(driver, 3)
  for (const [user, other] of c ? [[a, c] as const, [b, c] as const] : []) {
    const id = user && (await learnId(driver, user, other))
    if (user && id !== undefined) {
      await driver.ask({ op: 'getUser', at: id })
      await driver.ask({ op: 'updateUser', at: id, body: { realname: realname(driver) } })
      await look(driver, user)
      for (const op of ['getUser', 'getUserEditPage'] as const) await driver.ask({ op, at: id })
      if (projectAccessLevel !== undefined && projects.length > 0)
        await driver.ask({
          ...{ op: 'addUserToProjects', at: id },
          body: { project_ids: projects.slice(-1), access_level: projectAccessLevel },
        })
      await driver.ask({ op: 'resetUser', at: id })
      await look(driver, user)
    }
  }
}
/** Asks for the page at each number that the page of the user shows, and that of another does not. */
export async function learnId(driver: Driver, user: Thing, other: Thing): Promise<string | undefined> {
  const numbers = async ({ name }: Thing) =>
    numbersIn((await driver.ask({ op: 'getUserEditPage', at: name })).json)
  const foreign = await numbers(other)
  const own = (await numbers(user)).filter((one) => !foreign.includes(one))
  for (const id of own.slice(0, 3))
    if (user.id === undefined) await driver.ask({ op: 'getUserEditPage', at: id })
  return user.id
}

const numbersIn = (json: unknown) => [
  ...new Set(
    scalars(json)
      .map(String)
      .filter((text) => /^[1-9]\d{0,9}$/.test(text)),
  ),
]

export async function resets(driver: Driver): Promise<void> {
  const all = (await some(driver, 3)).slice(0, 3)
  for (const [index, user] of all.entries()) {
    await driver.ask({ op: 'resetUser', at: user.name })
    await look(driver, user)
    await look(driver, all[(index + 1) % all.length])
  }
  const [user] = usable(driver)
  if (!user) return
  // No password is taken over from a body or a query where none is shown.
  await driver.ask({ op: 'resetUser', at: user.name, body: { password: driver.password } })
  await driver.ask({ op: 'resetUser', at: user.name, query: `password=${driver.word()}` })
  await look(driver, user)
}
