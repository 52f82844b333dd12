/** Which values of the document's open vocabularies a target takes: asked on things of the run's own. */

import { isObject, values } from '../../client/look.js'
import type { Profile } from '../../contract/index.js'
import {
  createScript,
  type Recorded,
  type Scenario,
  type Script,
  type Sender,
  type Setting,
} from './script.js'

export interface Accepted {
  readonly customFieldType?: readonly string[]
  readonly projectLevel?: readonly string[]
  readonly accessLevel?: readonly number[]
  readonly project?: readonly string[]
  readonly column?: readonly string[]
  readonly columnType?: readonly string[]
  readonly userSetting?: Readonly<Record<string, string>>
}

const types = ['numeric', 'list', 'date', 'textarea', '0', '3']
const levelNames = ['reporter', 'developer', '55']
const levels = [3, 10, 25, 33, 90]
/** Self-service settings that a run may change. */
export const options = [
  'language',
  'timezone',
  'refresh_delay',
  'email_on_new',
  'bugnote_order',
  'redirect_delay',
  'default_project',
  'font_family',
]
/** Types of lists of columns, and one that no tracker has. */
const familyLists = ['view', 'print', 'csv', 'excel']
export const NO_TYPE = 'none-such'
const columns = [
  'id',
  'summary',
  'status',
  'priority',
  'severity',
  'last_updated',
  'resolution',
  'category_id',
  'version',
  'tags',
]

/** Filled as it goes, so that an early end keeps what was found. */
export type Found = { -readonly [K in keyof Accepted]: Accepted[K] }

/** What somebody is asked for; the others are in the profile. */
type Key = Exclude<keyof Accepted, 'columnType' | 'project'>

interface Probe {
  readonly key: Key
  readonly safety: 'write' | 'destructive'
  readonly needs: (profile: Profile) => boolean
  ask(s: Script, takes: (...call: Parameters<Script['send']>) => Promise<boolean>): Promise<Accepted>
}

const probes: readonly Probe[] = [
  {
    key: 'customFieldType',
    safety: 'write',
    needs: () => true,
    async ask(s, takes) {
      const shown = await s.send('getCustomFieldCreatePage')
      const known = s.profile.customField?.type
      const listed = textsIn(shown?.json, /type|kind/i)
      const asked = unique([known, ...listed, ...types]).slice(0, 8)
      const accepted: string[] = []
      for (const type of asked) {
        const body = s.fieldBody({ type, possible_values: 'a|b' })
        if (await takes('createCustomField', { body })) accepted.push(type)
      }
      // Where all are taken that a page lists, as far as they were asked for, the rest of its list is taken too.
      const tried = listed.filter((type) => asked.includes(type))
      if (tried.length > 3 && tried.every((type) => accepted.includes(type))) accepted.push(...listed)
      return accepted.length > 0 ? { customFieldType: unique(accepted) } : {}
    },
  },
  {
    key: 'projectLevel',
    safety: 'write',
    needs: ({ projects }) => projects?.[0] !== undefined,
    async ask(s, takes) {
      const known = s.profile.projectAccessLevel ?? 'reporter'
      const project_ids = s.profile.projects?.slice(0, 1)
      const assign = (user_id: string, access_level: string) =>
        takes('addUserToProjects', { path: { user_id }, body: { project_ids, access_level } })
      const user = await s.user()
      // Who is in a project already may be refused for that.
      const again = (await assign(user, known)) && (await assign(user, known))
      const accepted: string[] = []
      const page = await s.send('getUserCreatePage')
      const shown = offeredIn(page?.json).filter((one) => typeof one === 'string')
      for (const level of unique([known, ...levelNames, ...shown]).slice(0, 6))
        if (level === known ? again : await assign(again ? user : await s.user(), level)) accepted.push(level)
      if (!again) accepted.unshift(known)
      return { projectLevel: accepted }
    },
  },
  {
    key: 'accessLevel',
    safety: 'write',
    needs: () => true,
    async ask(s, takes) {
      const path = { user_id: await s.user() }
      const page = await s.send('getUserCreatePage')
      const shown = offeredIn(page?.json).filter((one) => typeof one === 'number')
      const taken: number[] = []
      const asked = [...new Set([s.profile.accessLevel ?? 25, ...levels, ...shown])].slice(0, 10)
      for (const access_level of asked)
        if (await takes('updateUser', { path, body: { access_level } })) taken.push(access_level)
      // Where odd ones are taken, it is a range and no list.
      return taken.length > 0 && !taken.includes(33) ? { accessLevel: taken } : {}
    },
  },
  {
    key: 'column',
    safety: 'destructive',
    needs: ({ columns }) => columns !== undefined,
    async ask(s, takes) {
      const { columns: mine, ...reference } = s.profile.columns ?? { columns: [] }
      const read = await s.send('manageColumns', { body: reference })
      const names = unique([...mine, ...textsIn(read?.json, /column|list/i), ...columns])
      const accepted = [...mine]
      if (await takes('manageColumns', { body: { ...reference, columns: names } })) accepted.push(...names)
      else
        for (const name of names.filter((one) => !mine.includes(one)).slice(0, 6))
          if (await takes('manageColumns', { body: { ...reference, columns: [name] } })) accepted.push(name)
      await s.send('manageColumns', { body: s.profile.columns })
      return { column: unique(accepted) }
    },
  },
  {
    key: 'userSetting',
    safety: 'destructive',
    needs: ({ userSetting }) => userSetting !== undefined,
    async ask(s, takes) {
      const { option = '', value = '' } = s.profile.userSetting ?? {}
      const as = s.profile.tokens.password ? 'password' : 'administrator'
      const page = await s.send('getUserSettingsPage', { as })
      const shown = new Map(settingsIn(page?.json)).set(option, value)
      const accepted: Record<string, string> = {}
      const samples: Record<string, string> = {
        language: 'english',
        timezone: 'UTC',
        bugnote_order: 'ASC',
        font_family: 'Lato',
      }
      for (const option of unique([...shown.keys(), ...options]).slice(0, 8)) {
        const value = shown.get(option) ?? samples[option] ?? '1'
        if (await takes('updateUserSettings', { as, body: { configs: [{ option, value }] } }))
          accepted[option] = value
      }
      return Object.keys(accepted).length > 0 ? { userSetting: accepted } : {}
    },
  },
]

