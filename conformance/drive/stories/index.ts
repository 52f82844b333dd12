/** All stories, the most revealing first. */
import { type OperationId, operationIds, type Safety } from '../../contract/index.js'
import type { Driver, Given } from '../driver.js'
import * as accounts from './accounts.js'
import * as bodies from './bodies.js'
import * as definitions from './definitions.js'
import * as members from './members.js'
import * as pages from './pages.js'
import * as refusals from './refusals.js'
import { sequences } from './sequences.js'
import { impersonations } from './sessions.js'
import * as users from './users.js'

/** Sends related requests. */
export interface Story {
  readonly id: string
  /** The operations that the story is about; absent: all. */
  readonly of?: readonly OperationId[]
  /** The lowest safety level at which the story sends anything. */
  readonly level: Safety
  run(driver: Driver, given: Given): Promise<void>
  /** It uses up disposable resources of the profile, so it runs only once. */
  readonly isOnce?: true
}

const at =
  (level: Safety) =>
  (id: string, run: Story['run'], of?: Story['of']): Story => ({ id, run, level, ...(of && { of }) })
const [read, write, shared] = [at('read'), at('write'), at('destructive')]

const ofUsers: readonly OperationId[] = ['createUser', 'getUser', 'updateUser', 'getUserEditPage']
const ofFields = operationIds.filter((id) => id.includes('CustomField') && id !== 'getCustomFieldCreatePage')
const ofSettings = operationIds.filter((id) => id.includes('Settings'))

export const stories: readonly Story[] = [
  read('own pages', pages.ownPages, ['getAccountPage', 'getTokensPage', 'getUserSettingsPage']),
  read('reads', pages.reads, pages.shared),
  read('records', pages.records, ['getUser', 'getAccountPage', 'updateUser', 'createUser']),
  read('known user', pages.knownUser, ['getUser', 'getUserEditPage']),
  write('creations', users.creations, ofUsers),
  write('definitions', definitions.definitions, ofFields),
  // Early, since a tracker may limit the number of users.
  write('spelling', bodies.spelling),
  read('strangers', refusals.strangers),
  read('ordinary callers', refusals.ordinary),
  read('disabled caller', refusals.disabled),
  read('unknown addresses', refusals.unknown),
  read('wrong bodies', bodies.certainBodies),
  write('changes', users.changes, ofUsers),
  write('memberships', members.memberships, ['addUserToProjects', ...ofUsers]),
  shared('plugins', accounts.plugins, ['listPlugins', 'installPlugin', 'updatePlugin', 'uninstallPlugin']),
  shared('columns', accounts.columns, ['manageColumns']),
  shared('own settings', accounts.ownSettings, ofSettings),
  shared('settings', accounts.settings, ['updateSettings']),
  write('further changes', users.further, ofUsers),
  // Before other stories reset a user.
  write('resets', members.resets, ['resetUser']),
  write('ids', members.ids, ['getUser', 'getUserEditPage', 'updateUser', 'addUserToProjects', 'resetUser']),
  write('disabled user', pages.disabledUser, ['getUser']),
  write('taken names', users.taken, ['createUser', 'updateUser']),
  write('names', users.names, [...ofUsers, 'addUserToProjects', 'resetUser']),
  write('field limits', definitions.limits, ['createCustomField', 'updateCustomField']),
  write('types', definitions.types, ofFields),
  write('orderings', definitions.orderings, ['listCustomFields']),
  read('side doors', refusals.doors),
  read('odd bodies', bodies.silentBodies),
  read('odd queries', refusals.strangeQueries),
  write('texts', users.texts, ['createUser', 'updateUser']),
  write('field texts', definitions.texts, ofFields),
  write('sequences', sequences),
  read('records again', pages.records, ['getUser', 'getAccountPage', 'updateUser', 'createUser']),
  { ...shared('recipients', accounts.recipients, ['deleteHelpdeskRecipient']), isOnce: true },
  { ...shared('passwords', accounts.passwords, ['changeOwnPassword']), isOnce: true },
]

/** After these the token may speak for somebody else. */
export const lastStories: readonly Story[] = [
  { ...shared('impersonations', impersonations, ['impersonateUser']), isOnce: true },
  { ...read('unknown impersonations', refusals.unknownImpersonations, ['impersonateUser']), isOnce: true },
]
