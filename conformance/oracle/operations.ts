/** What the oracle adds to the contract's operations: who may use each, what it addresses, and how an exchange names it. */
import { type Operation, type OperationId, operations } from '../contract/index.js'
import type { Family } from './bodies.js'

export type { Family } from './bodies.js'

export type Kind = 'user' | 'field' | 'recipient' | 'plugin'
/**
 * Section 5. `own`: for whoever is authenticated. `gated`: the document calls it administrative. `open`: the document
 * does not say who may use it.
 */
export type Gate = 'own' | 'gated' | 'open'

export interface Aspect {
  readonly gate: Gate
  readonly family?: Exclude<Family, 'definition'>
}

export const aspects: Readonly<Record<OperationId, Aspect>> = {
  getAccountPage: { gate: 'own' },
  changeOwnPassword: { gate: 'own', family: 'password' },
  getTokensPage: { gate: 'own' },
  getUserSettingsPage: { gate: 'own' },
  updateUserSettings: { gate: 'own', family: 'configs' },
  createUser: { gate: 'gated', family: 'user' },
  getUserCreatePage: { gate: 'open' },
  getUser: { gate: 'open' },
  updateUser: { gate: 'gated', family: 'user' },
  impersonateUser: { gate: 'gated' },
  getUserEditPage: { gate: 'open' },
  addUserToProjects: { gate: 'gated', family: 'assignment' },
  resetUser: { gate: 'gated' },
  listCustomFields: { gate: 'open' },
  createCustomField: { gate: 'gated', family: 'field' },
  getCustomFieldCreatePage: { gate: 'open' },
  updateCustomField: { gate: 'gated', family: 'field' },
  deleteCustomField: { gate: 'gated' },
  getCustomFieldUpdatePage: { gate: 'open' },
  deleteHelpdeskRecipient: { gate: 'open' },
  manageColumns: { gate: 'own', family: 'columns' },
  updatePlugin: { gate: 'gated', family: 'plugin' },
  installPlugin: { gate: 'gated' },
  uninstallPlugin: { gate: 'gated' },
  listPlugins: { gate: 'gated' },
  updateSettings: { gate: 'gated', family: 'settings' },
}

const kinds = {
  user_id: 'user',
  field_id: 'field',
  recipient_id: 'recipient',
  plugin_name: 'plugin',
} as const

/** What the path of an operation addresses. */
export const kindOf = ({ parameters: [parameter] }: Operation): Kind | undefined =>
  parameter && kinds[parameter.name]

const those = (isIt: (operation: Operation) => boolean): readonly OperationId[] =>
  operations.filter(isIt).map(({ id }) => id)
export const every = those(() => true)
export const gated = those(({ id }) => aspects[id].gate === 'gated')
export const bodied = those(({ id }) => aspects[id].family !== undefined)
export const addressing = those((operation) => kindOf(operation) !== undefined)
export const numbered = those((operation) => ['field', 'recipient'].includes(kindOf(operation) ?? ''))
export const reading = those(({ id, method }) => method === 'GET' || id === 'manageColumns')
/** Changes of users that are not the caller's own. */
export const changingUsers = those(({ method, path }) => method !== 'GET' && path.startsWith('/users'))
/** Changes of fields and plugins. */
export const managing = those(({ method, path }) => method !== 'GET' && /^.(custom_fields|plugin)/.test(path))
/** Operations that set or show a stored member. */
export const keeping = those(
  ({ id }) => !/Password|Account|Tokens|CreatePage|Recipient|updateSettings/.test(id),
)

const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/, '([^/]+)')}$`),
}))

/** The operation that a method and a path below the extension mean, and the address in the path. */
export function match(method: string, path: string) {
  for (const { operation, pattern } of patterns) {
    const found = operation.method === method ? pattern.exec(path) : null
    if (found) return { operation, address: found[1] === undefined ? undefined : decoded(found[1]) }
  }
  return undefined
}

/** The part of a path behind the extension segment; undefined where the path does not pass through it. */
export function belowExtension(path: string, ext = 'Ext'): string | undefined {
  const segment = `/plugins/${encodeURIComponent(ext)}/`
  const start = path.indexOf(segment)
  return start < 0 ? undefined : path.slice(start + segment.length - 1)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
