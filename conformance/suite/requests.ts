/**
 * For each operation a request without a defect, as far as profile and level allow. Checks on credentials and
 * permissions take these and put in the one defect they are about.
 */
import type { OperationId, Safety } from '../contract/index.js'
import { type Check, Skip } from './check.js'
import type { OwnUser } from './own.js'
import { shardOf } from './shard.js'
import { pluginBody, withPlugin } from './shared.js'

export interface PlainRequest {
  readonly path?: Record<string, string | number>
  readonly body?: unknown
  readonly rawBody?: string
  /** Every resource it names is known to exist, and its body is known to be acceptable. */
  readonly proven: boolean
}

/** Numbers and names that no tracker has: long, and others in each run. */
export const missing = {
  id: ({ run }: Check) => 1_200_000_000 + shardOf(run.tag, 900_000_000),
  username: (t: Check) => `${t.run.tag}nobody`,
  plugin: (t: Check) => `${t.run.tag}NoPlugin`,
}

/**
 * A body that does nothing if it is carried out, and in which nothing but its end is wrong: for what has no address that
 * could be one of nothing.
 */
const CUT_OFF = { rawBody: '{"kit', proven: false }

/** Of things that belong to somebody, unless the level lets them be changed. */
const atLevel = (t: Check, level: Safety, request: PlainRequest): PlainRequest =>
  t.allows(level) ? request : CUT_OFF

/** The run's own user for requests that must not change anything; null where the level or the target lets there be none. */
export async function ownUser(t: Check): Promise<OwnUser | null> {
  return t.allows('write') ? orSkip(() => t.run.own.sharedUser()) : null
}

/** One of the run's own for requests that could change it; else a name that nobody has. */
export async function existingUser(t: Check): Promise<{ username: string; proven: boolean }> {
  const own = await ownUser(t)
  return own ? { username: own.username, proven: true } : { username: missing.username(t), proven: false }
}

/** A user to be read: one of the run's own, else the profile's. */
async function readableUser(t: Check): Promise<PlainRequest> {
  const own = (await ownUser(t)) ?? t.profile.user
  return { path: { user_id: own?.username ?? missing.username(t) }, proven: own !== undefined }
}

interface ExistingField {
  readonly id: number
  /** Where it is one of the run's own. */
  readonly name: string | null
  readonly proven: boolean
}

/** One of the run's own, or one that the profile gives away, for requests that could change it; else none. */
export async function existingField(t: Check): Promise<ExistingField> {
  const own = t.allows('write') ? await orSkip(() => t.run.own.sharedField()) : null
  return own ? { ...own, proven: true } : { id: missing.id(t), name: null, proven: false }
}

/** A field to be read. */
async function readableField(t: Check): Promise<PlainRequest> {
  const { id, proven } = await existingField(t)
  const [listed] = t.profile.customField?.ids ?? []
  return { path: { field_id: proven ? id : (listed ?? id) }, proven: proven || listed !== undefined }
}

async function orSkip<T>(make: () => Promise<T>): Promise<T | null> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof Skip) return null
    throw error
  }
}

/** Nobody has it. */
export const WRONG_PASSWORD = 'Kit-not-the-current-1!'

/** A request that is not known to be valid otherwise says nothing; at a higher level it may be. */
export function ambiguous(t: Check, operation: OperationId, status: number): never {
  const what = `answered ${status}, and no request to ${operation} is known to be valid otherwise`
  if (!t.allows('write')) t.skip(`needs --safety write: at read it is ${what}`)
  if (!t.allows('destructive')) t.skip(`needs --safety destructive: at write it is ${what}`)
  t.inconclusive(what)
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
  path: { plugin_name: (t.allows('destructive') && t.profile.plugin?.name) || missing.plugin(t) },
  // Whether it is installed is not known here, and both statuses of a plugin are legal grounds for a refusal.
  proven: false,
})

const builders: Partial<Record<OperationId, (t: Check) => Promise<PlainRequest> | PlainRequest>> = {
  changeOwnPassword: (t) =>
    atLevel(t, 'write', {
      body: { password_current: WRONG_PASSWORD, password: t.run.own.password },
      // Whether the current password is the right one is no question without a user.
      proven: t.profile.password?.valid !== undefined,
    }),
  updateUserSettings: (t) =>
    atLevel(t, 'destructive', {
      body: { configs: [t.profile.userSetting ?? { option: `${t.run.tag}option`, value: 'kit' }] },
      proven: t.profile.userSetting !== undefined,
    }),
  createUser: (t) => atLevel(t, 'write', { body: t.run.own.userBody(), proven: true }),
  getUser: readableUser,
  updateUser: async (t) => ({ ...(await userPath(t)), body: { realname: `Kit Person of ${t.run.tag}` } }),
  impersonateUser: userPath,
  getUserEditPage: readableUser,
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
  createCustomField: (t) =>
    atLevel(t, 'write', {
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
  getCustomFieldUpdatePage: readableField,
  deleteHelpdeskRecipient: (t) => {
    const id = t.allows('destructive') ? t.run.own.presentRecipient() : null
    return { path: { recipient_id: id ?? missing.id(t) }, proven: id !== null }
  },
  manageColumns: (t) =>
    atLevel(t, 'destructive', {
      body: t.profile.columns ?? { type: 'view' },
      proven: t.profile.columns !== undefined,
    }),
  updatePlugin: (t) => ({ ...pluginPath(t), body: pluginBody(t) }),
  installPlugin: (t) => ({ ...pluginPath(t), proven: t.profile.plugin !== undefined }),
  uninstallPlugin: pluginPath,
  updateSettings: (t) =>
    atLevel(t, 'destructive', {
      body: t.profile.settings ?? [],
      proven: t.profile.settings !== undefined,
    }),
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
