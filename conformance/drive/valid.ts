/** One valid request of each operation for which the profile has the values. */
import { type OperationId, operations } from '../contract/index.js'
import { type Aspect, aspects, kindOf } from '../oracle/operations.js'
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
    const body = family && bodiesOf[family](driver, op)
    if (!driver.sends(op) || (kind && at === undefined) || (family && body === undefined)) return []
    const caller =
      op === 'changeOwnPassword' && driver.has('password') ? ({ caller: 'password' } as const) : {}
    return [{ op, ...caller, ...(kind ? { at } : {}), ...(family ? { body } : {}) }]
  })
}

export const WRONG_PASSWORD = 'not the password'

type BodyFamily = NonNullable<Aspect['family']>

/** undefined: the profile lacks what the body needs. */
export const bodiesOf: Readonly<Record<BodyFamily, (driver: Driver, op: OperationId) => unknown>> = {
  user: (driver, op) => (op === 'createUser' ? userBody(driver) : { realname: realname(driver) }),
  password: ({ profile: { passwordAccount: account } }) =>
    account && { password_current: WRONG_PASSWORD, password: account.next },
  configs: ({ profile: { userSetting } }) => userSetting && { configs: [userSetting] },
  assignment: ({ profile: { projects, projectAccessLevel: level } }) =>
    projects?.length && level !== undefined
      ? { project_ids: projects.slice(-1), access_level: level }
      : undefined,
  field: (driver) => fieldBody(driver),
  // A tracker may want both members.
  plugin({ profile: { plugin } }) {
    return { protected: false, ...(plugin?.priority && { priority: plugin.priority.min }) }
  },
  columns: ({ profile }) => profile.columns,
  settings: ({ profile }) => profile.settings,
}

/** Changes the password of the account for passwords. */
export const changePassword = (driver: Driver, password_current: string, password: string) =>
  driver.ask({ op: 'changeOwnPassword', caller: 'password', body: { password_current, password } })
