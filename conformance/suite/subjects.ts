/**
 * The subjects: for each of the 26 operations one request without a defect, as far as profile and level allow, with the
 * reads that show what it does. Rows of differences (`engine.ts`) put in the one defect that they are about.
 */

import type { Answer, Call } from '../client/call.js'
import { isObject } from '../client/look.js'
import { uninstallPlugin } from '../client/plugins.js'
import type { OperationId, Safety } from '../contract/index.js'
import { existingField, existingUser, missing, ownUser, WRONG_PASSWORD } from './existing.js'
import { pluginAgain, pluginBody, withPlugin } from './plugins.js'
import { type ProfileField, profileFields } from './profile-fields.js'
import type { Check } from './types.js'

export interface Subject {
  readonly operation: OperationId
  readonly call: Pick<Call, 'path' | 'body' | 'rawBody' | 'as'>
  /** Every resource it names is known to exist, and its body is known to be acceptable. */
  readonly proven: boolean
  /** Reads that show what it does, or would do with another body. */
  looks(body?: unknown): readonly Call[]
  /** A body like its own, where what is so already may not be asked for. */
  again(round: number): Promise<unknown>
}

type Made = Subject['call'] & { readonly proven: boolean }

interface Definition {
  /** Without which the subject is not known to be valid. */
  readonly needs?: readonly ProfileField[]
  /** `fresh`: on a thing that may be changed, for requests that are to be accepted or to be looked for. */
  make(t: Check, fresh: boolean): Promise<Made> | Made
  looks?(t: Check, made: Made): readonly Call[]
  /** Bodies of which no two ask for the same. */
  again?(t: Check, round: number, body: unknown): unknown
}

/**
 * A body that does nothing if it is carried out, and in which nothing but its end is wrong: for what has no address that
 * could be one of nothing.
 */
const CUT_OFF_BODY = { rawBody: '{"kit' }
const CUT_OFF = { ...CUT_OFF_BODY, proven: false }

/** Of things that belong to somebody, unless the level lets them be changed. */
const bodyAt = (t: Check, level: Safety, body: () => unknown): Made =>
  t.allows(level) ? { body: body(), proven: true } : CUT_OFF

/** The password account as its token sends it; one that is so already where the level allows no other. */
function ownPassword(t: Check): Made {
  const { current = WRONG_PASSWORD, next = t.run.own.password } = t.run.passwordAccount ?? {}
  const password = t.allows('destructive') || !t.run.passwordAccount ? next : current
  const proven = t.run.passwordAccount !== null || t.profile.password?.valid !== undefined
  return { as: 'password', body: { password_current: current, password }, proven }
}

/** A user to be read: one of the run's own, else the profile's. */
const readUser: Definition = {
  async make(t) {
    const own = (await ownUser(t)) ?? t.profile.user
    return { path: { user_id: own?.username ?? missing.username(t) }, proven: own !== undefined }
  },
}

/** A user to be changed, with this body. */
function changeUser(body?: (t: Check) => unknown) {
  return {
    async make(t, fresh) {
      const { username, proven } = await existingUser(t, fresh)
      return { path: { user_id: username }, ...(body && { body: body(t) }), proven }
    },
    looks: (_, { path = {} }) => [
      { operation: 'getUser', path },
      { operation: 'getUserEditPage', path },
    ],
  } satisfies Definition
}

const renaming = (t: Check) => ({ realname: `Kit Person of ${t.run.own.name()}` })

const fieldLooks: Definition['looks'] = (_, { path }) => [
  { operation: 'listCustomFields' },
  ...(path ? [{ operation: 'getCustomFieldUpdatePage', path } as const] : []),
]

const pluginName = (t: Check) => (t.allows('destructive') && t.profile.plugin?.name) || missing.plugin(t)

/** Whether it is installed is for `withSubject` to see to. */
const changePlugin = (body?: (t: Check) => unknown): Definition => ({
  needs: ['plugin'],
  make: (t) => ({
    path: { plugin_name: pluginName(t) },
    ...(body ? { body: body(t) } : {}),
    proven: t.allows('destructive'),
  }),
  looks: () => [{ operation: 'listPlugins' }],
})

const read: Definition = { make: () => ({ proven: true }) }

