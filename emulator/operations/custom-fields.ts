/** Operations 14 to 19: list, define, link and delete custom fields. */
import {
  definitionValues,
  fieldRecord,
  linkedProjects,
  maySeeIn,
  readDefinition,
  typeValue,
} from '../custom-fields/definition.js'
import { idsAndNames, levelValue, needLevel, needPageLevel, projectLevel } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse, refuseBy } from '../request/errors.js'
import { isInteger, positiveId } from '../request/json.js'
import { define, entity, page, written } from '../request/operation.js'
import { fieldTypes } from '../state/field-types.js'
import { levelNumbers, levels } from '../state/levels.js'
import { type CustomField, type Project, pair } from '../state/store.js'

const managerLevel = (c: AdmittedCall) =>
  c.decisions['cf-permission'] === 'manager' ? levels.manager : levels.administrator

const needFieldManager = (c: AdmittedCall) =>
  needLevel(c, managerLevel(c), 'manage custom fields', 'cf-permission')

export const listCustomFields = define({
  gate: (c) => {
    if (c.decisions['cf-permission'] !== 'list-for-all') needFieldManager(c)
  },
  accept: ordering,
  run(c, _, compare) {
    const manages = c.caller.access_level >= managerLevel(c)
    const fields = c.store.db.customFields.rows.filter(
      (field) => manages || linkedProjects(c, field).some((project) => maySeeIn(c, field, project)),
    )
    const sorted = fields.toSorted(compare).map((field) => fieldRecord(c, field))
    return entity('custom_fields', c.decisions['cf-list-paging'] === 'pages' ? pageOf(c, sorted) : sorted)
  },
})

const PAGE_SIZE = 50

function pageOf<T>(c: AdmittedCall, list: readonly T[]): readonly T[] {
  const size = positiveId(c.query.get('page_size') ?? '') || PAGE_SIZE
  const start = ((positiveId(c.query.get('page') ?? '') || 1) - 1) * size
  return list.slice(start, start + size)
}

type Compare = (a: CustomField, b: CustomField) => number

function byText(member: 'name' | 'default_value' | 'possible_values'): Compare {
  return (a, b) => a[member].toLowerCase().localeCompare(b[member].toLowerCase())
}

function byNumber(of: (field: CustomField) => number): Compare {
  return (a, b) => of(a) - of(b)
}

function ordering(c: AdmittedCall): Compare {
  const option = (name: string) =>
    c.decisions['cf-sort-params'] === 'query'
      ? c.query.get(name)
      : c.headers.get(`x-${name.replace('_', '-')}`)
  const byId = byNumber(({ id }) => id)
  const columns: Record<string, Compare> = {
    id: byId,
    name: byText('name'),
    type: byNumber(({ type }) => type),
    default_value: byText('default_value'),
    possible_values: byText('possible_values'),
    project_count: byNumber((field) => linkedProjects(c, field).length),
  }
  const sequences = (field: CustomField) =>
    c.store.db.customFieldLinks.having('field', field.id).map(({ sequence }) => sequence)
  const sequence = byNumber((field) => Math.min(...sequences(field), 99))
  const usual = { name: byText('name'), id: byId, sequence }
  const asked = option('sort_by')
  const order = option('sort_order')?.toLowerCase() ?? 'asc'
  const known = asked !== null && Object.hasOwn(columns, asked.toLowerCase())
  const refuseSorting = (by: string) =>
    refuseBy(c, 'cf-sort-invalid', { refused: ['invalid-sort-field', by] })
  if (asked !== null && !known) refuseSorting(asked)
  if (order !== 'asc' && order !== 'desc') refuseSorting(order)
  const compare = (known ? columns[asked.toLowerCase()] : usual[c.decisions['cf-list-order']]) ?? byId
  return (a, b) => (order === 'desc' ? compare(b, a) : compare(a, b)) || byId(a, b)
}

