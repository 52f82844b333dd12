/** What the conformance suite may know and use of a tracker, derived from its state and decisions. */
import type { Profile } from '../../conformance/contract/profile.js'
import { settingElement } from '../operations/settings.js'
import { withoutUndefined } from '../request/json.js'
import { levels } from '../state/levels.js'
import type { Collections, Token, User } from '../state/store.js'
import type { Tracker, TrackerTokens } from '../types.js'

export function tokensOf(db: Collections): TrackerTokens {
  const owned = db.tokens.rows.flatMap((token) => {
    const user = db.users.find('id', token.user_id)
    return user && token.kind === 'api' ? [{ token, user }] : []
  })
  const secretWhere = (test: (user: User, token: Token) => boolean) =>
    owned.find(({ user, token }) => test(user, token))?.token.secret ?? ''
  // The account for tests of password changes has a fixed name and is not used for any role.
  const isPlain = (user: User) => user.enabled && !user.protected && user.username !== 'password'
  const ofLevel = (level: number) => secretWhere((user) => user.access_level === level && isPlain(user))
  return {
    administrator: ofLevel(levels.administrator),
    manager: ofLevel(levels.manager),
    developer: ofLevel(levels.developer),
    reporter: ofLevel(levels.reporter),
    viewer: ofLevel(levels.viewer),
    restricted: ofLevel(levels.reporter) || ofLevel(levels.viewer),
    password: secretWhere(({ username, enabled }) => username === 'password' && enabled),
    disabled: secretWhere(({ enabled }) => !enabled),
    protected: secretWhere((user) => user.enabled && user.protected),
    french: secretWhere(({ username, enabled }) => username === 'french' && enabled),
  }
}

const profiled = ['administrator', 'restricted', 'password', 'disabled'] as const

/** The owner of a token, as a trace names its callers: a role of the profile, or another user. */
export function callerOf(db: Collections, tokens: TrackerTokens, secret: string): string | undefined {
  const { user_id, kind } = db.tokens.find('secret', secret) ?? {}
  if (kind !== 'api') return undefined
  return profiled.find((role) => tokens[role] === secret) ?? `somebody:${user_id}`
}

export function profileOf({ db, decisions, tokens, ext }: Tracker, baseUrl: string): Profile {
  const account = db.users.find('id', db.tokens.find('secret', tokens.password)?.user_id ?? 0)
  const owners = new Set(profiled.map((role) => db.tokens.find('secret', tokens[role])?.user_id))
  const user = db.users.rows.find(
    ({ id, enabled, access_level, email, ...rest }) =>
      enabled && !rest.protected && access_level === levels.reporter && email !== '' && !owners.has(id),
  )
  const linked = new Set(db.customFieldLinks.rows.map(({ field_id }) => field_id))
  const projects = db.projects.rows.filter(({ enabled }) => enabled).map(({ id }) => String(id))
  const isThere = (name: string) => db.plugins.find('basename', name)?.installed === true
  const plugin = db.plugins.rows.find((one) => !one.installed && Object.keys(one.requires).every(isThere))
  const setting = db.extensionSettings.rows.find((one) => !one.file_only && typeof one.value === 'number')
  const [project = '0'] = projects
  const reference = decisions['columns-project-form'] === 'string-only' ? project : { id: Number(project) }
  return {
    baseUrl,
    ext,
    safety: 'destructive',
    tokens: {
      administrator: tokens.administrator,
      ...Object.fromEntries(profiled.flatMap((role) => (tokens[role] === '' ? [] : [[role, tokens[role]]]))),
    },
    ...withoutUndefined({
      passwordAccount: account && { current: account.password, next: 'Rainy-Night-2025' },
      user: user && { id: user.id, username: user.username },
      plugin: plugin && { name: plugin.basename, priority: { ...decisions['plugin-priority-range'] } },
      settings: setting && [settingElement(decisions['ext-settings-element'], setting.option, setting.value)],
    }),
    emailDomain: 'example.org',
    accessLevel: levels.reporter,
    projectAccessLevel: decisions['projadd-level-form'] === 'digits' ? String(levels.reporter) : 'reporter',
    projects,
    customField: {
      type: decisions['cf-type-form'] === 'digits' ? '0' : 'string',
      nameLimit: decisions['cf-name-length'],
      ids: db.customFields.rows.map(({ id }) => id).filter((id) => !linked.has(id)),
    },
    recipients: db.recipients.rows.map(({ id }) => id),
    columns: { project: reference, type: 'view', columns: ['id', 'status', 'summary'] },
    userSetting: { option: 'redirect_delay', value: '5' },
    // Too long for every password rule.
    password: { valid: 'Bright-Copper-7', invalid: 'Too-Long-7'.repeat(103) },
  }
}
