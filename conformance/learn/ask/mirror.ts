/** What is on a target to begin with, as far as the profile and its answers show, so that an emulator can start alike. */

import type { Identity } from '../../client/call.js'
import { idOf, isObject, values } from '../../client/look.js'
import type { Profile } from '../../contract/index.js'
import type { Sender, Setting } from './script.js'

export interface MirroredUser {
  readonly id: number | null
  readonly username: string | null
  readonly record: Readonly<Record<string, unknown>>
  /** An error in the language of the account, where it was told one. */
  readonly localized?: string | undefined
}

export interface Mirror {
  readonly profile: Profile
  readonly names: Setting['names']
  readonly accounts: Readonly<
    Partial<Record<'administrator' | 'restricted' | 'password' | 'disabled' | 'user', MirroredUser>>
  >
  /** Records as they are shown. */
  readonly fields: readonly Readonly<Record<string, unknown>>[]
  readonly plugins: readonly Readonly<Record<string, unknown>>[]
}

export async function mirrorOf(sender: Sender, profile: Profile): Promise<Mirror> {
  const accounts: Record<string, MirroredUser> = {}
  const names: Record<string, string> = {}
  for (const as of ['administrator', 'restricted', 'password'] as const) {
    if (!profile.tokens[as]) continue
    const page = await sender.send({ operation: 'getAccountPage', as })
    const found = page.status === 200 ? userIn(page.json) : null
    const known = found ?? { id: null, username: null, record: {} }
    accounts[as] = { ...known, localized: await localizedFor(sender, as) }
    if (!found) continue
    if (found.username !== null) names[as] = found.username
  }
  if (profile.user) {
    const seen = await sender.send({ operation: 'getUser', path: { user_id: profile.user.username } })
    const found = seen.status === 200 ? userIn(seen.json) : null
    accounts.user = { id: profile.user.id, username: profile.user.username, record: found?.record ?? {} }
  }
  const fields = await sender.send({ operation: 'listCustomFields' })
  const plugins = await sender.send({ operation: 'listPlugins' })
  return {
    profile,
    names,
    accounts,
    fields: fields.status === 200 ? recordsIn(fields.json) : [],
    plugins: plugins.status === 200 ? recordsIn(plugins.json) : [],
  }
}

async function localizedFor(sender: Sender, as: Identity): Promise<string | undefined> {
  if (as === 'administrator') return undefined
  const { json } = await sender.send({ operation: 'getUserCreatePage', as })
  return isObject(json) && typeof json.localized === 'string' ? json.localized : undefined
}

const nameKey = /^(user_?name|login(_?name)?|name)$/i

/** The first record that has a name. */
function userIn(json: unknown): MirroredUser | null {
  for (const value of values(json)) {
    if (!isObject(value)) continue
    const named = Object.entries(value).find(([key, name]) => nameKey.test(key) && typeof name === 'string')
    if (!named) continue
    return { id: idOf(value, 'user'), username: String(named[1]), record: value }
  }
  return null
}

/** The objects of the longest list. */
function recordsIn(json: unknown): Record<string, unknown>[] {
  let best: Record<string, unknown>[] = []
  for (const value of values(json)) {
    if (!Array.isArray(value)) continue
    const records = value.filter(isObject)
    if (records.length > best.length) best = records
  }
  return best
}
