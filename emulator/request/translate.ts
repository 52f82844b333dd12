/** Translates values that a learnt tracker accepts to those of the family, and other values to ones that it refuses. */
import type { OperationId } from '../../conformance/contract/operations.js'
import type { Decisions } from '../decisions/index.js'
import type { Accepted } from '../decisions/learned.js'
import { fieldTypes } from '../state/field-types.js'
import { writableCopy } from '../state/image.js'
import { levelNumbers } from '../state/levels.js'
import { isObject, type Json, type Members } from './json.js'

const namesIn = (text: string): readonly string[] => text.split(' ')
const familyLists = namesIn('view print csv excel')
const familyColumns = namesIn(
  'id summary status priority severity last_updated resolution version os platform tags notes',
)
const familyOptions = namesIn('redirect_delay default_project default_profile email_on_new_min_severity')
/** The family's word for a value, by its position in the list of accepted values. */
const familyWord = (words: readonly string[], index: number) => words[index % words.length] ?? ''

/** The body that the operations see. */
export function translated(body: Json, operation: OperationId, decisions: Decisions): Json {
  const accepted = decisions['accepted-values']
  if (Object.keys(accepted).length === 0 || typeof body !== 'object' || body === null) return body
  const copy = writableCopy(body) as Members
  switch (operation) {
    case 'createUser':
    case 'updateUser':
      level(copy, accepted, decisions)
      break
    case 'addUserToProjects':
      projects(copy, 'project_ids', accepted)
      if (accepted.projectLevel && typeof copy.access_level === 'string')
        copy.access_level = levelInProject(copy.access_level, accepted.projectLevel, decisions)
      break
    case 'createCustomField':
    case 'updateCustomField':
      projects(copy, 'projects', accepted)
      if (isObject(copy.custom_field)) fieldType(copy.custom_field, accepted, decisions)
      break
    case 'manageColumns':
      if (isObject(copy.project)) projects(copy.project, 'id', accepted)
      else projects(copy, 'project', accepted)
      if (accepted.column && Array.isArray(copy.columns))
        copy.columns = copy.columns.map((name) => column(name, accepted.column ?? []))
      if (accepted.columnType && typeof copy.type === 'string')
        copy.type = columnType(copy.type, accepted.columnType)
      break
    case 'updateUserSettings':
      if (accepted.userSetting && Array.isArray(copy.configs))
        for (const item of copy.configs) if (isObject(item)) setting(item, accepted.userSetting)
      break
  }
  return copy
}

/** A text that is refused like any unknown one; a blank text stays blank. */
const refused = (text: string) => (text.trim() === '' ? text : `unknown ${text}`)

function level(body: Members, { accessLevel }: Accepted, decisions: Decisions): void {
  if (!accessLevel || typeof body.access_level !== 'number') return
  if (!accessLevel.includes(body.access_level)) body.access_level = -1
  else if (decisions['access-level-values'] === 'enumeration' && !levelNumbers.includes(body.access_level))
    body.access_level = 25
}

function projects(body: Members, name: string, { project }: Accepted): void {
  if (!project) return
  const one = (id: Json) => {
    const index = typeof id === 'string' ? project.indexOf(id) : -1
    return index < 0 ? id : String(index + 1)
  }
  const value = body[name]
  if (Array.isArray(value)) body[name] = value.map(one)
  else if (value !== undefined) body[name] = one(value)
}

function levelInProject(given: string, accepted: readonly string[], decisions: Decisions): string {
  const family = decisions['projadd-level-form'] === 'digits' ? '25' : 'reporter'
  if (accepted.includes(given)) return family
  if (given === '-1') return given
  const folded = accepted.some((one) => one.toLowerCase() === given.toLowerCase())
  return folded ? family.toUpperCase() : refused(given)
}

function fieldType(definition: Members, { customFieldType }: Accepted, decisions: Decisions): void {
  const { type } = definition
  if (!customFieldType || typeof type !== 'string') return
  const index = customFieldType.indexOf(type)
  if (index < 0) {
    definition.type = refused(type)
    return
  }
  const named = (fieldTypes as readonly string[]).indexOf(type)
  const other = /^\d+$/.test(type) ? Number(type) % fieldTypes.length : Math.min(index, 1)
  const number = named >= 0 ? named : other
  definition.type = decisions['cf-type-form'] === 'digits' ? String(number) : (fieldTypes[number] ?? 'string')
}

function columnType(given: string, accepted: readonly string[]): string {
  const index = accepted.indexOf(given)
  return index < 0 ? refused(given) : familyWord(familyLists, index)
}

function column(name: Json, accepted: readonly string[]): Json {
  if (typeof name !== 'string') return name
  const index = accepted.findIndex((one) => one.toLowerCase() === name.toLowerCase())
  if (index < 0) return refused(name)
  const family = familyWord(familyColumns, index)
  // A name in another case is translated to another case.
  return accepted[index] === name ? family : family.toUpperCase()
}

/** The accepted names for the family's columns; if one has no name, all accepted names. */
export function givenColumns(names: readonly string[], { column: accepted }: Accepted): readonly string[] {
  if (!accepted) return names
  const given = names.map((name) => accepted[familyColumns.indexOf(name)])
  return given.includes(undefined) ? accepted : (given as string[])
}

const digits = /^\d{1,9}$/

/** A setting under its accepted name, with the accepted value. */
export function givenSetting<T extends { option: string; value: string }>(
  row: T,
  { userSetting }: Accepted,
): T {
  const option = Object.keys(userSetting ?? {})[familyOptions.indexOf(row.option)]
  return option === undefined ? row : { ...row, option, value: userSetting?.[option] ?? row.value }
}

/** Each accepted option stands for an option of the family with a numeric value. */
function setting(item: Members, options: Readonly<Record<string, string>>): void {
  const { option, value } = item
  if (typeof option !== 'string') return
  const index = Object.keys(options).indexOf(option)
  if (index < 0) {
    item.option = refused(option)
    return
  }
  item.option = familyWord(familyOptions, index)
  if (typeof value !== 'string') return
  const sample = options[option] ?? ''
  const fits = value === sample || (digits.test(sample) && digits.test(value))
  item.value = fits ? '5' : `unknown ${value}`
}