/** The scenario under which the calls of a probe are recorded. */
export const probeOf = (key: string) => `probe-${key}`

/** Sends some fifty requests. */
export async function probe(
  sender: Sender,
  setting: Setting,
  allows: (safety: 'write' | 'destructive') => boolean,
  record: (recorded: Recorded) => void,
  found: Found,
): Promise<void> {
  const { profile } = setting
  // Ids without a number have no counterpart in the family.
  if (profile.projects?.some((id) => !/^[1-9]\d*$/.test(id))) found.project = profile.projects
  const type = profile.columns?.type
  if (typeof type === 'string' && !familyLists.includes(type)) found.columnType = [type]
  for (const { key, safety, needs, ask } of probes) {
    if (!allows(safety) || !needs(profile)) continue
    const scenario: Scenario = { id: probeOf(key), safety, run: async () => undefined }
    const s = createScript(scenario, setting, sender, record)
    Object.assign(found, await ask(s, async (...call) => (await s.send(...call))?.status === 200))
  }
}

const unique = (items: readonly (string | undefined)[]) => [
  ...new Set(items.filter((item): item is string => item !== undefined && item !== '')),
]

/** Texts in lists whose name speaks of it, and names of records in them. */
function textsIn(json: unknown, name: RegExp): string[] {
  const found: string[] = []
  for (const value of [{ '': json }, ...values(json)]) {
    if (!isObject(value)) continue
    for (const [key, list] of Object.entries(value)) {
      if (!Array.isArray(list) || !(name.test(key) || key === '' || key === 'data')) continue
      for (const item of list) {
        if (typeof item === 'string') found.push(item)
        else if (isObject(item) && typeof item.name === 'string') found.push(item.name)
      }
    }
  }
  return found
}

/** What a page has under the name of levels. */
const offeredIn = (json: unknown) =>
  [...values(json)]
    .flatMap((value) => (isObject(value) ? Object.entries(value) : []))
    .filter(([name, list]) => /levels$/i.test(name) && typeof list === 'object')
    .flatMap(([, list]) => [...values(list)])

function settingsIn(json: unknown): [string, string][] {
  const found: [string, string][] = []
  for (const value of values(json))
    if (
      isObject(value) &&
      typeof value.option === 'string' &&
      typeof value.value === 'string' &&
      value.value !== ''
    )
      found.push([value.option, value.value])
  return found
}
