/** What several operations and the answers need: dates, preferences, the choices that pages offer. */

import { pair, type User } from '../state/store.js'
import { refuse } from './errors.js'
import type { Context } from './operation.js'

/** Languages that an account may prefer; `auto` stands for the tracker's own. */
export const languageChoices = [
  'auto',
  'arabic',
  'bulgarian',
  'chinese_simplified',
  'czech',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hungarian',
  'italian',
  'japanese',
  'korean',
  'norwegian_bokmal',
  'polish',
  'portuguese_brazil',
  'romanian',
  'russian',
  'spanish',
  'swedish',
  'turkish',
  'ukrainian',
] as const

export const DEFAULT_LANGUAGE = 'english'
const DEFAULT_TIMEZONE = 'UTC'

let timezones: ReadonlySet<string> | undefined

/** Made on first use: most trackers are never asked for one. */
function knownTimezones(): ReadonlySet<string> {
  timezones ??= new Set([DEFAULT_TIMEZONE, ...Intl.supportedValuesOf('timeZone')])
  return timezones
}

export const timezoneChoices = (): string[] => [...knownTimezones()]

export const isLanguage = (value: string) => languageChoices.some((known) => known === value)
export const isTimezone = (value: string) => knownTimezones().has(value)

/** A stored preference, or undefined where the default holds. */
export const preference = (c: Context, user: User, option: string): string | undefined =>
  c.store.db.userSettings.find('pair', pair(user.id, option))?.value

export async function setPreference(c: Context, user: User, option: string, value: string): Promise<void> {
  const { userSettings } = c.store.db
  const row = userSettings.find('pair', pair(user.id, option))
  if (!row) await userSettings.create({ user_id: user.id, option, value })
  else if (row.value !== value) await userSettings.change(row, { value })
}

/** The language of an account: what it prefers, and else the tracker's. */
export function languageOf(c: Pick<Context, 'store'>, user: User): string {
  const preferred = c.store.db.userSettings.find('pair', pair(user.id, 'language'))?.value
  return preferred === undefined || preferred === 'auto' ? DEFAULT_LANGUAGE : preferred
}

export function timezoneOf(c: Context, user: User): string {
  const preferred = preference(c, user, 'timezone')
  if (preferred) return preferred
  return c.decisions['own-timezone-default'] === 'empty' ? '' : DEFAULT_TIMEZONE
}

/** A stored date in the form of the decisions. */
export function dateValue(c: Context, date: string | null): unknown {
  if (date === null) return null
  switch (c.decisions['date-format']) {
    case 'iso':
      return date.replace(/(\.\d+)?Z$/, '+00:00')
    case 'epoch':
      return Math.floor(Date.parse(date) / 1000)
    case 'display':
      return date.slice(0, 16).replace('T', ' ')
  }
}

/** Digits that are a positive id. */
export function positiveId(text: string): number | null {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  return id > 0 ? id : null
}

/** A project that does not exist, in a list of several: refused or left out, never both. */
export function refuseProject(
  id: string,
  how: 'not-found' | 'invalid' | 'skipped',
  decision: 'projadd-unknown-project' | 'cf-projects-create',
  alone: boolean,
): void {
  if (how === 'skipped' && !alone) return
  if (how === 'invalid')
    refuse('invalid-value', { with: ['projects'], detail: `Project ${id} does not exist`, decision })
  refuse('project-not-found', { with: [id], decision })
}
