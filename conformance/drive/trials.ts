/**
 * Tries the fields of the profile on the target. A field is a mistake of the profile if the target refuses it and accepts a
 * similar value. A field whose refusal may be the tracker's fault stays and is judged.
 */
import { columnLists, idAround, mentions, otherSettingsIn, settingIn, valueAt } from '../client/look.js'
import type { OperationId, Profile, Safety } from '../contract/index.js'
import { isObject, scalars } from '../oracle/json.js'
import { NO_ID, NO_NAME } from '../oracle/names.js'
import type { Request } from '../oracle/request.js'
import type { Answered, Driver } from './driver.js'
import { newField, offeredTypes, removeField } from './fields.js'
import { learnId, lookAtCaller } from './reads.js'
import { newUser, usersOf } from './users.js'
import { changePassword, WRONG_PASSWORD } from './valid.js'

/** A field of the profile, dotted, that the target refuses. */
export type Mistake = Readonly<Record<'field' | 'words', string>>

/** Tells why the field is wrong, or which other one is; null where all is right. */
type Attempt = (driver: Driver) => Promise<string | Mistake | null>
const trial = (field: string, level: Safety, of: readonly OperationId[], attempt: Attempt) => ({
  ...{ field, level, of, attempt },
})
type Trial = ReturnType<typeof trial>

const isRefused = ({ status }: Answered) => [400, 403, 404].includes(status)
const said = ({ status, json }: Pick<Answered, 'status' | 'json'>) =>
  isObject(json) && typeof json.message === 'string' ? `${status} ${json.message.slice(0, 200)}` : `${status}`

const pointer = (field: string) => `/${field.replaceAll('.', '/')}`

/** The value of a field; undefined where the profile does not have it. */
export const fieldOf = (profile: object, field: string): unknown => valueAt(profile, pointer(field))

/** The profile without one of its fields. */
export function leaveOut(profile: Profile, field: string): Profile {
  const copy = structuredClone(profile)
  const [, parent = '', last = ''] = /^(.*)\/(.*)$/.exec(pointer(field)) ?? []
  delete (valueAt(copy, parent) as Record<string, unknown>)[last]
  return copy
}

/** Tries each field that the run uses. */
export async function tryProfile(driver: Driver): Promise<Mistake[]> {
  const mistakes: Mistake[] = []
  const { client, sends } = driver
  for (const { field, level, of, attempt } of trials) {
    const isUsed = client.allows(level) && of.some(sends) && fieldOf(driver.profile, field) !== undefined
    const found = isUsed ? await attempt(driver) : null
    if (found === null) continue
    const mistake = typeof found === 'string' ? { field, words: found } : found
    mistakes.push({ ...mistake, words: client.redact.text(mistake.words) })
    driver.assume(leaveOut(driver.profile, mistake.field))
  }
  return mistakes
}

/** Creates a user without the field. */
const atCreation = (field: string): Trial =>
  trial(field, 'write', ['createUser'], async (driver) => {
    if (usersOf(driver).length > 0 || (await newUser(driver))) return null
    const whole = driver.profile
    driver.assume(leaveOut(whole, field))
    driver.habits.form = undefined
    const made = await newUser(driver)
    driver.assume(whole)
    return made ? 'no user is created with it, and one is created without it' : null
  })

/** Blames a project if another works, and the level if another level works. */
async function assignment(driver: Driver): Promise<Mistake | null> {
  const { projects = [], projectAccessLevel } = driver.profile
  const user = await newUser(driver)
  if (!user) return null
  const add = (project_ids: readonly string[], access_level = projectAccessLevel, at = user.name) =>
    driver.ask({ op: 'addUserToProjects', at, body: { project_ids, access_level } })
  const whole = await add(projects)
  if (!isRefused(whole)) return null
  // The 404 may be about the user.
  const other = whole.status === 404 ? await newUser(driver) : undefined
  const id = other && (await learnId(driver, user, other))
  if (id !== undefined && (await add(projects, projectAccessLevel, id)).isDone) return null
  const each: Answered[] = []
  for (const project of projects) each.push(await add([project]))
  const refused = each.find(isRefused)
  // If each project works alone, the list is right.
  if (!refused) return null
  if (each.some(({ isDone }) => isDone)) return { field: 'projects', words: said(refused) }
  for (const level of ['reporter', 'viewer', 'developer', '25', '10'])
    if (level !== projectAccessLevel && (await add(projects.slice(0, 1), level)).isDone)
      return { field: 'projectAccessLevel', words: said(whole) }
  const nowhere = await add([NO_ID])
  return nowhere.status === whole.status ? { field: 'projects', words: said(whole) } : null
}

