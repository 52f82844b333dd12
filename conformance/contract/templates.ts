/** Reads learnt rules, texts and forms, both to answer by them and to learn them. */

type Json = unknown
export type Parameters = Readonly<Record<string, string>>

/** Whether the features include all of `when`, and none of those that begin with `!`. */
export const holds = (when: readonly string[], features: ReadonlySet<string>) =>
  when.every((one) => (one.startsWith('!') ? !features.has(one.slice(1)) : features.has(one)))

/** The value at `path`, a list of names and positions with dots; undefined if there is none. */
export function at(source: Json, path: string): Json {
  if (path === '') return source
  return path.split('.').reduce(memberOf, source)
}

/** The member or element of a value; undefined if it has none. */
export const memberOf = (value: Json, name: PropertyKey): Json =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** A copy in which each text, and each name of a member, is rewritten. */
export function rewritten(value: Json, write: (text: string) => string): Json {
  if (typeof value === 'string') return write(value)
  if (Array.isArray(value)) return value.map((item) => rewritten(item, write))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [write(name), rewritten(one, write)]))
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
/** Writes each name of a path by its words. */
const spelling = (write: (...words: string[]) => string) => (path: string) =>
  path.replace(/[^.]+/g, (name) => write(...name.split('_').filter(Boolean)))

/** The spellings of member names, and of paths to them, that frameworks use. */
export const spellings: Readonly<Record<string, (path: string) => string>> = {
  slashes: (path) => path.replaceAll('.', '/'),
  brackets: (path) => path.replace(/\.(\d+)/g, '[$1]'),
  pascal: spelling((...words) => words.map(capital).join('')),
  camel: spelling((first = '', ...rest) => first + rest.map(capital).join('')),
  words: spelling((...words) => words.join(' ')),
  sentence: spelling((...words) => capital(words.join(' '))),
}

const written: typeof spellings = {
  ...spellings,
  lower: (text) => text.toLowerCase(),
  trim: (text) => text.trim(),
}

const PLACE = /\{(\w[\w.-]*)(?:\|(\w+))?\}/g

/** Fills the names in a text with values; a name without a value becomes empty. */
export const filled = (text: string, parameters: Parameters) =>
  text.replace(PLACE, (_, name: string, how = '') => {
    const value = parameters[name] ?? ''
    return written[how]?.(value) ?? value
  })

/** The text with `{}` in place of each name. */
export const bare = (text: string) => text.replace(PLACE, '{}')

/** Whether the request has a value for each name in the texts of an answer. */
export function fills(value: Json, parameters: Parameters): boolean {
  if (typeof value === 'string')
    return [...value.matchAll(PLACE)].every(([, name = '']) => parameters[name] !== undefined)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, item]) => fills(name, parameters) && fills(item, parameters))
}
