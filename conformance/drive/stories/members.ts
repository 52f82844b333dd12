/** Assignments to projects, resets, and operations by the id of a user. */
import type { Thing } from '../../oracle/things.js'
import type { Driver } from '../driver.js'
import { learnId, look, lookAtCaller, peek } from '../reads.js'
import { lowestLevel, newUser, realname, some, update } from '../users.js'
import { bodiesOf } from '../valid.js'

/** Users get one project each, then others; several at once in either order; the same twice; and none. */
export async function memberships(driver: Driver): Promise<void> {
  const { projects: all = [], projectAccessLevel, accessLevel } = driver.profile
  const projects = all.slice(0, 3)
  if (projects.length === 0 || projectAccessLevel === undefined) return
  const there: Thing[] = []
  let { projectLevel: otherLevel = projectAccessLevel } = driver.habits
  const add = async (
    user: Thing,
    project_ids: readonly string[],
    isShown = true,
    access_level = projectAccessLevel,
  ): Promise<void> => {
    const body = { project_ids, access_level }
    const { status } = await driver.ask({ op: 'addUserToProjects', at: user.name, body })
    if (status !== 200 && access_level === otherLevel && otherLevel !== projectAccessLevel) {
      otherLevel = projectAccessLevel
      return add(user, project_ids, isShown)
    }
    if (!isShown) return
    // The first users show an assignment in both views.
    if (there.length < 3) await look(driver, user)
    else await peek(driver, user, user.log.length)
    const turn = driver.world.requests.length
    if (turn % 2 === 0) await peek(driver, there[user.log.length % there.length], turn >> 1)
  }
  const other = lowestLevel(driver)
  const fresh = async () => {
    // A tracker may refuse a level above that of the user, so those of whole lists have the level of the profile.
    const isOther = other !== undefined && [1, 3].includes(there.length)
    const user = await newUser(driver, isOther ? { access_level: other } : {})
    if (user) there.push(user)
    // The first users show in both views that they have no projects yet.
    if (there.length < 3) await look(driver, user)
    else await peek(driver, user)
    return user
  }
  for (const [index, project] of [...projects, ...projects.slice(0, 2)].entries()) {
    const user = await fresh()
    if (!user) return
    if (there.length === 1) await add(user, projects.slice(-1), true, `kit no level ${driver.word()}`)
    await add(user, [project], true, index < projects.length ? projectAccessLevel : otherLevel)
  }
  const [first = '', second = first, third = second] = projects
  const orders = [
    [second, third, third],
    [first, third],
    [first, first, second],
  ]
  for (const [index, user] of there.slice(0, orders.length).entries())
    for (const [turn, project] of (orders[index] ?? []).entries()) {
      await add(user, [project], turn > 0)
      // Another project may come with the first, and then a tracker may refuse it.
      if (turn === 0) await peek(driver, user, 0)
    }
  const [a, b, c] = [await fresh(), await fresh(), await fresh()]
  if (!a || !b) return
  if (c) await add(c, [])
  await add(a, projects)
  await add(b, projects.toReversed(), true, otherLevel)
  await update(driver, b, { realname: realname(driver) })
  if (accessLevel !== undefined) await update(driver, b, { access_level: accessLevel })
  for (const enabled of [false, true]) await update(driver, b, { enabled })
  // To enable a protected user leaves it protected.
  const flags = [{ protected: true }, { enabled: true }, { protected: false }]
  for (const body of driver.habits.canFree ? flags : []) await update(driver, a, body)
}

/** Adds a user to the last project of the profile. */
export async function assign(driver: Driver, at: string): Promise<void> {
  const body = bodiesOf.assignment(driver, 'addUserToProjects')
  if (body !== undefined) await driver.ask({ op: 'addUserToProjects', at, body })
}

/** Reads and changes users by their ids, where a page tells them. */
export async function ids(driver: Driver): Promise<void> {
  const [a, b, c] = await some(driver, 3)
  if (!a || !b || !c) return
  for (const user of [a, b]) {
    const at = await learnId(driver, user, c)
    if (at === undefined) continue
    await driver.ask({ op: 'getUser', at })
    await driver.ask({ op: 'updateUser', at, body: { realname: realname(driver) } })
    await look(driver, user)
    for (const op of ['getUser', 'getUserEditPage'] as const) await driver.ask({ op, at })
    await assign(driver, at)
    await driver.ask({ op: 'resetUser', at })
    await look(driver, user)
  }
  if (a.id === undefined || b.id === undefined) return
  // The path says whose update it is, whatever the body says.
  const body = { realname: realname(driver), id: Number(b.id) }
  await driver.ask({ op: 'updateUser', at: a.name, body })
  for (const user of [a, b]) await look(driver, user)
}

/** A reset of one user changes neither other users nor the caller. */
export async function resets(driver: Driver): Promise<void> {
  const all = (await some(driver, 3)).slice(0, 3)
  const own = (await lookAtCaller(driver, 'administrator')) ?? ''
  for (const [turn, user] of all.entries()) {
    await driver.ask({ op: 'resetUser', at: user.name })
    await look(driver, user)
    for (const one of all) if (one !== user) await peek(driver, one, turn)
    if (own !== '') await driver.ask({ op: 'getUser', at: own })
  }
  const [user] = await some(driver, 1)
  if (!user) return
  // A tracker must not take a password from a body or a query of a reset.
  await driver.ask({ op: 'resetUser', at: user.name, body: { password: driver.password } })
  await driver.ask({ op: 'resetUser', at: user.name, query: `password=${driver.word()}` })
  await look(driver, user)
  if (!driver.habits.canFree) return
  await update(driver, user, { protected: true })
  await update(driver, user, { realname: realname(driver) })
  await driver.ask({ op: 'resetUser', at: user.name })
  await update(driver, user, { protected: false })
}