const definitions: Readonly<Record<OperationId, Definition>> = {
  getAccountPage: read,
  getTokensPage: read,
  getUserSettingsPage: read,
  getUserCreatePage: read,
  listCustomFields: read,
  getCustomFieldCreatePage: read,
  listPlugins: read,
  getUser: readUser,
  getUserEditPage: readUser,
  getCustomFieldUpdatePage: {
    async make(t) {
      const { id, proven } = await existingField(t)
      const [listed] = t.profile.customField?.ids ?? []
      return { path: { field_id: proven ? id : (listed ?? id) }, proven: proven || listed !== undefined }
    },
  },
  changeOwnPassword: { make: (t) => (t.allows('write') ? ownPassword(t) : CUT_OFF) },
  updateUserSettings: {
    needs: ['userSetting'],
    make: (t) =>
      bodyAt(t, 'destructive', () => ({
        configs: [t.profile.userSetting ?? { option: `${t.run.tag}option`, value: 'kit' }],
      })),
    looks: () => [{ operation: 'getUserSettingsPage' }],
  },
  createUser: {
    make: (t) => bodyAt(t, 'write', () => t.run.own.userBody()),
    looks: (_, { body }) => {
      const { username } = body as { username: string }
      return [{ operation: 'getUser', path: { user_id: username } }]
    },
    again: (t) => t.run.own.userBody(),
  },
  updateUser: { ...changeUser(renaming), again: renaming },
  impersonateUser: changeUser(),
  resetUser: changeUser(),
  addUserToProjects: {
    needs: ['projects', 'projectAccessLevel'],
    ...changeUser(({ profile: { projects, projectAccessLevel } }) => ({
      project_ids: projects?.slice(0, 1) ?? ['1'],
      access_level: projectAccessLevel ?? 'reporter',
    })),
  },
  createCustomField: {
    needs: ['customField.type'],
    make: (t) => bodyAt(t, 'write', () => t.run.own.fieldBody()),
    looks: fieldLooks,
    again: (t) => t.run.own.fieldBody(),
  },
  updateCustomField: {
    async make(t, fresh) {
      const { id, name, proven } = await existingField(t, fresh)
      // An update may be taken for the whole definition. A new name is what is seen best.
      const named = name === null ? {} : { name: fresh ? t.run.own.fieldBody().custom_field.name : name }
      return { path: { field_id: id }, body: { custom_field: { ...named, display_report: true } }, proven }
    },
    looks: fieldLooks,
    // One of the profile keeps its name.
    again: (t, _, body) => (JSON.stringify(body).includes('"name"') ? t.run.own.fieldBody() : body),
  },
  deleteCustomField: {
    async make(t, fresh) {
      const { id, proven } = await existingField(t, fresh)
      return { path: { field_id: id }, proven }
    },
    looks: fieldLooks,
  },
  deleteHelpdeskRecipient: {
    needs: ['recipients'],
    make(t) {
      const id = t.allows('destructive') ? t.run.own.presentRecipient() : null
      return { path: { recipient_id: id ?? missing.id(t) }, proven: id !== null }
    },
  },
  manageColumns: {
    needs: ['columns'],
    make: (t, fresh) =>
      bodyAt(t, 'destructive', () => {
        const { columns, ...reference } = t.profile.columns ?? { type: 'view' }
        // In another order, so that it shows.
        const order = Array.isArray(columns) && fresh ? { columns: [...columns].reverse() } : { columns }
        return { ...reference, ...order }
      }),
    looks: (_, { body }) => {
      const { columns: _columns, ...reference } = body as Record<string, unknown>
      return [{ operation: 'manageColumns', body: reference }]
    },
    again: (t) => t.profile.columns,
  },
  updatePlugin: {
    ...changePlugin((t) => pluginBody(t, { priority: t.profile.plugin?.priority?.max })),
    again: pluginAgain,
  },
  installPlugin: changePlugin(),
  uninstallPlugin: changePlugin(),
  updateSettings: {
    needs: ['settings'],
    make: (t) => bodyAt(t, 'destructive', () => t.profile.settings ?? []),
  },
}

