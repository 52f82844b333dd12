/** The columns that an issue list can have, and the lists of a tracker where nobody chose any. */
import { maySee, projectLevel } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { levels } from '../state/levels.js'

const namesIn = (text: string): readonly string[] => text.trim().split(/\s+/)

const always = namesIn(`
  selection edit id project_id reporter_id handler_id priority severity reproducibility status resolution
  category_id date_submitted last_updated os os_build platform version fixed_in_version target_version
  view_state summary bug_text_id description steps_to_reproduce additional_information attachment_count
  bugnotes_count notes tags
`)

/** Of features that a stock tracker has switched off. */
const switchedOff = ['projection', 'eta', 'build', 'sponsorship_total', 'due_date', 'overdue']

const view = namesIn(`
  selection edit priority id bugnotes_count attachment_count category_id severity status last_updated
  summary
`)

const exported = namesIn(`
  id project_id reporter_id handler_id priority severity reproducibility version projection category_id
  date_submitted eta os os_build platform view_state last_updated summary status resolution fixed_in_version
`)

export const defaultColumns = {
  view,
  print: view.filter((name) => name !== 'edit'),
  csv: exported,
  excel: exported,
} as const satisfies Record<string, readonly string[]>

export type ListType = keyof typeof defaultColumns

/** The names that the lists have in the configuration of the family. */
export const longTypes: ReadonlyMap<string, ListType> = new Map([
  ['view_issues', 'view'],
  ['print_issues', 'print'],
])

/** What a list of the caller may hold: also the custom fields of projects that the caller sees. */
export function knownColumns(c: AdmittedCall): string[] {
  const { projects, customFields, customFieldLinks } = c.store.db
  const fields = customFieldLinks.rows.flatMap(({ field_id, project_id }) => {
    const field = customFields.find('id', field_id)
    const project = projects.find('id', project_id)
    if (!field || !project || !maySee(c, c.caller, project)) return []
    const level = Math.max(field.access_level_r, levels.viewer)
    return projectLevel(c, c.caller, project) >= level ? [`custom_${field.name}`] : []
  })
  const all = c.decisions['columns-known-set'] === 'all'
  return [...always, ...(all ? switchedOff : []), ...new Set(fields)]
}
