import { z } from 'zod'
import { type Profile, profileSchema } from '../contract/index.js'
import { nearest, noSuch } from '../contract/nearest.js'
import { UsageError } from '../contract/trouble.js'
import type { JsonObject } from '../oracle/json.js'
import { readJsonObject } from './files.js'
import { isObject, membersOf } from './look.js'

/** A profile for judging recordings: nothing is sent, so tokens may be absent. */
export type OfflineProfile = Omit<Profile, 'tokens'> & { readonly tokens?: Partial<Profile['tokens']> }

/** Reads a profile file; errors name the file and the field. */
export const readProfile = (file: string): JsonObject => readJsonObject(`profile ${file}`, file)

/** Checks a profile, whatever it came from; `source` begins the error. */
export function parseProfile(value: unknown, source: string): Profile {
  // `$schema` is for editors.
  const { $schema: _, ...rest } = membersOf(value)
  const { data, error } = profileSchema.safeParse(isObject(value) ? rest : value)
  if (error)
    throw new UsageError(`${source}: ${error.issues.flatMap((one) => mistakesIn(one, value)).join('; ')}`)
  const trouble = troubleWith(data.baseUrl)
  if (trouble !== null) throw new UsageError(`${source}: field "baseUrl": ${trouble}`)
  return { ...data, baseUrl: data.baseUrl.replace(/\/+$/, '') }
}

function mistakesIn(issue: z.core.$ZodIssue, profile: unknown): string[] {
  const field = issue.path.join('.')
  const given = issue.path.reduce<unknown>((part, name) => Reflect.get(Object(part), name), profile)
  if (issue.code === 'invalid_value' && typeof given === 'string')
    return [`field "${field}": ${noSuch('value', given, issue.values.map(String))}`]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const unknown = [...issue.path, key].join('.')
      return `unknown field "${unknown}"; ${fieldHint(unknown)}`
    })
  return [`${field ? `field "${field}"` : 'the profile'}: ${issue.message}`]
}

/** The most similar known field, for the dotted name of an unknown one. */
export function fieldHint(path: string): string {
  const known = fieldsIn(z.toJSONSchema(profileSchema)).map(([one]) => one)
  const parent = path.replace(/[^.]*$/, '')
  const siblings = known.filter((one) => parent !== '' && one.startsWith(parent))
  const ends = siblings.map((one) => one.slice(parent.length))
  const near = nearest(path.slice(parent.length), ends)
  if (near !== null) return `did you mean ${parent}${near}?`
  if (siblings.length > 0) return `there ${siblings.length === 1 ? 'is' : 'are'} ${siblings.join(', ')}`
  const any = nearest(path, known)
  return any === null ? 'see tracker-kit contract profile' : `did you mean ${any}?`
}

type Schema = z.core.JSONSchema.BaseSchema

/** The dotted path and the schema of each field. */
export const fieldsIn = ({ properties = {} }: Schema, before = ''): [path: string, schema: Schema][] =>
  Object.entries(properties as Record<string, Schema>).flatMap(([name, child]) => [
    [before + name, child],
    ...fieldsIn(child, `${before}${name}.`),
  ])

/**
 * Why a text cannot be a base URL, as the end of a sentence; null where it can. A report tells the base URL as it is, so
 * nothing that lets anybody in may stand there.
 */
export function troubleWith(baseUrl: string): string | null {
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    return `must be an http or https URL, not "${withoutCredentials(baseUrl)}"`
  const { username, password, search, hash } = new URL(baseUrl)
  return username || password || search || hash
    ? 'must be the REST root alone, without credentials, query and fragment'
    : null
}

/** A text for messages about a malformed URL. */
const withoutCredentials = (text: string) =>
  text.replace(/[?#].*$/s, '').replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@')
