/** Operation 21: reads or saves the issue-list columns of the caller. */
import type { z } from 'zod'
import { columnsBody } from '../../conformance/contract/bodies.js'
import { maySeeIn } from '../custom-fields/definition.js'
import { projectLevel } from '../request/access.js'
import { readBody, refuseEmpty } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/errors.js'
import { positiveId, wordsIn } from '../request/json.js'
import { define, entity, written } from '../request/operation.js'
import { givenColumns } from '../request/translate.js'
import { levels } from '../state/levels.js'
import { columnsPlace, type Project } from '../state/store.js'

const always = wordsIn(`
  selection edit id project_id reporter_id handler_id priority severity reproducibility status resolution
  category_id date_submitted last_updated os os_build platform version fixed_in_version target_version
  view_state summary bug_text_id description steps_to_reproduce additional_information attachment_count
  bugnotes_count notes tags
`)

/** Columns of features that are off by default. */
const switchedOff = wordsIn('projection eta build sponsorship_total due_date overdue')

const view = wordsIn(`
  selection edit priority id bugnotes_count attachment_count category_id severity status last_updated
  summary
`)

const exported = wordsIn(`
  id project_id reporter_id handler_id priority severity reproducibility version projection category_id
  date_submitted eta os os_build platform view_state last_updated summary status resolution fixed_in_version
`)

const print = view.filter((name) => name !== 'edit')
const defaultColumns = { view, print, csv: exported, excel: exported } as const

type ListType = keyof typeof defaultColumns

/** The names that the caller's lists may contain, including custom fields of projects that the caller sees. */
export function knownColumns(c: AdmittedCall): string[] {
  const { projects, customFields, customFieldLinks } = c.store.db
  const fields = customFieldLinks.rows.flatMap(({ field_id, project_id }) => {
    const field = customFields.find('id', field_id)
    const project = projects.find('id', project_id)
    return field && project && maySeeIn(c, field, project) ? [`custom_${field.name}`] : []
  })
  const all = c.decisions['columns-known-set'] === 'all'
  return [...always, ...(all ? switchedOff : []), ...new Set(fields)]
}

/** The project is null for all projects, the columns are null for a read. */
export const manageColumns = define({
  // The project is in the body. A caller who may not see it gets no other error.
  find(c) {
    const body = readBody(c, columnsBody)
    refuseEmpty(c, body)
    return { body, project: findProject(c, body.project) }
  },
  guard(c, { project }) {
    if (!project || projectLevel(c, c.caller, project) >= levels.viewer) return
    refuseBy(c, 'columns-project-hidden', `${c.caller.username} may not see the project ${project.name}`, {
      'not-found': ['project-not-found', project.id],
      forbidden: 'access-denied',
    })
  },
  accept(c, { body }) {
    const type = listType(c, body.type ?? 'view')
    return { type, columns: body.columns === undefined ? null : checkedColumns(c, body.columns) }
  },
  run(c, { project }, { type, columns }) {
    const empty = c.decisions['columns-empty-list']
    if (columns === null || (columns.length === 0 && empty === 'read'))
      return entity('columns', record(c, project, type, { available_columns: given(c, knownColumns(c)) }))
    const { columnConfigurations } = c.store.db
    const project_id = scope(c, project)
    const stored = savedFor(c, project_id, type)
    if (columns.length === 0 && empty === 'reset') {
      if (stored) columnConfigurations.remove(stored)
    } else if (stored) columnConfigurations.change(stored, { columns })
    else columnConfigurations.add({ user_id: c.caller.id, project_id, type, columns })
    return written('Columns saved', 'columns', record(c, project, type))
  },
})

const scope = (c: AdmittedCall, project: Project | null) =>
  c.decisions['columns-scope'] === 'caller' ? 0 : (project?.id ?? 0)

const savedFor = (c: AdmittedCall, project: number, type: ListType) =>
  c.store.db.columnConfigurations.find('place', columnsPlace(c.caller.id, project, type))

function record(c: AdmittedCall, project: Project | null, type: ListType, rest: object = {}): unknown {
  const own = savedFor(c, scope(c, project), type) ?? savedFor(c, 0, type)
  const known = knownColumns(c).map((name) => name.toLowerCase())
  const shown = (own?.columns ?? defaultColumns[type]).filter((name) => known.includes(name.toLowerCase()))
  const columns = given(c, shown)
  if (c.decisions['columns-answer'] === 'list-only') return columns
  const { id, name } = project ?? { id: 0, name: 'All projects' }
  return { project: { id, name }, type, columns, ...rest }
}

const given = (c: AdmittedCall, names: readonly string[]) =>
  givenColumns(names, c.decisions['accepted-values'])

function findProject(c: AdmittedCall, given: z.infer<typeof columnsBody>['project']): Project | null {
  if (given === undefined) {
    refuseBy(c, 'columns-project-form', { required: ['empty-field', 'project'] })
    return null
  }
  if (typeof given !== 'string')
    refuseBy(c, 'columns-project-form', { 'string-only': ['invalid-value', 'project'] })
  const reference = typeof given === 'string' ? given : String(given.id)
  if (reference === '0') return null
  const project = c.store.db.projects.find('id', positiveId(reference))
  if (project) return project
  refuseBy(c, 'columns-project-unknown', {
    invalid: ['invalid-value', 'project'],
    'not-found': ['project-not-found', reference],
  })
}

function listType(c: AdmittedCall, given: string): ListType {
  const values = c.decisions['columns-type-values']
  const short = values === 'view-only' ? (['view'] as const) : (Object.keys(defaultColumns) as ListType[])
  // The configuration of the family has longer names for two of the lists.
  const asked = values === 'long-too' ? given.replace(/^(view|print)_issues$/, '$1') : given
  const type = short.find((name) => name === asked)
  if (type) return type
  refuseBy(c, 'columns-type-invalid', `"${given}" is no list`, { refused: ['invalid-value', 'type'] })
  return 'view'
}

function checkedColumns(c: AdmittedCall, given: readonly string[]): string[] {
  if (given.length === 0) {
    refuseBy(c, 'columns-empty-list', 'The list is empty', { refused: ['columns-invalid', ''] })
    return []
  }
  const known = new Set(knownColumns(c).map((name) => name.toLowerCase()))
  const isKnown = (name: string) => known.has(name.toLowerCase())
  const unknown = given.find((name) => !isKnown(name))
  if (unknown !== undefined) refuseBy(c, 'columns-invalid', { refused: ['columns-invalid', unknown] })
  const duplicates = c.decisions['columns-duplicate']
  const columns = new Map<string, string>()
  for (const name of given.filter(isKnown)) {
    const key = duplicates === 'exact-only' ? name : name.toLowerCase()
    if (!columns.has(key)) columns.set(key, name)
    else if (duplicates !== 'dropped') refuseFor('columns-duplicate', ['columns-duplicate', name])
  }
  // If empty lists are refused, a list with only unknown names is refused, too.
  if (columns.size === 0 && c.decisions['columns-empty-list'] === 'refused')
    refuseFor('columns-invalid', ['columns-invalid', given[0] ?? ''])
  return [...columns.values()]
}
