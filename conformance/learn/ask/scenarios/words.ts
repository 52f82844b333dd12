/** Finds the values of the document's open vocabularies that a target accepts; it uses things of the run. */

import { isObject, otherSettingsIn, values } from '../../../client/look.js'
import type { Scenario } from '../script.js'

const types = ['numeric', 'list', 'date', 'textarea', '0', '3']
const levelNames = ['reporter', 'developer', '55']
const levels = [3, 10, 25, 33, 90]
/** Self-service settings that a run may change, and a value for each. */
const settings: Readonly<Record<string, string>> = {
  ...{ language: 'english', timezone: 'UTC', refresh_delay: '1', email_on_new: '1', bugnote_order: 'ASC' },
  ...{ redirect_delay: '1', default_project: '1', font_family: 'Lato' },
}
const columns = [
  ...['id', 'summary', 'status', 'priority', 'severity', 'last_updated', 'resolution', 'category_id'],
  ...['version', 'tags'],
]

export const words: readonly Scenario[] = [
  {
    id: 'words-of-types',
    safety: 'write',
    async run(s) {
      const page = await s.send('getCustomFieldCreatePage')
      const shown = wordsIn(page?.json, /type|kind/i).filter(isText)
      for (const type of unique([s.profile.customField?.type, ...shown, ...types]).slice(0, 8))
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
      // A tracker may refuse to add a user to a project again.
      const isAgain = (await assign(user, known)) && (await assign(user, known))
      const page = await s.send('getUserCreatePage')
      const asked = unique([...levelNames, ...wordsIn(page?.json, /levels$/i).filter(isText)])
      for (const level of asked.slice(0, 5))
        if (level !== known) await assign(isAgain ? user : await s.user(), level)
    },
  },
  {
    id: 'words-of-levels',
    safety: 'write',
    async run(s) {
      const path = { user_id: await s.user() }
      const page = await s.send('getUserCreatePage')
      const shown = wordsIn(page?.json, /levels$/i).filter((one) => typeof one === 'number')
      for (const access_level of unique([s.profile.accessLevel ?? 25, ...levels, ...shown]).slice(0, 10))
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
      const names = unique([...mine, ...wordsIn(read?.json, /column|list/i).filter(isText), ...columns])
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
      const shown = otherSettingsIn(page?.json, option).filter((one) => one.value !== '')
      const own = shown.map((one) => [one.option, one.value] as const)
      const asked = Object.fromEntries([...own, [option, value] as const])
      for (const [name, text] of Object.entries({ ...asked, ...settings, ...asked }).slice(0, 8))
        await s.send('updateUserSettings', { as, body: { configs: [{ option: name, value: text }] } })
    },
  },
]

const isText = (word: unknown) => typeof word === 'string'
const unique = <T>(items: readonly (T | undefined)[]) => [
  ...new Set(items.filter((item): item is T => item !== undefined && item !== '')),
]

/** Texts and numbers in members whose name matches, or in a list that is the whole answer; for records, their names. */
function wordsIn(json: unknown, name: RegExp): (string | number)[] {
  return [{ data: json }, ...values(json)]
    .flatMap((value) => (isObject(value) ? Object.entries(value) : []))
    .filter(
      ([key, list]) =>
        typeof list === 'object' && (name.test(key) || (key === 'data' && Array.isArray(list))),
    )
    .flatMap(([, list]) => Object.values(list ?? {}))
    .map((item: unknown) => (isObject(item) ? item.name : item))
    .filter((item) => typeof item === 'string' || typeof item === 'number')
}