const trials: readonly Trial[] = [
  trial('user', 'read', ['getUser', 'getUserEditPage', 'impersonateUser'], async (driver) => {
    const { id, username } = driver.profile.user ?? { id: 0, username: '' }
    const read = (at: string) => driver.ask({ op: 'getUser', at })
    const [byName, byId] = [await read(username), await read(String(id))]
    const own = await driver.client.guard.nameOf('administrator')
    const lost = [byName, byId].find(({ status }) => status === 404)
    const shown = idAround(byName.json, username, 'user')
    if (lost && !(lost === byId && shown?.id === id))
      return own !== null && (await read(own)).isDone ? said(lost) : null
    const isSame = shown?.id === idAround(byId.json, username, 'user')?.id
    if (!shown?.sure || shown.id === id || isSame) return null
    const there = await read(String(shown.id))
    return mentions(there.json, username) ? `${username} is the user ${shown.id}, and not ${id}` : null
  }),
  ...['password.valid', 'accessLevel', 'emailDomain'].map(atCreation),
  trial('projectAccessLevel', 'write', ['addUserToProjects'], assignment),
  trial('customField.type', 'write', ['createCustomField'], async (driver) => {
    const whole = driver.profile
    const field = await newField(driver)
    await removeField(driver, field)
    if (field) return null
    const last = (op: OperationId) => driver.world.requests.findLast((one) => one.op === op)
    const refusal = last('createCustomField')
    const offered = await offeredTypes(driver)
    const others = offered.length > 0 ? offered : ['string', 'text', 'number']
    for (const type of [undefined, ...others.slice(0, 3), NO_NAME]) {
      const other = leaveOut(whole, 'customField.type')
      driver.assume(type === undefined ? other : { ...other, customField: { ...other.customField, type } })
      driver.habits.definition = undefined
      const made = await newField(driver)
      await removeField(driver, made)
      driver.assume(whole)
      if (made)
        return `no field is created with it, and one is created ${type ? `with ${type}` : 'without it'}`
    }
    // Where the page offers the type, the tracker is to blame.
    const page = last('getCustomFieldCreatePage')
    const isOffered = page?.status === 200 && scalars(page.answer).includes(whole.customField?.type ?? '')
    const wordsOf = (one: Request | undefined) => said({ status: 0, ...one, json: one?.answer })
    const unlike = (text: string, type = '') => text.replaceAll(type, '').replace(/tk[a-z]{5}x\w+/g, '')
    const [own, other] = [wordsOf(refusal), wordsOf(last('createCustomField'))]
    const isUnknown = unlike(own, whole.customField?.type) === unlike(other, NO_NAME)
    return refusal?.status === 400 && !isOffered && isUnknown
      ? `it is refused as an unknown type is: ${own}`
      : null
  }),
  trial('plugin', 'destructive', ['installPlugin', 'updatePlugin', 'uninstallPlugin'], async (driver) => {
    const at = driver.profile.plugin?.name ?? ''
    const answer = await driver.ask({ op: 'installPlugin', at })
    await driver.ask({ op: 'listPlugins' })
    if (answer.isDone) await driver.ask({ op: 'uninstallPlugin', at })
    // The guard sends nothing to a plugin that may be installed.
    if (!answer.isSent)
      return 'it is listed before the run has installed it; name one that is available and not installed'
    if (!isRefused(answer)) return null
    const unknown = await driver.ask({ op: 'installPlugin', at: `kit_no_such_${driver.word()}` })
    const listed = await driver.ask({ op: 'listPlugins' })
    return unknown.status === answer.status && !mentions(listed.json, at) ? said(answer) : null
  }),
  trial('columns', 'destructive', ['manageColumns'], async (driver) => {
    const { columns, ...reference } = driver.profile.columns ?? { columns: [] }
    const send = (body: object) => driver.ask({ op: 'manageColumns', body })
    const [shown] = columnLists((await send(reference)).json, driver.client.guard.members.columns)
    const answer = await send({ ...reference, columns })
    if (![400, 404].includes(answer.status)) return null
    const isFound = !shown || (await send({ ...reference, columns: shown.toReversed() })).isDone
    return isFound ? said(answer) : null
  }),
  trial('userSetting', 'destructive', ['updateUserSettings'], async (driver) => {
    const given = driver.profile.userSetting
    const set = (one: unknown) => driver.ask({ op: 'updateUserSettings', body: { configs: [one] } })
    const page = await driver.ask({ op: 'getUserSettingsPage' })
    const { members } = driver.client.guard
    const answer = await set(given)
    const before = settingIn(page.json, given?.option ?? '', members.setting)
    if (answer.isDone && before !== undefined) await set({ option: given?.option, value: String(before) })
    if (answer.status !== 400) return null
    const all = otherSettingsIn(page.json, given?.option ?? '', members.setting)
    const others = all.filter(({ value }) => /^\d{1,4}$/.test(value))
    for (const other of others.slice(0, 3)) if ((await set(other)).isDone) return said(answer)
    return others.length === 0 ? said(answer) : null
  }),
  trial('settings', 'destructive', ['updateSettings'], async (driver) => {
    const answer = await driver.ask({ op: 'updateSettings', body: driver.profile.settings })
    if (answer.status !== 400) return null
    return (await driver.ask({ op: 'updateSettings', body: [] })).isDone ? said(answer) : null
  }),
  trial('recipients', 'destructive', ['deleteHelpdeskRecipient'], async (driver) => {
    const given = driver.profile.recipients ?? []
    for (const [index, id] of given.entries()) {
      const { status } = await driver.ask({ op: 'deleteHelpdeskRecipient', at: String(id) })
      // Earlier runs have used up the recipients before it.
      if (status === 200) driver.assume({ ...driver.profile, recipients: given.slice(index) })
      if (status !== 404) return null
    }
    return given.length > 0 ? 'none of them is there: 404; each run uses some of them up' : null
  }),
  trial('passwordAccount', 'destructive', ['changeOwnPassword'], async (driver) => {
    const { current = '', next = '' } = driver.profile.passwordAccount ?? {}
    if (!driver.has('password')) return null
    const put = (from: string, to: string) => changePassword(driver, from, to)
    await lookAtCaller(driver, 'password')
    // The wrong request carries the current password, so even a tracker that stores it keeps that password.
    const wrong = await put(WRONG_PASSWORD, current)
    const answer = await put(current, next)
    await lookAtCaller(driver, 'password')
    if (answer.isDone) await put(next, current)
    if (!isRefused(answer) || wrong.isDone || !(await put(next, current)).isDone) return null
    return 'the next password was the current one; it is the other way round now'
  }),
]
