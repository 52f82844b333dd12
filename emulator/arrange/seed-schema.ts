/** The JSON Schema of seed files, with which editors complete and check them. */
import { z } from 'zod'
import {
  type CollectionName,
  collectionNames,
  type Reference,
  references,
  rowOf,
} from '../state/collections.js'
import { stateSchema } from '../state/state.js'
import { namesFor } from './seed.js'

export function seedSchema(): z.ZodType {
  const $schema = z.string().optional()
  const lists = collectionNames.map((name) => [name, z.array(recordOf(name)).optional()])
  return z.union([z.strictObject({ $schema, ...Object.fromEntries(lists) }), stateSchema.extend({ $schema })])
}

function recordOf(name: CollectionName): z.ZodType {
  const members = Object.entries(rowOf(name).schema.shape as Record<string, z.ZodType>)
  return z.strictObject(
    Object.fromEntries(
      members.map(([member, schema]) => [member, memberOf(name, member, schema).optional()]),
    ),
  )
}

function memberOf(name: CollectionName, member: string, schema: z.ZodType): z.ZodType {
  const names = namesFor(name, member)
  if (names) return z.union([z.enum(Object.keys(names)), schema])
  const { kind, name: named } = references[member as Reference] ?? {}
  if (kind === undefined) return schema
  return z.union([schema, z.string()]).describe(`The id or the ${named} of a ${kind}`)
}
