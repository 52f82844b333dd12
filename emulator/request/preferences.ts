/** Languages and time zones, and the preferences of accounts. */
import { pair, type Store, type User } from '../state/store.js'
import type { AdmittedCall, Call } from './call.js'
import { wordsIn } from './json.js'

/** Languages that an account may prefer; `auto` is the tracker's own. */
const languages = wordsIn(`
  auto arabic bulgarian chinese_simplified czech danish dutch english finnish french german greek hungarian italian
  japanese korean norwegian_bokmal polish portuguese_brazil romanian russian spanish swedish turkish ukrainian
`)

export const DEFAULT_LANGUAGE = 'english'
const DEFAULT_TIMEZONE = 'UTC'

let timezones: ReadonlySet<string> | undefined

/** Made on first use, since most trackers never need it. */
function knownTimezones(): ReadonlySet<string> {
  timezones ??= new Set([DEFAULT_TIMEZONE, ...Intl.supportedValuesOf('timeZone')])
  return timezones
}

/** The choices that the pages of users offer. */
export const locales = () => ({ languages, timezones: [...knownTimezones()] })

export const isLanguage = (value: string) => languages.includes(value)
export const isTimezone = (value: string) => knownTimezones().has(value)

/** A stored preference, or undefined if the default applies. */
export const preference = ({ db }: Store, user: User, option: string): string | undefined =>
  db.userSettings.find('pair', pair(user.id, option))?.value

export function setPreference({ db }: Store, user: User, option: string, value: string): void {
  const row = db.userSettings.find('pair', pair(user.id, option))
  if (!row) db.userSettings.add({ user_id: user.id, option, value })
  else if (row.value !== value) db.userSettings.change(row, { value })
}

export function languageOf(store: Store, user: User): string {
  const preferred = preference(store, user, 'language')
  return preferred === undefined || preferred === 'auto' ? DEFAULT_LANGUAGE : preferred
}

export const callersLanguage = ({ session, caller, store }: Call) =>
  session && caller ? languageOf(store, caller) : DEFAULT_LANGUAGE

export function timezoneOf(c: AdmittedCall, user: User): string {
  const preferred = preference(c.store, user, 'timezone')
  if (preferred) return preferred
  return c.decisions['own-timezone-default'] === 'empty' ? '' : DEFAULT_TIMEZONE
}
