/** Which values of the document's open vocabularies a target takes: asked on things of the run's own. */
import { isObject, values } from '../suite/look.js'
import { createScript, type Scenario, type Sender, type Setting } from './script.js'

export interface Accepted {
  readonly customFieldType?: readonly string[]
  readonly projectLevel?: readonly string[]
  readonly accessLevel?: readonly number[]
  readonly project?: readonly string[]
  readonly column?: readonly string[]
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
  'redirect_delay',
  'bugnote_order',
  'default_project',
  'email_on_new',
  'font_family',
]
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

/** Sends at most about a hundred requests. */
export async function probe(
  sender: Sender,
  setting: Setting,
  allows: (safety: 'write' | 'destructive') => boolean,
  found: Found,
): Promise<void> {
  const { profile } = setting
  const script = (id: string, safety: 'write' | 'destructive') => {
    const scenario: Scenario = { id, safety, run: async () => undefined }
    const s = createScript(scenario, setting, sender, () => undefined)
    const takes = async (...call: Parameters<typeof s.send>) => (await s.send(...call))?.status === 200
    return { s, takes }
  }
  if (allows('write')) {
    const { s, takes } = script('probes', 'write')
    const known = profile.customField?.type
    const shown = await s.send('getCustomFieldCreatePage')
    const asked = unique([known, ...textsIn(shown?.json, /type|kind/i), ...types]).slice(0, 8)
    const accepted: string[] = []
    for (const type of asked) {
      const fine = await takes('createCustomField', { body: s.fieldBody({ type, possible_values: 'a|b' }) })
      if (fine) accepted.push(type)
    }
    if (accepted.length > 0) found.customFieldType = accepted
    const user_id = await s.user()
    const [project] = profile.projects ?? []
    if (project !== undefined) {
      const accepted: string[] = []
      const known = profile.projectAccessLevel ?? 'reporter'
      const assign = (user_id: string, access_level: string) =>
        takes('addUserToProjects', { path: { user_id }, body: { project_ids: [project], access_level } })
      // Who is in a project already may be refused for that.
      const again = (await assign(user_id, known)) && (await assign(user_id, known))
      for (const access_level of unique([known, ...levelNames]))
        if (await assign(again ? user_id : await s.user(), access_level)) accepted.push(access_level)
      if (accepted.length > 0) found.projectLevel = accepted
    }
    const taken: number[] = []
    for (const access_level of new Set([profile.accessLevel ?? 25, ...levels]))
      if (await takes('updateUser', { path: { user_id }, body: { access_level } })) taken.push(access_level)
    // Where odd ones are taken, it is a range and no list.
    if (taken.length > 0 && !taken.includes(33)) found.accessLevel = taken
  }
  if (profile.projects?.some((id) => !/^[1-9]\d*$/.test(id))) found.project = profile.projects
  if (allows('destructive') && profile.columns) {
    const { s, takes } = script('probesOfColumns', 'destructive')
    const { columns: mine, ...reference } = profile.columns
    const read = await s.send('manageColumns', { body: reference })
    const names = unique([...mine, ...textsIn(read?.json, /column|list/i), ...columns])
    const all = { ...reference, columns: names }
    const each = names.filter((name) => !mine.includes(name)).slice(0, 6)
    if (await takes('manageColumns', { body: all })) found.column = names
    else {
      const accepted = [...mine]
      for (const name of each)
        if (await takes('manageColumns', { body: { ...reference, columns: [name] } })) accepted.push(name)
      found.column = accepted
    }
    await s.send('manageColumns', { body: profile.columns })
  }
  if (allows('destructive') && profile.userSetting) {
    const { s, takes } = script('probesOfSettings', 'destructive')
    const as = profile.tokens.password ? 'password' : 'administrator'
    const page = await s.send('getUserSettingsPage', { as })
    const shown = new Map(settingsIn(page?.json))
    shown.set(profile.userSetting.option, profile.userSetting.value)
    const accepted: Record<string, string> = {}
    const samples: Record<string, string> = {
      language: 'english',
      timezone: 'UTC',
      bugnote_order: 'ASC',
      font_family: 'Lato',
    }
    for (const option of unique([...shown.keys(), ...options]).slice(0, 6)) {
      const value = shown.get(option) ?? samples[option] ?? '1'
      if (await takes('updateUserSettings', { as, body: { configs: [{ option, value }] } }))
        accepted[option] = value
    }
    if (Object.keys(accepted).length > 0) found.userSetting = accepted
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
