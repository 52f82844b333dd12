/** Finds the values of the document's open vocabularies that a target accepts. */
import { otherSettingsIn } from '../../client/look.js'
import type { Driver } from '../../drive/driver.js'
import { fieldBody, removeField } from '../../drive/fields.js'
import { wordListsIn } from '../../drive/reads.js'
import { newUser } from '../../drive/users.js'

const types = ['numeric', 'list', 'date', 'textarea', '0', '3']
const levelNames = ['reporter', 'developer', '55']
const levels = [3, 10, 25, 33, 90]
/** Self-service settings that a run may change, and a value for each. */
const settings: Readonly<Record<string, string>> = {
  ...{ language: 'english', timezone: 'UTC', refresh_delay: '1', email_on_new: '1', bugnote_order: 'ASC' },
  ...{ redirect_delay: '1', default_project: '1', font_family: 'Lato' },
}
const columns = 'id summary status priority severity last_updated category_id tags'.split(' ')

export async function words(driver: Driver): Promise<void> {
  const { profile } = driver
  const { projects = [], projectAccessLevel: known = 'reporter', accessLevel = 25, customField } = profile
  const fieldPage = await driver.ask({ op: 'getCustomFieldCreatePage' })
  const shown = beside(fieldPage.json, customField?.type, ...types).filter(isText)
  for (const type of unique([customField?.type, ...shown, ...types]).slice(0, 8)) {
    const body = fieldBody(driver, { type, possible_values: 'a|b' })
    const { made } = await driver.ask({ op: 'createCustomField', body })
    if (!driver.client.allows('destructive')) await removeField(driver, made)
  }
  const { json: page } = await driver.ask({ op: 'getUserCreatePage' })
  const assign = async (at: string, access_level: string) => {
    const body = { project_ids: projects.slice(0, 1), access_level }
    return (await driver.ask({ op: 'addUserToProjects', at, body })).status === 200
  }
  const user = await newUser(driver)
  if (!user) return
  // A tracker may refuse to add a user to a project again.
  const isAgain = projects.length > 0 && (await assign(user.name, known)) && (await assign(user.name, known))
  // Its pages show the form of projects.
  for (const op of ['getUser', 'getUserEditPage'] as const) await driver.ask({ op, at: user.name })
  const numbers = beside(page, accessLevel).filter((one) => typeof one === 'number')
  const digits = Number(known) > 0 ? numbers.map(String) : []
  const names = unique([...digits, ...levelNames, ...beside(page, known, ...levelNames).filter(isText)])
  for (const level of names.slice(0, 6)) {
    const other = isAgain || level === known || projects.length === 0 ? user : await newUser(driver)
    if (other && level !== known && projects.length > 0) await assign(other.name, level)
  }
  for (const access_level of unique([accessLevel, ...levels, ...numbers]).slice(0, 10))
    await driver.ask({ op: 'updateUser', at: user.name, body: { access_level } })
  if (driver.client.allows('destructive')) await sharedWords(driver)
}

async function sharedWords(driver: Driver): Promise<void> {
  const { columns: given, userSetting } = driver.profile
  if (given) {
    const { columns: mine, ...reference } = given
    const save = async (list: readonly string[]) =>
      (await driver.ask({ op: 'manageColumns', body: { ...reference, columns: list } })).status === 200
    const { json } = await driver.ask({ op: 'manageColumns', body: reference })
    const names = unique([...mine, ...beside(json, mine[0]).filter(isText), ...columns])
    if (!(await save(names)))
      for (const name of names.filter((one) => !mine.includes(one)).slice(0, 6)) await save([name])
    await save(mine)
  }
  if (!userSetting) return
  const { option, value } = userSetting
  const caller = driver.has('password') ? 'password' : 'administrator'
  const page = await driver.ask({ op: 'getUserSettingsPage', caller })
  const { setting } = driver.client.guard.members
  const own = otherSettingsIn(page.json, option, setting).filter((one) => one.value !== '')
  const asked = Object.fromEntries([...own.map((one) => [one.option, one.value]), [option, value]])
  for (const [name, text] of Object.entries({ ...asked, ...settings, ...asked }).slice(0, 8))
    await driver.ask({ op: 'updateUserSettings', caller, body: { configs: [{ option: name, value: text }] } })
}

const isText = (word: unknown): word is string => typeof word === 'string'
const unique = <T>(items: readonly (T | undefined)[]) =>
  [...new Set(items)].filter((item): item is T => item !== undefined && item !== '')

/** The words of all lists in an answer that have one of these. */
const beside = (json: unknown, ...some: readonly unknown[]) =>
  wordListsIn(json).flatMap((list) => (some.some((one) => list.includes(one)) ? list : []))
