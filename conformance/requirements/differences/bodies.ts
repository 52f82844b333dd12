/** Section 7, status 400: malformed bodies and missing required members, one defect at a time. */

import { z } from 'zod'
import { isObject } from '../../client/look.js'
import { operation as contractOf, type OperationId, operations } from '../../contract/index.js'
import { type Row, requirementOf, type Variant } from '../../suite/engine.js'
import { needPasswordToken } from '../../suite/existing.js'
import { group } from '../../suite/requirement.js'
import type { Subject } from '../../suite/subjects.js'
import type { Check } from '../../suite/types.js'

export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

type Broken = readonly [what: string, body: unknown]

/** Of a type that no reading can turn into the right one. */
const unexpected = { unexpected: true }

/** A value that is not what the schema has: each required part of it missing, null, or of another type. */
function brokenBy(schema: Schema, value: unknown, name: string): Broken[] {
  const broken: Broken[] = []
  if (schema.type === 'object' && isObject(value))
    for (const [member, inner] of Object.entries(schema.properties ?? {})) {
      if (!schema.required?.includes(member) || !(member in value)) continue
      const { [member]: own, ...rest } = value
      const place = name ? `${name}.${member}` : member
      broken.push([`a body without ${place}`, rest])
      for (const wrong of wrongFor(inner))
        broken.push([`${place} as ${shown(wrong)}`, { ...value, [member]: wrong }])
      for (const [what, one] of brokenBy(inner, own, place)) broken.push([what, { ...value, [member]: one }])
    }
  const { items } = schema
  if (schema.type === 'array' && items?.type === 'object' && Array.isArray(value)) {
    for (const wrong of ['kit', null]) broken.push([`${shown(wrong)} in ${name}`, [wrong]])
    for (const [what, one] of brokenBy(items, value[0], `${name}[0]`)) broken.push([what, [one]])
  }
  return broken
}

/** An object where a list is due may read as a list of its members, and a number as a list of one text. */
function wrongFor({ type, items }: Schema): unknown[] {
  if (type === 'object') return [null, 'kit', 7, ['kit']]
  if (type === 'array') return [null, 'kit', ...(items?.type === 'object' ? [7] : [])]
  return [null, unexpected]
}

const shown = (value: unknown) => JSON.stringify(value)

export const schemaOf = (operation: OperationId): Schema => {
  const { body } = contractOf(operation)
  return body ? (z.toJSONSchema(body, { io: 'input' }) as Schema) : {}
}

/** Where the document marks members as required. */
const demanding: readonly OperationId[] = [
  'changeOwnPassword',
  'updateUserSettings',
  'addUserToProjects',
  'createCustomField',
  'updateCustomField',
]

function withoutRequired({ operation, call: { body } }: Subject, t: Check): Broken[] {
  if (operation === 'updateSettings')
    return [`${t.run.tag}settings`, 7, true, null, { configs: [] }].map((one) => [
      `the body ${shown(one)}`,
      one,
    ])
  // What is sent below the level for it needs a form, and no reader.
  const plain = body ?? { configs: [{ option: `${t.run.tag}option`, value: `${t.run.tag}value` }] }
  const broken = brokenBy(schemaOf(operation), plain, '')
  if (operation !== 'updateCustomField') return [['the body {}', {}], ...broken]
  // An update without any definition has something to be for where it has projects; else what it would change is nothing.
  const projects = t.profile.projects?.slice(0, 1) ?? []
  return broken.flatMap(([what, one]): Broken[] => {
    const isBare = isObject(one) && !('custom_field' in one)
    if (isBare) return projects.length > 0 ? [[what, { projects }]] : []
    return [[what, isObject(one) && one.custom_field === null ? { ...one, projects: [] } : one]]
  })
}

export const invalidBodies = (subject: Subject, t: Check): readonly Variant[] =>
  withoutRequired(subject, t).map(([what, body]) => {
    // A text may be read as a list of one, and that is a project which there is not.
    const namesAProject = isObject(body) && typeof body.project_ids === 'string'
    return { what, call: { body }, ...(namesAProject && { allowed: [400, 404] }) }
  })

const common = {
  level: 'must',
  section: '7',
  safety: 'read',
  allowed: [400],
} as const satisfies Partial<Row>

/** For bodies alone: they are sent by whom the operation is for, to what is there as far as can be known. */
const ofBodies = (
  change: (subject: Subject, t: Check) => readonly Variant[],
): Pick<Row, 'change' | 'first' | 'otherwise'> => ({
  first: 'as-it-is',
  otherwise: ({ call }) => (call.path === undefined ? [] : [404]),
  change(subject, t) {
    if (subject.operation === 'changeOwnPassword') needPasswordToken(t)
    return change(subject, t)
  },
})

const withBody = operations.filter(({ body }) => body !== undefined).map(({ id }) => id)

const requiredRow: Row = {
  ...common,
  id: 'body.required',
  statement: 'A body without a required field, or with one of a wrong type, is answered 400.',
  operations: [...demanding, 'updateSettings'],
  ...ofBodies((subject, t) => {
    // What an update without any body would change is nothing.
    const bodiless = !['updateCustomField', 'updateSettings'].includes(subject.operation)
    return [
      ...invalidBodies(subject, t),
      ...(bodiless ? [{ what: 'no body at all', call: { rawBody: '' } }] : []),
    ]
  }),
}

const rows: readonly Row[] = [
  {
    ...common,
    id: 'body.malformed-json',
    statement: 'A body that is not JSON is answered 400.',
    operations: withBody,
    ...ofBodies(() =>
      ['{"a":', '{"kit":1,}', "{'kit':1}", '{not json}'].map((rawBody, index) => ({
        what: `the body ${rawBody}`,
        call: { rawBody },
        ...(index > 0 && { rare: true as const }),
      })),
    ),
  },
  {
    ...common,
    id: 'body.not-an-object',
    statement: 'JSON of another kind than the object that carries the required fields is answered 400.',
    operations: demanding,
    ...ofBodies(() =>
      ['text', null, ['text'], 7, true].map((body, index) => ({
        what: `the body ${shown(body)}`,
        call: { body },
        ...(index > 2 && { rare: true as const }),
      })),
    ),
  },
  requiredRow,
  {
    ...common,
    id: 'body.configs-empty',
    section: '2.3',
    statement: 'An empty list of settings is answered 400.',
    operations: ['updateUserSettings'],
    ...ofBodies(() => [{ what: 'the body {"configs":[]}', call: { body: { configs: [] } } }]),
  },
]

export const bodies = group({ rank: 80 }, rows.map(requirementOf))
