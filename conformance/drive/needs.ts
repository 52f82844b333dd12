/** What a run needs to send an accepted request of each operation, and why a statement was never exercised. */
import { isWithin } from '../client/permit.js'
import { type OperationId, operation, operationIds, type Profile, type Safety } from '../contract/index.js'
import type { Checked, DriveOptions } from './run.js'
import { fieldOf } from './trials.js'

/** The level, and fields of the profile, dotted. */
type Need = readonly [level: Safety, ...fields: string[]]

/** Beside the level of a read or of a change. */
const needs: Readonly<Partial<Record<OperationId, Need>>> = {
  changeOwnPassword: ['destructive', 'tokens.password', 'passwordAccount'],
  updateUserSettings: ['destructive', 'userSetting'],
  impersonateUser: ['destructive'],
  addUserToProjects: ['write', 'projects', 'projectAccessLevel'],
  getCustomFieldUpdatePage: ['write'],
  deleteHelpdeskRecipient: ['destructive', 'recipients'],
  manageColumns: ['destructive', 'columns'],
  updatePlugin: ['destructive', 'plugin'],
  installPlugin: ['destructive', 'plugin'],
  uninstallPlugin: ['destructive', 'plugin'],
  updateSettings: ['destructive', 'settings'],
}

/** What single statements need in addition. */
const further: Readonly<Record<string, readonly string[]>> = {
  'authentication.disabled': ['tokens.disabled'],
  permission: ['tokens.restricted'],
  'permission.forms': ['tokens.restricted'],
  'own-page': ['tokens.restricted'],
}

/** Most trackers create no field without a type. */
const changing = /^(create|update|delete)CustomField$|^getCustomFieldUpdatePage$/

/** The operations of which no request is accepted without a field. */
export const operationsNeeding = (path: string): OperationId[] =>
  operationIds.filter((id) => needs[id]?.slice(1).some((field) => `${path}.`.startsWith(`${field}.`)))

function isAbsent(profile: Profile, field: string): boolean {
  const value = fieldOf(profile, field)
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Fields that a run on this tracker needs and does not have. */
export function absentIn(profile: Profile): string[] {
  const { notImplemented = [] } = profile
  const wanted = operationIds
    .filter((id) => !notImplemented.includes(id))
    .map((id) => needs[id]?.slice(1) ?? [])
  const fields = new Set([...wanted, ...Object.values(further)].flat())
  return [...fields].filter((field) => isAbsent(profile, field))
}

/** Why a run has never exercised a statement at an operation. */
export function whyNever(
  { profile, safety, shard = null }: Pick<DriveOptions, 'profile' | 'safety' | 'shard'>,
  { trouble, mistakes }: Pick<Checked, 'trouble' | 'mistakes'>,
): (rule: string, operation: OperationId) => string {
  return (rule, op) => {
    const [level, ...fields] = needs[op] ?? [operation(op).method === 'GET' ? 'read' : 'write']
    const needed = [...fields, ...(further[rule] ?? []), ...(changing.test(op) ? ['customField.type'] : [])]
    const absent = needed.find((field) => isAbsent(profile, field))
    if (!isWithin(level, safety))
      return `needs --safety ${level}${absent ? ` and ${absent}` : ''}, the run allows ${safety}`
    const mistake = mistakes.find(({ field }) => needed.some((one) => `${field}.`.startsWith(`${one}.`)))
    if (mistake !== undefined) return `the profile's ${mistake.field} is refused by the target`
    if (absent !== undefined) return `the profile has no ${absent}`
    if (trouble !== null) return `not run: ${trouble}`
    return shard === null ? NEVER : `no answer that shows it in shard ${shard.index}/${shard.count}`
  }
}

export const NEVER = 'never exercised'
