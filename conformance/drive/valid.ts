/** One valid request of each operation for which the profile has the values. */
import { type OperationId, operations } from '../contract/index.js'
import { aspects, type Family, kindOf } from '../oracle/operations.js'
import type { Ask, Driver, Subjects } from './driver.js'
import { fieldBody } from './fields.js'
import { realname, userBody } from './users.js'

/** The valid request of each operation, about the given user and field. */
export function valid(driver: Driver, { user, field }: Subjects): Ask[] {
  const { profile } = driver
  const addresses = {
    user: user?.name,
    field: field?.id,
    plugin: profile.plugin?.name,
    recipient: profile.recipients?.at(-1)?.toString(),
  }
  const known = profile.user?.username ?? driver.world.of('known').find(({ name }) => name !== '')?.name
  return operations.flatMap((operation): Ask[] => {
    const { id: op } = operation
    const kind = kindOf(operation)
    const { family } = aspects[op]
    // A read may as well be of a user that was there before.
    const isRead = operation.method === 'GET'
    const at = kind && (addresses[kind] ?? (kind === 'user' && isRead ? known : undefined))
    const body = family && bodyOf(driver, op, family)
    if (!driver.sends(op) || (kind && at === undefined) || (family && body === undefined)) return []
    const caller =
      op === 'changeOwnPassword' && driver.has('password') ? ({ caller: 'password' } as const) : {}
    return [{ op, ...caller, ...(kind ? { at } : {}), ...(family ? { body } : {}) }]
  })
}

/** undefined: the profile lacks what the body needs. */
export function bodyOf(driver: Driver, op: OperationId, family: Family): unknown {
  const { passwordAccount, userSetting, projects, projectAccessLevel, columns, settings, plugin } =
    driver.profile
  switch (family) {
    case 'user':
      return op === 'createUser' ? userBody(driver) : { realname: realname(driver) }
    case 'password':
      return passwordAccount && { password_current: WRONG_PASSWORD, password: passwordAccount.next }
    case 'configs':
      return userSetting && { configs: [userSetting] }
    case 'assignment':
      return projects?.length && projectAccessLevel !== undefined
        ? { project_ids: projects.slice(-1), access_level: projectAccessLevel }
        : undefined
    case 'field':
      return fieldBody(driver)
    case 'plugin':
      // A tracker may want both members.
      return { protected: false, ...(plugin?.priority && { priority: plugin.priority.min }) }
    case 'columns':
      return columns
    default:
      return settings
  }
}

export const WRONG_PASSWORD = 'not the password'

/** Changes the password of the account for passwords. */
export const changePassword = (driver: Driver, password_current: string, password: string) =>
  driver.ask({ op: 'changeOwnPassword', caller: 'password', body: { password_current, password } })