export const createCustomField = define({
  gate: needFieldManager,
  accept: (c) => readDefinition(c),
  permit: (c, _, { projects }) => needProjects(c, projects ?? []),
  run(c, _, { values, projects }) {
    const step = c.decisions['create-id-assignment'] === 'stepped' ? 7 : 1
    const field = c.store.db.customFields.add({ id: c.store.nextId('customFields', step), ...values })
    link(c, field, projects ?? [])
    return entity('custom_field', fieldRecord(c, field))
  },
})

function needProjects(c: AdmittedCall, projects: readonly Project[]): void {
  const barred = projects.find((project) => projectLevel(c, c.caller, project) < levels.manager)
  if (!barred) return
  refuse('access-denied', { detail: `To link a field to ${barred.name} needs level ${levels.manager} in it` })
}

function link(c: AdmittedCall, field: CustomField, projects: readonly Project[]): void {
  for (const { id } of projects)
    if (!c.store.db.customFieldLinks.find('pair', pair(field.id, id)))
      c.store.db.customFieldLinks.add({ field_id: field.id, project_id: id, sequence: 0 })
}

function unlink(c: AdmittedCall, field: CustomField): void {
  const { customFieldLinks } = c.store.db
  for (const row of customFieldLinks.having('field', field.id)) customFieldLinks.remove(row)
}

const fieldChoices = (c: AdmittedCall) => ({
  types: fieldTypes.map((_, type) => typeValue(c, type)),
  access_levels: levelNumbers.map((level) => levelValue(c, level)),
  projects: idsAndNames(c.store.db.projects.rows.filter(({ enabled }) => enabled)),
  limits: { name: c.decisions['cf-name-length'], default_value: 255 },
})

export const getCustomFieldCreatePage = define({
  gate: (c) => needPageLevel(c, managerLevel(c), 'see the custom-field create page'),
  run: (c) =>
    page('custom_field', definitionValues(c, {}), { ...fieldChoices(c), flags: { can_link: true } }),
})

function findField(c: AdmittedCall): CustomField {
  const text = c.path.field_id ?? ''
  if (!isInteger(text))
    refuseBy(c, 'cf-bad-id', `Not an id: ${text}`, { invalid: ['invalid-value', 'field_id'] })
  const field = c.store.db.customFields.find('id', positiveId(text))
  return field ?? refuse('custom-field-not-found', { with: [text] })
}

export const updateCustomField = define({
  gate: needFieldManager,
  find: findField,
  accept: (c, field) => readDefinition(c, field),
  permit: (c, _, { projects }) => needProjects(c, projects ?? []),
  run(c, field, { values, projects }) {
    const updated = c.store.db.customFields.change(field, values)
    if (projects && c.decisions['cf-projects-update'] === 'replaced') unlink(c, field)
    if (projects) link(c, updated, projects)
    return written(`Custom field ${field.id} updated`, 'custom_field', fieldRecord(c, updated))
  },
})

export const deleteCustomField = define({
  gate: needFieldManager,
  find: findField,
  permit(c, field) {
    if (linkedProjects(c, field).length > 0)
      refuseBy(c, 'cf-delete-linked', { refused: 'custom-field-in-use' })
  },
  run(c, field) {
    unlink(c, field)
    c.store.db.customFields.remove(field)
    return written(`Custom field ${field.id} deleted`, 'custom_field', { id: field.id })
  },
})

export const getCustomFieldUpdatePage = define({
  gate: (c) => needPageLevel(c, managerLevel(c), 'see the custom-field update page'),
  find: findField,
  run: (c, field) =>
    page('custom_field', fieldRecord(c, field), {
      ...fieldChoices(c),
      flags: {
        can_delete: c.decisions['cf-delete-linked'] === 'deleted' || linkedProjects(c, field).length === 0,
        can_change_type: c.decisions['cf-type-change'] === 'allowed',
      },
    }),
})
