/** A custom field: its record in answers, and the checks of its definition. */
import { customFieldBody } from '../../conformance/contract/bodies.js'
import { enumValue, idsAndNames, levelValue, maySee, projectLevel } from '../request/access.js'
import { readBody } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse, refuseBy, refuseFor, unknownProject } from '../request/errors.js'
import { positiveId, withoutUndefined } from '../request/json.js'
import { collections } from '../state/collections.js'
import { fieldTypes } from '../state/field-types.js'
import { levels } from '../state/levels.js'
import type { CustomField, Project } from '../state/store.js'

export const typeValue = (c: AdmittedCall, type: number) => enumValue(c, type, fieldTypes[type] ?? 'string')

export function linkedProjects(c: AdmittedCall, field: CustomField): Project[] {
  const links = c.store.db.customFieldLinks.having('field', field.id)
  return links.flatMap(({ project_id }) => c.store.db.projects.find('id', project_id) ?? [])
}

/** Whether the caller sees a field in a project to which it is linked. */
export const maySeeIn = (c: AdmittedCall, field: CustomField, project: Project) =>
  maySee(c, c.caller, project) && projectLevel(c, c.caller, project) >= field.access_level_r

export function fieldRecord(c: AdmittedCall, field: CustomField): Record<string, unknown> {
  const { id, name, type, possible_values, default_value, display_report, display_update } = field
  if (c.decisions['cf-record'] === 'ids') return { id }
  const shown = { possible_values, default_value, display_report, display_update }
  const core = { id, name, type: typeValue(c, type), ...shown }
  if (c.decisions['cf-record'] === 'core') return core
  return {
    ...field,
    ...core,
    access_level_r: levelValue(c, field.access_level_r),
    access_level_rw: levelValue(c, field.access_level_rw),
    projects: idsAndNames(linkedProjects(c, field)),
  }
}

const withChoices = new Set(['enum', 'checkbox', 'list', 'multilist', 'radio'])

type Values = Omit<CustomField, 'id'>

export function readDefinition(c: AdmittedCall, field?: CustomField) {
  const missing = c.decisions['cf-object-missing']
  const { custom_field: given, projects } = readBody(c, customFieldBody, { missing })
  const name = checkName(c, given.name, field)
  const type = given.type === undefined ? undefined : typeNumber(c, given.type)
  if (!field && type === undefined)
    refuseBy(c, 'cf-type-missing', { refused: ['empty-field', 'custom_field.type'] })
  if (field && type !== undefined && type !== field.type)
    refuseBy(c, 'cf-type-change', { refused: ['custom-field-invalid-property', 'type'] })
  const { possible_values, default_value, display_report, display_update } = given
  const definition = { name, type, possible_values, default_value, display_report, display_update }
  const values = definitionValues(c, { ...(field && kept(c, field)), ...withoutUndefined(definition) })
  checkValues(c, values)
  const ignored = field !== undefined && c.decisions['cf-projects-update'] === 'ignored'
  return { values, projects: projects && !ignored ? findProjects(c, projects, !field) : undefined }
}

/** The properties that an update keeps if it does not name them. */
const kept = (c: AdmittedCall, { id: _, ...stored }: CustomField): Partial<Values> =>
  c.decisions['cf-update-merge'] === 'merge' ? stored : { name: stored.name, type: stored.type }

function checkName(c: AdmittedCall, given: string | undefined, field?: CustomField): string | undefined {
  if (given === undefined && field) return undefined
  const stripped = c.decisions['cf-name-trim'] === 'tags-stripped' ? given?.replace(/<[^>]*>/g, '') : given
  let name = stripped?.trim() ?? ''
  if (name === '') {
    if (field || c.decisions['cf-name-missing'] === 'refused')
      refuseFor('cf-name-missing', ['empty-field', 'custom_field.name'])
    name = freeName(c)
  }
  const limit = c.decisions['cf-name-length']
  if (c.decisions['cf-name-over-limit'] === 'truncated') name = name.slice(0, limit).trimEnd()
  if (name.length > limit) refuseFor('cf-name-length', ['field-too-long', 'custom_field.name', limit])
  if (name.includes(',')) refuseBy(c, 'cf-name-comma', { refused: ['custom-field-name-invalid', name] })
  const holder = c.store.db.customFields.find('name', c.store.collation.customField(name))
  if (holder && holder.id !== field?.id) refuseFor('cf-name-unique', ['custom-field-not-unique', name])
  return name
}

function freeName(c: AdmittedCall): string {
  let number = c.store.db.customFields.rows.length + 1
  while (c.store.db.customFields.find('name', c.store.collation.customField(`Field ${number}`))) number += 1
  return `Field ${number}`
}

function typeNumber(c: AdmittedCall, given: string): number {
  const form = c.decisions['cf-type-form']
  // Other parts of the tracker family have a longer name for one type.
  const name = given.toLowerCase().replace(/^multiselection list$/, 'multilist')
  const named = form === 'digits' ? -1 : (fieldTypes as readonly string[]).indexOf(name)
  if (named >= 0) return named
  const number = form !== 'names' && /^\d{1,2}$/.test(given) ? Number(given) : -1
  if (fieldTypes[number] !== undefined) return number
  refuseBy(c, 'cf-type-invalid', `"${given}" is no type`, {
    'invalid-value': ['invalid-value', 'custom_field.type'],
    'invalid-definition': ['custom-field-invalid-definition', 'custom_field.type'],
  })
  return 0
}

const flagDefaults = {
  'update-only': { display_report: false, display_update: true },
  none: { display_report: false, display_update: false },
  both: { display_report: true, display_update: true },
} as const

/** All properties: those that are given, or else the defaults. */
export function definitionValues(c: AdmittedCall, given: Partial<Values>): Values {
  const flags = flagDefaults[c.decisions['cf-flag-defaults']]
  const defaults = { ...collections.customFields.fill({}), access_level_rw: levels.viewer, ...flags }
  const values = { name: '', ...defaults, ...given }
  return fieldTypes[values.type] === 'textarea' ? { ...values, possible_values: '' } : values
}

function checkValues(c: AdmittedCall, values: Values): void {
  const type = fieldTypes[values.type] ?? 'string'
  const { default_value, possible_values } = values
  if (default_value.length > 255) refuse('field-too-long', { with: ['custom_field.default_value', 255] })
  const isDate = !Number.isNaN(Date.parse(default_value)) || /^\d*$/.test(default_value)
  if (type === 'date' && !isDate) refuse('custom-field-invalid-property', { with: ['default_value'] })
  if (!withChoices.has(type)) return
  if (possible_values === '')
    refuseBy(c, 'cf-possible-values', {
      'required-for-lists': ['custom-field-invalid-definition', 'possible_values'],
    })
  if (default_value === '' || possible_values.startsWith('=')) return
  const legal = possible_values.split('|')
  if (!default_value.split('|').every((value) => legal.includes(value)))
    refuseBy(c, 'cf-default-value', {
      'among-possible-values': ['custom-field-invalid-value', 'default_value'],
    })
}

function findProjects(c: AdmittedCall, ids: readonly string[], creating: boolean): Project[] {
  return ids.flatMap((text) => {
    const project = c.store.db.projects.find('id', positiveId(text))
    if (project) return project
    // The decision does not cover updates: one with an unknown project cannot be carried out, so it is refused.
    if (!creating) refuseFor('cf-projects-create', ['project-not-found', text])
    refuseBy(c, 'cf-projects-create', unknownProject('projects', text))
    return []
  })
}
