/** How learnt rules, texts and forms are read: by the emulator that runs them, and by what learns them. */

type Json = unknown
export type Parameters = Readonly<Record<string, string>>

/** All of them, and none of those with a `!` before. */
export const holds = (when: readonly string[], features: ReadonlySet<string>) =>
  when.every((one) => (one.startsWith('!') ? !features.has(one.slice(1)) : features.has(one)))

/** What stands at `path`, names and positions with points between; undefined where nothing does. */
export function at(source: Json, path: string): Json {
  if (path === '') return source
  return path
    .split('.')
    .reduce<Json>(
      (value, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string, Json>)[name] : undefined,
      source,
    )
}

const words = (name: string) => name.split('_').filter(Boolean)
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
const parts = (path: string, write: (name: string) => string) => path.split('.').map(write).join('.')

/** How frameworks write the names of members. */
export const spellings: Readonly<Record<string, (path: string) => string>> = {
  pascal: (path) => parts(path, (name) => words(name).map(capital).join('')),
  camel: (path) =>
    parts(path, (name) =>
      words(name).reduce((whole, word) => whole + (whole === '' ? word : capital(word)), ''),
    ),
  words: (path) => parts(path, (name) => words(name).join(' ')),
  sentence: (path) => parts(path, (name) => capital(words(name).join(' '))),
}

const written: typeof spellings = {
  ...spellings,
  lower: (text) => text.toLowerCase(),
  trim: (text) => text.trim(),
}

const PLACE = /\{(\w[\w.-]*)(?:\|(\w+))?\}/g

/** The text with values for its names; those that the request does not have are empty. */
export const filled = (text: string, parameters: Parameters) =>
  text.replace(PLACE, (_, name: string, how = '') => {
    const value = parameters[name] ?? ''
    return written[how]?.(value) ?? value
  })

/** The text with nothing in the place of its names. */
export const bare = (text: string) => text.replace(PLACE, '{}')

/** Whether the request has all that the texts of an answer repeat. */
export function fills(value: Json, parameters: Parameters): boolean {
  if (typeof value === 'string')
    return [...value.matchAll(PLACE)].every(([, name = '']) => parameters[name] !== undefined)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, item]) => fills(name, parameters) && fills(item, parameters))
}
