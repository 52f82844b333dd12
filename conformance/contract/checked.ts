/** Checks input from code or a file. An error is one line, with the nearest name for an unknown one. */
import { z } from 'zod'
import { noSuch } from './nearest.js'
import { memberOf } from './templates.js'

/**
 * The value as the schema returns it. Throws a `TypeError` that begins with `place`, the place where the value was
 * given. `noun` is the word for a member of the value.
 */
export function checked<S extends z.ZodType>(schema: S, value: unknown, place: string, noun = 'field') {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new TypeError([place, ...(issue ? [troubleIn(schema, value, issue, noun)] : [])].join(': '))
}

function troubleIn(schema: z.ZodType, value: unknown, issue: z.core.$ZodIssue, noun: string): string {
  const path = z.core.toDotPath(issue.path)
  const at = (text: string) => (path === '' ? text : `${path}: ${text}`)
  if (issue.code === 'unrecognized_keys')
    return at(noSuch(noun, issue.keys[0] ?? '', Object.keys(shapeAt(schema, issue.path))))
  const given = issue.path.reduce<unknown>(memberOf, value)
  if (issue.code === 'invalid_value' && typeof given === 'string')
    return noSuch(String(issue.path.at(-1) ?? noun), given, issue.values.map(String))
  return at(`${expectation(issue)}, not ${JSON.stringify(given) ?? String(given)}`)
}

const words: Readonly<Record<string, string>> = {
  object: 'must be an object',
  record: 'must be an object',
  array: 'must be a list',
  string: 'must be a text',
  boolean: 'must be true or false',
  number: 'must be a number',
  int: 'must be a whole number',
}

/** What the schema expects, in the schema's own words if it has some. */
function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1)
    return 'must not be empty'
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((one) => JSON.stringify(one)).join(' or ')}`
  if (!issue.message.startsWith('Invalid input')) return issue.message
  return (issue.code === 'invalid_type' && words[issue.expected]) || issue.message
}

/** The members that the schema allows in the object at a path. */
function shapeAt(schema: unknown, path: readonly PropertyKey[]): object {
  if (schema instanceof z.ZodOptional) return shapeAt(schema.unwrap(), path)
  if (!(schema instanceof z.ZodObject)) return {}
  const [name, ...rest] = path
  return name === undefined ? schema.shape : shapeAt(memberOf(schema.shape, name), rest)
}