/** Skips where the profile lacks what makes the subject a valid one. */
export function needFields(t: Check, operation: OperationId): void {
  for (const field of definitions[operation].needs ?? []) t.need(field)
}

/** Skips where the subject is not known to be valid; inconclusive where the target is the reason. */
export async function needProven(t: Check, { operation, call, proven }: Subject): Promise<void> {
  needFields(t, operation)
  if (proven) return
  // Whoever refuses to make one says why.
  if (t.allows('write') && call.path?.user_id !== undefined) await t.run.own.otherUser()
  if (t.allows('write') && call.path?.field_id !== undefined) await t.run.own.field()
  const more = t.allows('write') ? 'destructive' : 'write'
  if (!t.allows('destructive')) t.skip(`needs --safety ${more}: no ${operation} is known to be valid`)
  t.inconclusive(`no ${operation} is known to be valid`)
}

async function build(t: Check, operation: OperationId, fresh: boolean): Promise<Subject> {
  const { needs = [], make, looks, again } = definitions[operation]
  const { proven: isThere, ...call } = await make(t, fresh)
  const proven = isThere && needs.every((field) => profileFields[field](t.profile) !== undefined)
  const shown = (body = call.body) => (proven && looks ? looks(t, { ...call, body, proven }) : [])
  const other = async (round: number) => (await again?.(t, round, call.body)) ?? call.body
  return { operation, call, proven, looks: shown, again: other }
}

const needsPlugin = (operation: OperationId) =>
  operation === 'updatePlugin' || operation === 'uninstallPlugin'

/** The same with a body of which nothing could be carried out. */
export const cutOff = (subject: Subject): Subject => {
  const { body, ...call } = subject.call
  return body === undefined ? subject : { ...subject, call: { ...call, ...CUT_OFF_BODY }, proven: false }
}

/** As far as it is valid without anything being done for it: a plugin that must be installed first is not. */
export async function subjectOf(t: Check, operation: OperationId): Promise<Subject> {
  const subject = await build(t, operation, false)
  return needsPlugin(operation) ? { ...subject, proven: false } : subject
}

/**
 * Lets `use` ask with the subject of an operation: with the plugin installed as long as it runs where that makes the
 * request a valid one, and with what it has changed of others put back afterwards.
 */
export async function withSubject<T>(
  t: Check,
  operation: OperationId,
  use: (subject: Subject) => Promise<T>,
  { fresh = false } = {},
): Promise<T> {
  const ask = async () => use(await build(t, operation, fresh))
  if (needsPlugin(operation) && t.profile.plugin && t.allows('destructive')) return withPlugin(t, ask)
  try {
    return await ask()
  } finally {
    if (operation === 'manageColumns') await t.run.own.putBack('columns')
    if (operation === 'updateUserSettings') await t.run.own.putBack('setting')
  }
}

/** After the subject, or what differs from it, was accepted: what stands in the way of others is taken back at once. */
export async function undo(t: Check, asked: Call, answer: Answer): Promise<void> {
  const { operation } = asked
  const { plugin } = t.profile
  if (operation === 'installPlugin' && plugin && plugin.name === asked.path?.plugin_name)
    await uninstallPlugin(t, plugin.name)
  const definition = isObject(asked.body) ? asked.body.custom_field : undefined
  if (operation === 'createCustomField' && isObject(definition) && typeof definition.name === 'string')
    await t.run.own.adoptField(definition.name, answer)
  if (operation === 'deleteCustomField')
    t.run.own.fieldDeleted({ id: Number(asked.path?.field_id), name: null })
  if (operation === 'changeOwnPassword' && t.run.passwordAccount && t.allows('destructive')) {
    const { current: password, next: password_current } = t.run.passwordAccount
    await t.send({ operation, as: 'password', body: { password_current, password } })
  }
}

/** A request that is not known to be valid otherwise says nothing; at a higher level it may be. */
export function ambiguous(t: Check, operation: OperationId, status: number): never {
  const what = `answered ${status}, and no request to ${operation} is known to be valid otherwise`
  if (!t.allows('write')) t.skip(`needs --safety write: at read it is ${what}`)
  if (!t.allows('destructive')) t.skip(`needs --safety destructive: at write it is ${what}`)
  t.inconclusive(what)
}
