/** Operations 1 to 5: the pages of users about their own account, their password and their preferences. */
import { passwordBody, userSettingsBody } from '../../conformance/contract/bodies.js'
import { dateValue, levelValue, projectLevel, viewState } from '../request/access.js'
import { readBody } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse, refuseBy, refuseFor } from '../request/errors.js'
import { isObject, wordsIn } from '../request/json.js'
import { define, page, written } from '../request/operation.js'
import {
  isLanguage,
  isTimezone,
  locales,
  preference,
  setPreference,
  timezoneOf,
} from '../request/preferences.js'
import type { Token } from '../state/store.js'
import { endOldSessions, mails, newPassword } from '../users/effects.js'
import { mismatch, needMatch, needOther, refuseBlank, refuseProtectedPassword } from '../users/rights.js'
import { userRecord, writtenFields } from '../users/user.js'
import { checkPassword, PASSWORD_LIMIT } from '../users/values.js'
import { refuseDuplicate } from './settings.js'

/** Refuses a caller whose account is protected: such an account is shared, so its users may not manage it. */
function needUnprotected(c: AdmittedCall, kind: 'page' | 'write'): void {
  if (!c.caller.protected) return
  const refused = { refused: 'protected-account' } as const
  const cases = kind === 'page' ? refused : { ...refused, 'pages-readable': 'protected-account' as const }
  refuseBy(c, 'me-protected', `The account ${c.caller.username} is protected`, cases)
}

export const getAccountPage = define({
  gate: (c) => needUnprotected(c, 'page'),
  run(c) {
    const user = userRecord(c, c.caller, writtenFields)
    if (c.decisions['account-page-content'] === 'record') return page('user', user, {})
    const { memberships, projects } = c.store.db
    return page('user', user, {
      projects: projects.rows
        .filter(({ id, enabled }) => enabled && memberships.find('pair', `${c.caller.id}/${id}`))
        .map((project) => ({
          id: project.id,
          name: project.name,
          description: project.description,
          view_state: viewState(c, project),
          level: levelValue(c, projectLevel(c, c.caller, project)),
        })),
      flags: {
        can_change_password: true,
        can_change_email: true,
        can_change_realname: true,
        can_delete: false,
        email_needs_verification: mails(c),
      },
      limits: { password: PASSWORD_LIMIT },
    })
  },
})

export const changeOwnPassword = define({
  gate(c) {
    if (c.caller.protected) refuseProtectedPassword(c, c.caller)
  },
  accept(c) {
    // The field is required, so its absence always gives a 400; only the error's number is open.
    if (isObject(c.body) && (c.body.password_current ?? null) === null)
      refuseBy(c, 'password-current-missing', 'The current password is missing', { mismatch: mismatch(400) })
    const body = readBody(c, passwordBody)
    if (body.password === '') {
      refuseBlank(c)
      refuseFor('password-blank-new', ['empty-field', 'password'])
    }
    return body
  },
  permit(c, _, { password_current, password }) {
    needMatch(c, c.caller, password_current)
    checkPassword(c, password, c.caller.username)
    needOther(c, c.caller, password)
  },
  run(c, _, { password }) {
    const { caller } = c
    if (password !== caller.password)
      endOldSessions(c, c.store.db.users.change(caller, newPassword(c, caller, password)))
    return written('Password changed', 'user', { id: caller.id, name: caller.username })
  },
})

export const getTokensPage = define({
  gate: (c) => needUnprotected(c, 'page'),
  run(c) {
    const own = c.store.db.tokens.having('user', c.caller.id).filter(({ kind }) => kind === 'api')
    const order = c.decisions['tokens-content']
    const lastUse = (token: Token) => (order === 'by-creation' ? '' : (token.used_at ?? ''))
    const sorted = own.toSorted(
      (a, b) =>
        lastUse(b).localeCompare(lastUse(a)) || a.created_at.localeCompare(b.created_at) || a.id - b.id,
    )
    const tokens = sorted.map((token) => ({
      id: token.id,
      name: token.name,
      ...(order === 'masked' ? { token: `${token.secret.slice(0, 2)}…` } : {}),
      created_at: dateValue(c, token.created_at),
      last_used_at: dateValue(c, token.used_at),
    }))
    return page('tokens', tokens, { flags: { can_create: true, can_revoke: true }, limits: { name: 128 } })
  },
})

type Option = Readonly<{ default: string; legal: (value: string) => boolean }>

const number: Option['legal'] = (value) => /^\d{1,9}$/.test(value)
const flag: Option['legal'] = (value) => /^(0|1|true|false)$/.test(value)

