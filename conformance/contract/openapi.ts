import { z } from 'zod'
import { errorBody, errorStatuses, SUCCESS } from './errors.js'
import { type Operation, operations } from './operations.js'

const json = (schema: object) => ({ 'application/json': { schema } })

function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' })
  return rest
}

function describe(operation: Operation): object {
  const errors = Object.entries(errorStatuses).map(([status, description]) => [
    status,
    { description, content: json({ $ref: '#/components/schemas/Error' }) },
  ])
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.section === '4.1' ? 'Users' : 'Management'],
    parameters: operation.parameters.map(({ name, type }) => ({
      name,
      in: 'path',
      required: true,
      schema: { type },
    })),
    ...(operation.body ? { requestBody: { required: true, content: json(schemaOf(operation.body)) } } : {}),
    responses: {
      [SUCCESS]: { description: 'Success. The document does not show the body.', content: json({}) },
      ...Object.fromEntries(errors),
    },
  }
}

/** The contract as an OpenAPI 3.1 document. `ext` and `baseUrl` fill the server address. */
export function openApi({ baseUrl = 'http://127.0.0.1:8787/api/rest', ext = 'Ext' } = {}): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tracker administration extension',
      version: '1',
      description: 'Twenty-six operations of an issue tracker extension. Success is always 200.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${baseUrl}/plugins/${encodeURIComponent(ext)}` }],
    security: [{ bearer: [] }],
    tags: [{ name: 'Users' }, { name: 'Management' }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(errorBody) },
    },
  }
}
