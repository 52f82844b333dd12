import { z } from 'zod'
import { type ErrorStatus, errorBody, errorStatuses, SUCCESS } from './errors.js'
import type { Example } from './example.js'
import { errors, successes } from './examples.js'
import { type Operation, operations } from './operations.js'
import { version } from './version.js'

/** Marks what the emulator does but the interface document does not show. */
const undocumented = { 'x-not-documented': true } as const

const errorNames: Readonly<Record<ErrorStatus, string>> = {
  400: 'Invalid',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
}

const statuses = Object.keys(errorStatuses).map(Number) as ErrorStatus[]

/** The contract as an OpenAPI 3.1 document. `ext` and `baseUrl` fill the server address. */
export function openApi({ baseUrl = 'http://127.0.0.1:8787/api/rest', ext = 'Ext' } = {}): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const one of operations)
    paths[one.path] = { ...paths[one.path], [one.method.toLowerCase()]: describe(one) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tracker administration extension',
      version: '1',
      description: [
        'Twenty-six operations of an issue tracker extension. Success is always 200.',
        'The interface document shows neither the body of a success nor where its query parameters stand: what is here',
        'marked `x-not-documented` is how the emulator of tracker-kit has it, and another tracker may differ. The',
        'examples are answers of that emulator in its starting state, with lists shortened to two elements.',
      ].join(' '),
      license: { name: 'MIT', identifier: 'MIT' },
      'x-generator': `tracker-kit ${version}`,
    },
    servers: [{ url: `${baseUrl}/plugins/${encodeURIComponent(ext)}` }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'Users', description: 'Accounts, the own one among them' },
      { name: 'Management', description: 'Custom fields, plugins, columns, recipients, settings' },
    ],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token of the tracker' },
      },
      schemas: { Error: schemaOf(errorBody) },
      responses: Object.fromEntries(statuses.map((status) => [errorNames[status], errorResponse(status)])),
    },
  }
}

function describe(operation: Operation): object {
  const example: Example = successes[operation.id]
  const { answer, unselected = answer } = example
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.section === '4.1' ? 'Users' : 'Management'],
    parameters: [...pathParameters(operation, example), ...queryParameters(example)],
    ...(operation.body && {
      requestBody: { required: true, content: jsonOf(schemaOf(operation.body), example.body) },
    }),
    responses: {
      [SUCCESS]: {
        description: 'Success. The document does not show the body; this one is the emulator’s.',
        ...undocumented,
        content: jsonOf({ ...schemaLike([unselected]), ...undocumented }, answer),
      },
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/${errorNames[status]}` }]),
      ),
    },
  }
}

function pathParameters({ parameters }: Operation, { path = {} }: Example): object[] {
  return parameters.map(({ name, type }) => ({
    name,
    in: 'path',
    required: true,
    schema: { type },
    example: type === 'integer' ? Number(path[name]) : path[name],
  }))
}

/** The document names these parameters in the operations' descriptions, without their place. */
function queryParameters({ query }: Example): object[] {
  return [...new URLSearchParams(query)].map(([name, value]) => ({
    name,
    in: 'query',
    required: false,
    description: 'Named by the document, which shows neither its place nor its values',
    ...undocumented,
    schema: { type: 'string' },
    example: value,
  }))
}

function errorResponse(status: ErrorStatus): object {
  const example = errors.find((one) => one.status === status)?.answer
  const content = jsonOf({ $ref: '#/components/schemas/Error' }, example)
  return { description: errorStatuses[status], content }
}

const jsonOf = (schema: object, example: unknown) => ({ 'application/json': { schema, example } })

function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' })
  return rest
}

/** A schema that all these values match. No member is required, since the document promises none. */
function schemaLike(values: readonly unknown[]): object {
  const types = [...new Set(values.map(typeOf))]
  const [type] = types
  if (types.length > 1) return types.some(isCompound) ? {} : { type: types }
  if (type === undefined || type === 'null') return {}
  if (type === 'array') return { type, items: schemaLike(values.flat()) }
  if (type !== 'object') return { type }
  const objects = values as Readonly<Record<string, unknown>>[]
  const names = [...new Set(objects.flatMap(Object.keys))]
  const membersOf = (name: string) => objects.flatMap((one) => (name in one ? [one[name]] : []))
  return { type, properties: Object.fromEntries(names.map((name) => [name, schemaLike(membersOf(name))])) }
}

const isCompound = (type: string) => type === 'array' || type === 'object'

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
