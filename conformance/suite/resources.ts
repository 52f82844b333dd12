/** What checks share on a target: what a check may change of it by what it is about, and what it has in fact changed. */

import type { Call } from '../client/call.js'
import { isDone } from '../client/judge.js'
import { operation as contractOf, type OperationId, type Safety } from '../contract/index.js'

/** What is shared, by the operations that change it and show it. */
export const shared: Readonly<Partial<Record<OperationId, string>>> = {
  listPlugins: 'plugins',
  updatePlugin: 'plugins',
  installPlugin: 'plugins',
  uninstallPlugin: 'plugins',
  manageColumns: 'columns',
  getUserSettingsPage: 'settings',
  updateUserSettings: 'settings',
  updateSettings: 'extension settings',
  changeOwnPassword: 'password',
  deleteHelpdeskRecipient: 'recipients',
}

/** Of fields there is a list, and the number of one that is gone may be given to another. */
const resourceOf = (operation: OperationId): string | undefined =>
  shared[operation] ?? (/CustomField/.test(operation) ? 'fields' : undefined)

const isRead = (operation: OperationId) => contractOf(operation).method === 'GET'

/** What they change shows anywhere, or is there once: a recipient is asked for what must be refused before it is deleted. */
const everywhere: readonly OperationId[] = [
  'impersonateUser',
  'updateSettings',
  'changeOwnPassword',
  'deleteHelpdeskRecipient',
]
/** Operations of one check that may send requests to any of them. */
const MOST_ABOUT = 8

export interface Uses {
  /** Nothing is known of what it changes but that it may be anything. */
  readonly alone: boolean
  readonly reads: ReadonlySet<string>
  readonly changes: ReadonlySet<string>
}

/**
 * What a check that needs `safety` and is about these operations may use, in a run at this level. A user of the run's own is
 * the check's alone. Whom a token speaks for, what a password opens and what the settings of all decide may show anywhere.
 */
export function usesOf(safety: Safety, about: readonly OperationId[], level: Safety): Uses {
  const isRefused = safety === 'read'
  const named = (operations: readonly OperationId[]) =>
    new Set(operations.map(resourceOf).filter((one) => one !== undefined))
  if (level === 'read') return { alone: false, reads: named(about), changes: new Set() }
  // What must be refused changes nothing, though a plugin is installed for it, and is about the field at its address alone.
  const changes = named(about.filter((one) => !isRefused || (!isRead(one) && shared[one] !== undefined)))
  const reads = named(
    about.filter((one) => !isRefused || one === 'listCustomFields' || shared[one] !== undefined),
  )
  const isOfAll = safety === 'destructive' && about.some((one) => shared[one] === undefined)
  const isMany = changes.size > 1 || about.length > MOST_ABOUT
  const alone = isOfAll || isMany || (!isRefused && about.some((one) => everywhere.includes(one)))
  // What is said of a user may show among the settings of whoever asks.
  if (!isRefused && about.some((one) => one.endsWith('User'))) reads.add('settings')
  // Nor is whom a token speaks for shown by its account page alone.
  if (about.includes('impersonateUser')) reads.add('plugins')
  return { alone, reads, changes }
}

const meets = (some: ReadonlySet<string>, more: ReadonlySet<string>) => [...some].some((key) => more.has(key))

export const changeTheSame = (one: Uses, other: Uses): boolean => meets(one.changes, other.changes)

export function mayOverlap(one: Uses, other: Uses): boolean {
  if (one.alone || other.alone) return false
  return !(changeTheSame(one, other) || meets(one.changes, other.reads) || meets(one.reads, other.changes))
}

/** What a check that runs beside others has used by now. */
export interface Used {
  readonly reads: Set<string>
  readonly changes: Set<string>
  /** Another one has changed meanwhile what it uses, or the other way round: what it saw proves nothing. */
  isMixed: boolean
}

/** Notes what an answer shows to have been used by one of those that are under way. */
export function noteUse(mine: Used, all: ReadonlySet<Used>, call: Call, status: number): void {
  const changes = !isRead(call.operation) && isDone({ status })
  const keys = keysOf(call, changes)
  for (const key of keys) (changes ? mine.changes : mine.reads).add(key)
  // Whoever asks may be somebody else from then on.
  const isOfAll = changes && call.operation === 'impersonateUser'
  for (const other of all) {
    const isMet = keys.some((key) => other.changes.has(key) || (changes && other.reads.has(key)))
    if (other !== mine && (isMet || isOfAll)) for (const one of [mine, other]) one.isMixed = true
  }
}

function keysOf({ operation, path }: Call, changes: boolean): string[] {
  if (path?.user_id !== undefined) return [`user ${String(path.user_id).toLowerCase()}`]
  const resource = resourceOf(operation)
  if (resource === undefined) return []
  if (resource !== 'fields') return [resource]
  const field = path?.field_id === undefined ? [] : [`field ${path.field_id}`]
  // A change of one shows in the list. What was refused without an address is about none.
  return changes || operation === 'listCustomFields' ? [...field, resource] : field
}
