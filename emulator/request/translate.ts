/** Translates values that a learnt tracker accepts to those of the family, and other values to ones that it refuses. */
import type { OperationId } from '../../conformance/contract/operations.js'
import type { Decisions } from '../decisions/index.js'
import type { Accepted } from '../decisions/learned.js'
import { fieldTypes } from '../state/field-types.js'
import { writableCopy } from '../state/image.js'
import { levelNumbers, levels } from '../state/levels.js'
import type { UserSetting } from '../state/records.js'
import { isObject, type Json, valueAt, wordsIn } from './json.js'

const familyColumns = wordsIn(
  'id summary status priority severity last_updated resolution version os platform tags notes',
)
const familyOptions = wordsIn('redirect_delay default_project default_profile email_on_new_min_severity')
/** The family's word for a value, by its position in the list of accepted values. */
const familyWord = (words: readonly string[], index: number) => words[index % words.length] ?? ''

/** A text that is refused like any unknown one; a blank text stays blank. */
const refused = (text: string) => (text.trim() === '' ? text : `unknown ${text}`)

type Translate = (value: Json, accepted: Accepted, decisions: Decisions) => Json

const level: Translate = (value, { accessLevel }, decisions) => {
  if (!accessLevel || typeof value !== 'number') return value
  if (!accessLevel.includes(value)) return -1
  const isLegal = decisions['access-level-values'] !== 'enumeration' || levelNumbers.includes(value)
  return isLegal ? value : 25
}

const project: Translate = (id, accepted) => {
  const index = typeof id === 'string' ? (accepted.project?.indexOf(id) ?? -1) : -1
  return index < 0 ? id : String(index + 1)
}

const levelInProject: Translate = (value, { projectLevel: accepted }, decisions) => {
  if (!accepted || typeof value !== 'string' || value === '-1') return value
  const family = decisions['projadd-level-form'] === 'digits' ? '25' : 'reporter'
  // A level of the family stays itself.
  const isOwn =
    decisions['projadd-level-form'] === 'digits' ? levelNumbers.includes(Number(value)) : value in levels
  if (accepted.includes(value)) return isOwn ? value : family
  const folded = accepted.some((one) => one.toLowerCase() === value.toLowerCase())
  return folded ? family.toUpperCase() : refused(value)
}

const fieldType: Translate = (type, { customFieldType }, decisions) => {
  if (!customFieldType || typeof type !== 'string') return type
  const index = customFieldType.indexOf(type)
  if (index < 0) return refused(type)
  const named = (fieldTypes as readonly string[]).indexOf(type)
  const other = /^\d+$/.test(type) ? Number(type) % fieldTypes.length : Math.min(index, 1)
  const number = named >= 0 ? named : other
  return decisions['cf-type-form'] === 'digits' ? String(number) : (fieldTypes[number] ?? 'string')
}

const named =
  (kind: 'column' | 'columnType', words: readonly string[]): Translate =>
  (name, { [kind]: accepted }) => {
    if (!accepted || typeof name !== 'string') return name
    if (accepted.includes(name)) return familyWord(words, accepted.indexOf(name))
    const index = accepted.findIndex((one) => one.toLowerCase() === name.toLowerCase())
    // A name in another case is translated to another case.
    return index < 0 ? refused(name) : familyWord(words, index).toUpperCase()
  }

const column = named('column', familyColumns)
const columnType = named('columnType', wordsIn('view print csv excel'))

const digits = /^\d{1,9}$/

/** Each accepted option stands for an option of the family with a numeric value. */
const setting: Translate = (item, { userSetting: options }) => {
  if (!options || !isObject(item) || typeof item.option !== 'string') return item
  const index = Object.keys(options).indexOf(item.option)
  if (index < 0) return { ...item, option: refused(item.option) }
  const option = familyWord(familyOptions, index)
  const { value } = item
  if (typeof value !== 'string') return { ...item, option }
  const sample = options[item.option] ?? ''
  const fits = value === sample || (digits.test(sample) && digits.test(value))
  return { ...item, option, value: fits ? '5' : `unknown ${value}` }
}

const ofUser = { access_level: level }
const ofField = { projects: project, 'custom_field.type': fieldType }

/** The members of each operation's body that are translated, by their path; of a list, each item is. */
const translations: Readonly<Partial<Record<OperationId, Readonly<Record<string, Translate>>>>> = {
  createUser: ofUser,
  updateUser: ofUser,
  addUserToProjects: { project_ids: project, access_level: levelInProject },
  createCustomField: ofField,
  updateCustomField: ofField,
  manageColumns: { project, 'project.id': project, columns: column, type: columnType },
  updateUserSettings: { configs: setting },
}

/** An element of updateSettings, with the family's members in place of those that the target accepts. */
export function ownSetting<T>(item: Readonly<Record<string, T>>, { settingMembers }: Accepted) {
  if (!settingMembers) return item
  const own = { [settingMembers[0]]: 'option', [settingMembers[1]]: 'value' }
  return Object.fromEntries(Object.entries(item).map(([name, one]) => [own[name] ?? refused(name), one]))
}

export function translated(body: Json, operation: OperationId, decisions: Decisions): Json {
  if (operation === 'updateSettings' && Array.isArray(body))
    return body.map((item) => (isObject(item) ? ownSetting(item, decisions['accepted-values']) : item))
  const members = translations[operation]
  if (!members || !isObject(body)) return body
  const accepted = decisions['accepted-values']
  let copy: Json
  for (const [path, translate] of Object.entries(members)) {
    const names = path.split('.')
    const [holders, name] = [names.slice(0, -1), names.at(-1) ?? '']
    const holder = valueAt(body, holders)
    if (!isObject(holder) || !(name in holder)) continue
    const value = holder[name]
    const given: readonly Json[] = Array.isArray(value) ? value : [value]
    const own = given.map((item) => translate(item, accepted, decisions))
    if (own.every((item, at) => item === given[at])) continue
    copy ??= writableCopy(body)
    Object.assign(valueAt(copy, holders) as object, { [name]: Array.isArray(value) ? own : own[0] })
  }
  return copy ?? body
}

/** The accepted names for the family's columns; if one has no name, all accepted names. */
export function givenColumns(names: readonly string[], { column: accepted }: Accepted): readonly string[] {
  if (!accepted) return names
  const given = names.map((name) => accepted[familyColumns.indexOf(name)])
  return given.includes(undefined) ? accepted : (given as string[])
}

export function givenSetting(row: UserSetting, { userSetting }: Accepted): UserSetting {
  const option = Object.keys(userSetting ?? {})[familyOptions.indexOf(row.option)]
  return option === undefined ? row : { ...row, option, value: userSetting?.[option] ?? row.value }
}
