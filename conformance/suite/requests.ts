/**
 * For each operation a request without a defect, as far as profile and level allow. Checks on credentials and
 * permissions take these and put in the one defect they are about.
 */
import type { OperationId } from '../contract/index.js'
import { type Check, Skip } from './check.js'
import type { OwnUser } from './own.js'
import { pluginBody, withPlugin } from './shared.js'

export interface PlainRequest {
  readonly path?: Record<string, string | number>
  readonly body?: unknown
  /** Every resource it names is known to exist, and its body is known to be acceptable. */
  readonly proven: boolean
}

/** Numbers and names that no tracker has. */
export const missing = {
  id: 1_987_654_321,
  username: (t: Check) => `${t.run.tag}nobody`,
  plugin: (t: Check) => `${t.run.tag}NoPlugin`,
}

/** The run's own user for requests that must not change anything; null where the level or the target lets there be none. */
export async function ownUser(t: Check): Promise<OwnUser | null> {
  return t.allows('write') ? orSkip(() => t.run.own.sharedUser()) : null
}

/** An existing user for such requests: one of the run's own, else the profile's. */
export async function existingUser(t: Check): Promise<{ username: string; proven: boolean }> {
  const own = await ownUser(t)
  if (own) return { username: own.username, proven: true }
  if (t.profile.user) return { username: t.profile.user.username, proven: true }
  return { username: missing.username(t), proven: false }
}

interface ExistingField {
  readonly id: number
  /** Where it is one of the run's own. */
  readonly name: string | null
  readonly proven: boolean
}

/** An existing field for requests that must not change anything, likewise. */
export async function existingField(t: Check): Promise<ExistingField> {
  const none = { id: missing.id, name: null, proven: false }
  if (t.allows('write')) {
    const own = await orSkip(() => t.run.own.sharedField())
    return own ? { ...own, proven: true } : none
  }
  const [listed] = t.profile.customField?.ids ?? []
  return listed === undefined ? none : { id: listed, name: null, proven: true }
}

async function orSkip<T>(make: () => Promise<T>): Promise<T | null> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof Skip) return null
    throw error
  }
}

const userPath = async (t: Check) => {
  const user = await existingUser(t)
  return { path: { user_id: user.username }, proven: user.proven }
}

const fieldPath = async (t: Check) => {
  const field = await existingField(t)
  return { path: { field_id: field.id }, proven: field.proven }
}

const pluginPath = (t: Check) => ({
  path: { plugin_name: t.profile.plugin?.name ?? missing.plugin(t) },
  // Whether it is installed is not known here, and both statuses of a plugin are legal grounds for a refusal.
  proven: false,
})

const builders: Partial<Record<OperationId, (t: Check) => Promise<PlainRequest> | PlainRequest>> = {
  changeOwnPassword: (t) => ({
    body: {
      password_current: 'Kit-not-the-current-1!',
      password: t.profile.password?.valid ?? 'Kit-7f3a!Quartz',
    },
    // Whether the current password is the right one is no question without a user.
    proven: t.profile.password?.valid !== undefined,
  }),
  updateUserSettings: (t) => ({
    body: { configs: [t.profile.userSetting ?? { option: 'language', value: 'english' }] },
    proven: t.profile.userSetting !== undefined,
  }),
  createUser: (t) => ({ body: t.run.own.userBody(), proven: true }),
  getUser: userPath,
  updateUser: async (t) => ({ ...(await userPath(t)), body: { realname: `Kit Person of ${t.run.tag}` } }),
  impersonateUser: userPath,
  getUserEditPage: userPath,
  addUserToProjects: async (t) => {
    const { projects = ['1'], projectAccessLevel = 'reporter' } = t.profile
    const user = await userPath(t)
    const known = t.profile.projects !== undefined && t.profile.projectAccessLevel !== undefined
    return {
      ...user,
      body: { project_ids: projects.slice(0, 1), access_level: projectAccessLevel },
      proven: user.proven && known,
    }
  },
  resetUser: userPath,
  createCustomField: (t) => ({
    body: t.run.own.fieldBody(),
    proven: t.profile.customField?.type !== undefined,
  }),
  updateCustomField: async (t) => {
    const { id, name, proven } = await existingField(t)
    // An update may be taken for the whole definition.
    const definition = { ...(name === null ? {} : { name }), display_report: true }
    return { path: { field_id: id }, body: { custom_field: definition }, proven }
  },
  deleteCustomField: fieldPath,
  getCustomFieldUpdatePage: fieldPath,
  deleteHelpdeskRecipient: (t) => {
    const id = t.run.own.presentRecipient()
    return { path: { recipient_id: id ?? missing.id }, proven: id !== null }
  },
  manageColumns: (t) => ({
    body: t.profile.columns ?? { type: 'view' },
    proven: t.profile.columns !== undefined,
  }),
  updatePlugin: (t) => ({ ...pluginPath(t), body: pluginBody(t) }),
  installPlugin: (t) => ({ ...pluginPath(t), proven: t.profile.plugin !== undefined }),
  uninstallPlugin: pluginPath,
  updateSettings: (t) => ({ body: t.profile.settings ?? [], proven: t.profile.settings !== undefined }),
}

export async function plainRequest(t: Check, id: OperationId): Promise<PlainRequest> {
  const build = builders[id]
  return build ? await build(t) : { proven: true }
}

/** As `plainRequest`, with the plugin installed as long as `use` runs where that makes the request a valid one. */
export async function withPlainRequest<T>(
  t: Check,
  id: OperationId,
  use: (request: PlainRequest) => Promise<T>,
): Promise<T> {
  const needsPlugin = id === 'updatePlugin' || id === 'uninstallPlugin'
  if (!needsPlugin || !t.profile.plugin || !t.allows('destructive')) return use(await plainRequest(t, id))
  return withPlugin(t, async () => use({ ...(await plainRequest(t, id)), proven: true }))
}
