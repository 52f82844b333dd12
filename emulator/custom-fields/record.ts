/** How a custom field is shown. */
import { enumValue, idsAndNames, levelValue } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { fieldTypes } from '../state/field-types.js'
import type { CustomField, Project } from '../state/store.js'

export const typeValue = (c: AdmittedCall, type: number) => enumValue(c, type, fieldTypes[type] ?? 'string')

export function linkedProjects(c: AdmittedCall, field: CustomField): Project[] {
  const { customFieldLinks, projects } = c.store.db
  return customFieldLinks
    .having('field', field.id)
    .flatMap(({ project_id }) => projects.find('id', project_id) ?? [])
}

export function fieldRecord(c: AdmittedCall, field: CustomField): Record<string, unknown> {
  const { id, name, type, possible_values, default_value, display_report, display_update } = field
  if (c.decisions['cf-record'] === 'ids') return { id }
  const core = {
    id,
    name,
    type: typeValue(c, type),
    possible_values,
    default_value,
    display_report,
    display_update,
  }
  if (c.decisions['cf-record'] === 'core') return core
  return {
    ...field,
    ...core,
    access_level_r: levelValue(c, field.access_level_r),
    access_level_rw: levelValue(c, field.access_level_rw),
    projects: idsAndNames(linkedProjects(c, field)),
  }
}
