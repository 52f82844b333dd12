/** Levels, dates and projects as answers show them, and the gates that require a level. */
import type { Decisions } from '../decisions/index.js'
import { levelName, levelNumbers, levels } from '../state/levels.js'
import type { Project, User } from '../state/store.js'
import type { AdmittedCall } from './call.js'
import { refuse, refuseFor } from './errors.js'

export const enumValue = (c: AdmittedCall, id: number, name: string): unknown =>
  ({ object: { id, name, label: name }, integer: id, name })[c.decisions['enum-in-response']]

export const levelValue = (c: AdmittedCall, level: number) => enumValue(c, level, levelName(level))

export function dateValue(c: AdmittedCall, date: string | null): unknown {
  if (date === null) return null
  const form = c.decisions['date-format']
  if (form === 'epoch') return Math.floor(Date.parse(date) / 1000)
  return form === 'iso' ? date.replace(/(\.\d+)?Z$/, '+00:00') : date.slice(0, 16).replace('T', ' ')
}

export const viewState = (c: AdmittedCall, project: Project) =>
  project.public ? enumValue(c, 10, 'public') : enumValue(c, 50, 'private')

export const idsAndNames = (projects: readonly Project[]) => projects.map(({ id, name }) => ({ id, name }))

export function levelChoices(c: AdmittedCall): unknown[] {
  const all = c.decisions['page-level-list'] === 'all'
  const offered = levelNumbers.filter((level) => all || level <= c.caller.access_level)
  return offered.map((level) => levelValue(c, level))
}

export const has = (user: User, level: number) => user.access_level >= level

export function needLevel(c: AdmittedCall, level: number, what: string, decision: keyof Decisions): void {
  if (has(c.caller, level)) return
  const detail = `To ${what} needs level ${level}; ${c.caller.username} has ${c.caller.access_level}`
  refuse('access-denied', { detail, decision })
}

type Gate = 'create-permission' | 'plugin-permission' | 'recipient-permission' | 'ext-settings-permission'

/** Refuses a caller below the level of a decision. Administrators always pass, since no value excludes them. */
export function needGate(c: AdmittedCall, gate: Gate, what: string): void {
  if (!has(c.caller, levels.administrator)) needLevel(c, c.decisions[gate], what, gate)
}

/** Refuses a user who may not act as another one. */
export function needImpersonator(user: User, decisions: Decisions, what: string): void {
  const level = decisions['impersonate-permission']
  if (level !== 'nobody' && has(user, level)) return
  const needs = level === 'nobody' ? 'is not possible here' : `needs level ${level}`
  const detail = `To ${what} ${needs}; ${user.username} has ${user.access_level}`
  refuseFor('impersonate-permission', 'access-denied', detail)
}

/** The page of a write requires the level of the write, or a lower one. */
export function needPageLevel(c: AdmittedCall, level: number, what: string): void {
  const wider = c.decisions['page-permissions'] === 'wider'
  needLevel(c, wider ? Math.min(level, levels.developer) : level, what, 'page-permissions')
}

export const managesUsers = (c: AdmittedCall) =>
  has(c.caller, levels.administrator) || has(c.caller, c.decisions['create-permission'])

export const needUserManager = (c: AdmittedCall) => needGate(c, 'create-permission', 'manage users')

/** The level of a user in a project: administrators keep theirs; in a private project, outsiders have none. */
export function projectLevel(c: AdmittedCall, user: User, project: Project): number {
  if (has(user, levels.administrator)) return user.access_level
  const membership = c.store.db.memberships.find('pair', `${user.id}/${project.id}`)
  if (membership) return membership.access_level
  return project.public ? user.access_level : 0
}

export const maySee = (c: AdmittedCall, user: User, project: Project) =>
  project.enabled && projectLevel(c, user, project) >= levels.viewer

export function isLastAdministrator(c: AdmittedCall, user: User): boolean {
  const others = () => c.store.db.users.having('administrator', 'enabled').filter(({ id }) => id !== user.id)
  return user.enabled && has(user, levels.administrator) && others().length === 0
}
