/** Which values of the document's open vocabularies a target takes: asked on things of the run's own. */

import { isObject, values } from '../../../client/look.js'
import type { Scenario } from '../script.js'

const types = ['numeric', 'list', 'date', 'textarea', '0', '3']
const levelNames = ['reporter', 'developer', '55']
const levels = [3, 10, 25, 33, 90]
/** Self-service settings that a run may change, and a value for each. */
export const options: Readonly<Record<string, string>> = {
  language: 'english',
  timezone: 'UTC',
  refresh_delay: '1',
  email_on_new: '1',
  bugnote_order: 'ASC',
  redirect_delay: '1',
  default_project: '1',
  font_family: 'Lato',
}
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

export const words: readonly Scenario[] = [
  {
    id: 'words-of-types',
    safety: 'write',
    async run(s) {
      const shown = await s.send('getCustomFieldCreatePage')
      const asked = unique([s.profile.customField?.type, ...textsIn(shown?.json, /type|kind/i), ...types])
      for (const type of asked.slice(0, 8))
        await s.send('createCustomField', { body: s.fieldBody({ type, possible_values: 'a|b' }) })
    },
  },
  {
    id: 'words-of-project-levels',
    safety: 'write',
    needs: 'projects',
    async run(s) {
      const known = s.profile.projectAccessLevel ?? 'reporter'
      const project_ids = s.profile.projects?.slice(0, 1)
      const assign = async (user_id: string, access_level: string) => {
        const body = { project_ids, access_level }
        return (await s.send('addUserToProjects', { path: { user_id }, body }))?.status === 200
      }
      const user = await s.user()
      // Who is in a project already may be refused for that.
      const isAgain = (await assign(user, known)) && (await assign(user, known))
      const page = await s.send('getUserCreatePage')
      const shown = offeredIn(page?.json).filter((one) => typeof one === 'string')
      for (const level of unique([...levelNames, ...shown]).slice(0, 5))
        if (level !== known) await assign(isAgain ? user : await s.user(), level)
    },
  },
  {
    id: 'words-of-levels',
    safety: 'write',
    async run(s) {
      const path = { user_id: await s.user() }
      const page = await s.send('getUserCreatePage')
      const shown = offeredIn(page?.json).filter((one) => typeof one === 'number')
      const asked = new Set([s.profile.accessLevel ?? 25, ...levels, ...shown])
      for (const access_level of [...asked].slice(0, 10))
        await s.send('updateUser', { path, body: { access_level } })
    },
  },
  {
    id: 'words-of-columns',
    safety: 'destructive',
    needs: 'columns',
    async run(s) {
      const { columns: mine, ...reference } = s.profile.columns ?? { columns: [] }
      const save = async (list: readonly string[]) =>
        (await s.send('manageColumns', { body: { ...reference, columns: list } }))?.status === 200
      const read = await s.send('manageColumns', { body: reference })
      const names = unique([...mine, ...textsIn(read?.json, /column|list/i), ...columns])
      if (!(await save(names)))
        for (const name of names.filter((one) => !mine.includes(one)).slice(0, 6)) await save([name])
      await s.send('manageColumns', { body: s.profile.columns, keep: true })
    },
  },
  {
    id: 'words-of-settings',
    safety: 'destructive',
    needs: 'userSetting',
    async run(s) {
      const { option = '', value = '' } = s.profile.userSetting ?? {}
      const as = s.profile.tokens.password ? 'password' : 'administrator'
      const page = await s.send('getUserSettingsPage', { as })
      const shown = new Map([...settingsIn(page?.json), [option, value]] as const)
      for (const name of unique([...shown.keys(), ...Object.keys(options)]).slice(0, 8)) {
        const configs = [{ option: name, value: shown.get(name) ?? options[name] ?? '1' }]
        await s.send('updateUserSettings', { as, body: { configs } })
      }
    },
  },
]

const unique = (items: readonly (string | undefined)[]) => [
  ...new Set(items.filter((item): item is string => item !== undefined && item !== '')),
]

/** Texts in lists whose name speaks of it, and names of records in them. */
export function textsIn(json: unknown, name: RegExp): string[] {
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
  return [...values(json)].flatMap((one): [string, string][] =>
    isObject(one) && typeof one.option === 'string' && typeof one.value === 'string' && one.value !== ''
      ? [[one.option, one.value]]
      : [],
  )
}
