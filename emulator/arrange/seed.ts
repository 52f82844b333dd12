/** Starting states: a built-in one by name, a whole state, a file, or the differences from the default. */
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { nearest, noSuch } from '../../conformance/contract/nearest.js'
import { small } from '../../fixtures/seeds/small.js'
import { isObject } from '../request/json.js'
import type { AnyRecord, Collation, CollectionName, Key, Reference, State } from '../state/collections.js'
import { collectionNames, hasIds, references, rowOf } from '../state/collections.js'
import { type FieldType, fieldTypes } from '../state/field-types.js'
import { type LevelName, levels } from '../state/levels.js'
import { each } from '../state/records.js'
import { checkReferences, exact, parseState, stateSchema } from '../state/state.js'
import { createStore, imageOf, type Store, stateOf } from '../state/store.js'

type Tables = Store['tables']

export const seeds: Readonly<Record<string, State>> = { small }

const named: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  type: Object.fromEntries(fieldTypes.map((type, number) => [type, number])),
  ...each(levels, 'access_level', 'access_level_r', 'access_level_rw'),
}

const namesFor = (name: CollectionName, member: string) =>
  member === 'type' && name !== 'customFields' ? undefined : named[member]

type NameFor<K> = K extends 'type'
  ? FieldType
  : K extends 'access_level' | 'access_level_r' | 'access_level_rw'
    ? LevelName
    : never

/** Some fields of a record. Names may stand for users, projects, custom fields, field types and levels. */
type Some<R> = {
  readonly [K in keyof R]?:
    | R[K]
    | (K extends Reference ? string : never)
    | (number extends R[K] ? NameFor<K> : never)
}

/**
 * The differences from the default starting state. A record with the id or name of an existing one changes that one's
 * fields; any other is added, with defaults for absent fields. Each user of the seed has the token `token-of-USERNAME`,
 * unless the seed or the default state has another one.
 */
export type PartialSeed = {
  readonly [C in CollectionName]?: readonly Some<State[C][number]>[]
} & { readonly $schema?: string }

export type Seed = string | State | PartialSeed

/** The whole state, for a tracker that compares names by `collation`. Rejects with one line that names the mistake. */
export async function stateOfSeed(seed: Seed, collation: Collation): Promise<State> {
  if (typeof seed === 'string')
    return Object.hasOwn(seeds, seed) ? (seeds[seed] as State) : stateOfSeed(await file(seed), collation)
  if (!isObject(seed))
    throw new TypeError('The seed must be the name of a starting state, a file, a state or a part of one')
  const { $schema: _, ...rest } = seed as PartialSeed
  if ('schema' in rest) return parseState(rest, collation)
  // The records were checked one by one.
  const state = merged(small, rest)
  checkReferences(state, collation)
  return state
}

async function file(path: string): Promise<State | PartialSeed> {
  if (/[/\\.]/.test(path)) {
    // Loaded on demand: the rest also runs in a browser.
    const { readSeed } = await import('./seed-file.js')
    return (await readSeed(path)) as State | PartialSeed
  }
  const near = nearest(path, Object.keys(seeds))
  const hint = near
    ? `did you mean "${near}"?`
    : `the built-in one is ${Object.keys(seeds).join(', ')}; for a file, write its path: ./${path}`
  throw new RangeError(`No starting state is called "${path}"; ${hint}`)
}

/** The members that identify a record: each of them, or all together if records have no id. */
export function keysOf(name: CollectionName): readonly string[] {
  const { identity, unique, alias = unique?.member } = rowOf(name)
  return alias === undefined ? identity : [...identity, alias]
}