const few: Readonly<Record<string, Option>> = {
  language: { default: 'auto', legal: isLanguage },
  timezone: { default: '', legal: (value) => value === '' || isTimezone(value) },
  refresh_delay: { default: '30', legal: number },
  redirect_delay: { default: '2', legal: number },
  bugnote_order: { default: 'ASC', legal: (value) => value === 'ASC' || value === 'DESC' },
}

const mailEvents = wordsIn('new assigned feedback resolved closed reopened bugnote status priority')

const options: Readonly<Record<string, Option>> = {
  ...few,
  default_project: { default: '0', legal: number },
  default_profile: { default: '0', legal: number },
  ...Object.fromEntries(
    mailEvents.flatMap((event) => [
      [`email_on_${event}`, { default: event === 'status' || event === 'priority' ? '0' : '1', legal: flag }],
      [`email_on_${event}_min_severity`, { default: '0', legal: number }],
    ]),
  ),
  email_bugnote_limit: { default: '0', legal: (value) => /^\d{1,2}$/.test(value) },
  email_notifications_verbose: { default: '0', legal: flag },
  font_family: { default: 'Open Sans', legal: (value) => fonts.includes(value) },
}

const fonts: readonly string[] = ['Open Sans', 'Lato', 'Montserrat', 'Roboto', 'Source Code Pro']

export const offered = (c: AdmittedCall) => (c.decisions['settings-options'] === 'few' ? few : options)

/** Whether the tracker has the option; a twin has those that its live tracker has accepted. */
export const isOffered = (c: AdmittedCall, option: string): boolean =>
  Object.hasOwn(c.decisions['accepted-values'].userSetting ?? offered(c), option)

const MIN_REFRESH = 10

function shown(c: AdmittedCall): { option: string; value: string }[] {
  return Object.entries(offered(c)).map(([option, { default: fallback }]) => {
    const stored = option === 'timezone' ? timezoneOf(c, c.caller) : preference(c.store, c.caller, option)
    return { option, value: stored ?? fallback }
  })
}

export const getUserSettingsPage = define({
  gate: (c) => needUnprotected(c, 'page'),
  run: (c) => page('configs', shown(c), { ...locales(), fonts, limits: { min_refresh_delay: MIN_REFRESH } }),
})

export const updateUserSettings = define({
  gate: (c) => needUnprotected(c, 'write'),
  accept(c) {
    const missing = c.decisions['settings-empty-configs']
    const { configs } = readBody(c, userSettingsBody, { missing, given: bodyWithStringValues(c) })
    if (configs.length === 0) refuseFor('settings-empty-configs', [missing, 'configs'])
    const values = new Map<string, string>()
    for (const { option, value } of configs) {
      if (values.has(option)) refuseDuplicate(c, option, 'configs')
      values.set(option, checkedValue(c, option, value))
    }
    return values
  },
  run(c, _, values) {
    for (const [option, value] of values) setPreference(c.store, c.caller, option, value)
    return written('Settings updated', 'configs', shown(c))
  },
})

/** JSON numbers and booleans count as their text. */
function bodyWithStringValues(c: AdmittedCall): unknown {
  const { body } = c
  if (!isObject(body) || !Array.isArray(body.configs)) return body
  const scalar = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'
  const configs = body.configs.map((item: unknown) => {
    if (!isObject(item) || !scalar(item.value)) return item
    refuseBy(c, 'settings-value-type', { 'strings-only': ['invalid-value', 'configs.value'] })
    return { ...item, value: String(Number(item.value)) }
  })
  return { ...body, configs }
}

function checkedValue(c: AdmittedCall, option: string, value: string): string {
  if (option.trim() === '')
    refuse('empty-field', { with: ['configs.option'], detail: 'A setting has no name' })
  const known = Object.hasOwn(offered(c), option) ? offered(c)[option] : undefined
  if (!known) refuseFor('settings-unknown-option', [c.decisions['settings-unknown-option'], option])
  if (!known.legal(value)) {
    const how = c.decisions['settings-value-invalid']
    return how === 'stored' ? value : refuseFor('settings-value-invalid', [how, option])
  }
  if (option !== 'refresh_delay' || Number(value) === 0 || Number(value) >= MIN_REFRESH) return value
  refuseBy(c, 'settings-refresh-clamp', { refused: ['invalid-value', option] })
  return c.decisions['settings-refresh-clamp'] === 'raised' ? String(MIN_REFRESH) : value
}
