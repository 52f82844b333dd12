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
  const { data, mistakes } = parsedProfile(value)
  if (data === undefined) throw new UsageError(`${source}: ${mistakes.map(({ words }) => words).join('; ')}`)
  const trouble = troubleWith(data.baseUrl)
  if (trouble !== null) throw new UsageError(`${source}: field "baseUrl": ${trouble}`)
  return { ...data, baseUrl: data.baseUrl.replace(/\/+$/, '') }
}

/** A profile as far as it is right, and each mistake in it: the dotted path of the field, and in words. */
export function parsedProfile(value: unknown) {
  // `$schema` is for editors.
  const { $schema: _, ...rest } = membersOf(value)
  const { data, error } = profileSchema.safeParse(isObject(value) ? rest : value, { reportInput: true })
  const mistakes = (error?.issues ?? []).flatMap((issue) => {
    const field = issue.path.join('.')
    if (issue.code === 'unrecognized_keys')
      return issue.keys
        .map((key) => [...issue.path, key].join('.'))
        .map((unknown) => ({ field: unknown, words: unknownField(unknown), isUnknown: true }))
    const { input } = issue
    const isWord = issue.code === 'invalid_value' && typeof input === 'string'
    const why = isWord ? noSuch('value', input, issue.values.map(String)) : issue.message
    return [{ field, words: `${field ? `field "${field}"` : 'the profile'}: ${why}`, isUnknown: false }]
  })
  return { data, mistakes }
}

/** The error of a dotted path that no field has, with the most similar field. */
export const unknownField = (path: string): string => `unknown field "${path}"; ${hintAt(path)}`

function hintAt(path: string): string {
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