function merged(base: State, seed: PartialSeed): State {
  const unknown = Object.keys(seed).find((name) => !collectionNames.some((known) => known === name))
  if (unknown !== undefined) throw new TypeError(`seed: ${noSuch('collection', unknown, collectionNames)}`)
  const { tables, put, image } = createStore(exact)
  put(imageOf(base))
  const users: AnyRecord[] = []
  // This order begins with users and projects, so that other records can refer to those that the seed adds.
  for (const name of collectionNames) {
    const given: unknown = seed[name] ?? []
    if (!Array.isArray(given)) throw new TypeError(`seed.${name}: it must be a list of records`)
    const merging = given.map((row, index) => merge(tables, name, row, `seed.${name}[${index}]`))
    const kept = new Set(tables[name].rows)
    const lost = merging.findIndex((row) => !kept.has(row))
    if (lost >= 0) throw new TypeError(`seed.${name}[${lost}]: a later one has the same ${identityOf(name)}`)
    if (name === 'users') users.push(...merging)
  }
  for (const { id } of users)
    if (!tables.tokens.find('user', id as Key)) tables.tokens.insert({ user_id: id })
  const state = stateOf(image())
  for (const name of collectionNames) {
    const { counter } = rowOf(name)
    if (counter) state.lastIds[counter] = highest(tables, name, state.lastIds[counter])
  }
  return state
}

export const highest = (tables: Tables, name: CollectionName, least: number): number =>
  tables[name].rows.reduce((most, { id }) => Math.max(most, Number(id)), least)

const identityOf = (name: CollectionName) => keysOf(name).join(hasIds(rowOf(name)) ? ' or ' : ' and ')

function merge(tables: Tables, name: CollectionName, given: unknown, place: string): AnyRecord {
  const { schema, identity } = rowOf(name)
  const keys = keysOf(name)
  if (!isObject(given)) throw new TypeError(`${place}: it must be an object`)
  const stranger = Object.keys(given).find((key) => !Object.hasOwn(schema.shape, key))
  if (stranger !== undefined)
    throw new TypeError(`${place}: ${noSuch('field', stranger, Object.keys(schema.shape))}`)
  const row = resolved(tables, name, given, place)
  const table = tables[name]
  const matches =
    identity.length > 1
      ? [table.same(table.filled(row))]
      : keys.flatMap((key) => (key in row ? table.having(key, row[key] as Key) : []))
  if (matches.some((match) => match !== matches[0]))
    throw new TypeError(`${place}: it has the ${keys.join(' and the ')} of two different records`)
  const [present] = matches
  const whole = checked(schema, present ? { ...present, ...row } : table.filled(row), place)
  return present ? table.change(present, whole) : table.add(whole)
}

function resolved(tables: Tables, collection: CollectionName, given: AnyRecord, place: string): AnyRecord {
  let row = given
  for (const [key, value] of Object.entries(given)) {
    const names = namesFor(collection, key)
    if (!names || typeof value !== 'string') continue
    if (!Object.hasOwn(names, value))
      throw new TypeError(`${place}: ${noSuch(key, value, Object.keys(names))}`)
    row = { ...row, [key]: names[value] }
  }
  for (const key of Object.keys(references) as Reference[]) {
    const text = row[key]
    if (text === undefined) continue
    const { collection, name, kind } = references[key]
    const isId = typeof text === 'number' && !(key === 'project_id' && text === 0)
    if (isId && !tables[collection].find('id', text))
      throw new TypeError(`${place}: ${key}: there is no ${kind} ${text}`)
    if (typeof text !== 'string') continue
    const found = tables[collection].find(name, text)
    if (!found) {
      const names = tables[collection].rows.map((candidate) => String(candidate[name]))
      throw new TypeError(`${place}: ${key}: ${noSuch(kind, text, names)}`)
    }
    row = { ...row, [key]: found.id }
  }
  return row
}

/** The JSON Schema of seed files, with which editors complete and check them. */
export function seedSchema(): z.ZodType {
  const $schema = z.string().optional()
  const lists = collectionNames.map((name) => [name, z.array(recordOf(name)).optional()])
  return z.union([z.strictObject({ $schema, ...Object.fromEntries(lists) }), stateSchema.extend({ $schema })])
}

function recordOf(name: CollectionName): z.ZodType {
  const members = Object.entries(rowOf(name).schema.shape as Record<string, z.ZodType>)
  const named = members.map(([member, schema]) => [member, memberOf(name, member, schema)])
  return z.strictObject(Object.fromEntries(named)).partial()
}

function memberOf(name: CollectionName, member: string, schema: z.ZodType): z.ZodType {
  const names = namesFor(name, member)
  if (names) return z.union([z.enum(Object.keys(names)), schema])
  const { kind, name: named } = references[member as Reference] ?? {}
  if (kind === undefined) return schema
  return z.union([schema, z.string()]).describe(`The id or the ${named} of a ${kind}`)
}
