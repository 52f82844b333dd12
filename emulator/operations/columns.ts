/** Operation 21: the issue-list columns of the caller, read or saved. */
import type { z } from 'zod'
import { columnsBody } from '../../conformance/contract/bodies.js'
import { projectLevel } from '../request/access.js'
import { read, written } from '../request/answers.js'
import { isEmpty, readBody } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse } from '../request/errors.js'
import { define } from '../request/operation.js'
import { levels } from '../state/levels.js'
import { columnsPlace, type Project } from '../state/store.js'
import { defaultColumns, knownColumns, type ListType, longTypes } from './issue-columns.js'

interface Found {
  readonly body: z.infer<typeof columnsBody>
  /** Null: all projects. */
  readonly project: Project | null
}

interface Request {
  readonly type: ListType
  /** Null: a read. */
  readonly columns: readonly string[] | null
}

export const manageColumns = define<Found, Request>({
  // The project is in the body; who may not see it learns nothing about the rest.
  find(c) {
    const body = readBody(c, columnsBody)
    if (isEmpty(body) && c.decisions['empty-object-body'] === 'refused-for-columns-too')
      refuse('malformed-body', { detail: 'The body has no fields', decision: 'empty-object-body' })
    return { body, project: findProject(c, body.project) }
  },
  guard(c, { project }) {
    if (!project || projectLevel(c, c.caller, project) >= levels.viewer) return
    const options = {
      detail: `${c.caller.username} may not see the project ${project.name}`,
      decision: 'columns-project-hidden',
    } as const
    if (c.decisions['columns-project-hidden'] === 'not-found')
      refuse('project-not-found', { with: [project.id], ...options })
    refuse('access-denied', options)
  },
  accept(c, { body }) {
    const type = listType(c, body.type ?? 'view')
    return { type, columns: body.columns === undefined ? null : checkedColumns(c, body.columns) }
  },
  run(c, { project }, { type, columns }) {
    const empty = c.decisions['columns-empty-list']
    if (columns === null || (columns.length === 0 && empty === 'read'))
      return read('columns', record(c, project, type, true))
    const { columnConfigurations } = c.store.db
    const project_id = scope(c, project)
    const stored = columnConfigurations.find('place', columnsPlace(c.caller.id, project_id, type))
    if (columns.length === 0 && empty === 'reset') {
      if (stored) columnConfigurations.remove(stored)
    } else if (stored) columnConfigurations.change(stored, { columns: [...columns] })
    else columnConfigurations.insert({ user_id: c.caller.id, project_id, type, columns: [...columns] })
    return written('Columns saved', 'columns', record(c, project, type, false))
  },
})

const scope = (c: AdmittedCall, project: Project | null) =>
  c.decisions['columns-scope'] === 'caller' ? 0 : (project?.id ?? 0)

/** The list in force: of the caller and project, else of the caller, else the tracker's. */
function inForce(c: AdmittedCall, project: Project | null, type: ListType): readonly string[] {
  const { columnConfigurations } = c.store.db
  const own = [scope(c, project), 0]
    .map((id) => columnConfigurations.find('place', columnsPlace(c.caller.id, id, type)))
    .find((row) => row !== undefined)
  const known = knownColumns(c).map((name) => name.toLowerCase())
  return (own?.columns ?? defaultColumns[type]).filter((name) => known.includes(name.toLowerCase()))
}

function record(c: AdmittedCall, project: Project | null, type: ListType, reading: boolean): unknown {
  const columns = inForce(c, project, type)
  if (c.decisions['columns-answer'] === 'list-only') return columns
  return {
    project: { id: project?.id ?? 0, name: project?.name ?? 'All projects' },
    type,
    columns,
    ...(reading ? { available_columns: knownColumns(c) } : {}),
  }
}

function findProject(c: AdmittedCall, given: string | { id?: string | number } | undefined): Project | null {
  if (given === undefined) {
    if (c.decisions['columns-project-form'] === 'required')
      refuse('empty-field', { with: ['project'], decision: 'columns-project-form' })
    return null
  }
  if (typeof given !== 'string' && c.decisions['columns-project-form'] === 'string-only')
    refuse('invalid-value', { with: ['project'], decision: 'columns-project-form' })
  const reference = typeof given === 'string' ? given : String(given.id)
  if (reference === '0') return null
  const project = /^\d{1,15}$/.test(reference) ? c.store.db.projects.find('id', Number(reference)) : undefined
  if (project) return project
  const decision = 'columns-project-unknown'
  if (c.decisions[decision] === 'invalid') refuse('invalid-value', { with: ['project'], decision })
  refuse('project-not-found', { with: [reference], decision })
}

function listType(c: AdmittedCall, given: string): ListType {
  const values = c.decisions['columns-type-values']
  const short = values === 'view-only' ? (['view'] as const) : (Object.keys(defaultColumns) as ListType[])
  const long = values === 'long-too' ? longTypes[given] : undefined
  const type = short.find((name) => name === given) ?? long
  if (type) return type
  if (c.decisions['columns-type-invalid'] === 'as-view') return 'view'
  refuse('invalid-value', {
    with: ['type'],
    detail: `"${given}" is no list`,
    decision: 'columns-type-invalid',
  })
}

function checkedColumns(c: AdmittedCall, given: readonly string[]): string[] {
  if (given.length === 0) {
    if (c.decisions['columns-empty-list'] === 'refused')
      refuse('columns-invalid', { with: [''], detail: 'The list is empty', decision: 'columns-empty-list' })
    return []
  }
  const known = new Set(knownColumns(c).map((name) => name.toLowerCase()))
  const isKnown = (name: string) => known.has(name.toLowerCase())
  const unknown = given.find((name) => !isKnown(name))
  if (unknown !== undefined && c.decisions['columns-invalid'] !== 'dropped')
    refuse('columns-invalid', { with: [unknown], decision: 'columns-invalid' })
  const duplicates = c.decisions['columns-duplicate']
  const seen = new Set<string>()
  const columns: string[] = []
  for (const name of given.filter(isKnown)) {
    const key = duplicates === 'exact-only' ? name : name.toLowerCase()
    if (seen.has(key)) {
      if (duplicates === 'dropped') continue
      refuse('columns-duplicate', { with: [name], decision: 'columns-duplicate' })
    }
    seen.add(key)
    columns.push(name)
  }
  // A list of which nothing is left is as unknown as its names, where an empty one is none.
  if (columns.length === 0 && c.decisions['columns-empty-list'] === 'refused')
    refuse('columns-invalid', { with: [given[0] ?? ''], decision: 'columns-invalid' })
  return columns
}
