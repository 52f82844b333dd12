/** Whether a list shows a thing of the run's own. */
import type { Answer } from './call.js'
import type { Entry } from './ledger.js'
import { isObject, isPaged, mentions, values } from './look.js'

export const wordsOf = ({ name, also, words }: Entry) => [
  ...words,
  ...(words.length > 0 ? [] : [name, ...also]),
]
export const isListed = ({ json }: Answer, entry: Entry) =>
  wordsOf(entry).some((word) => word.trim() !== '' && mentions(json, word))

const nameKey = /^((custom_?)?field_?)?name$/i

/** Whether a list shows all fields by their names, and none that could be this one. */
export function lacks(listed: Answer, entry: Entry, known: readonly Entry[]): boolean {
  if (listed.status !== 200 || listed.json === undefined || isListed(listed, entry)) return false
  if (entry.name === '' || isPaged(listed.json)) return false
  const all = [...values(listed.json)]
  // A truncated name may be this thing, unless it is another one of the run.
  const isOther = (text: string) =>
    known.some((one) => one !== entry && [one.name, ...one.also].includes(text))
  const isLike = (text: unknown) =>
    typeof text === 'string' && text.toLowerCase().includes(entry.tag) && !isOther(text)
  if (all.some(isLike)) return false
  const names = all
    .filter(isObject)
    .flatMap((record) => Object.entries(record).filter(([key]) => nameKey.test(key)))
  if (names.length === 0) return false
  // A tracker may remove a name that is only markup.
  return names.every(([, text]) => typeof text === 'string' && text.trim() !== '')
}

/** Whether an answer shows another thing of the run that already had this name. */
export function isBesideAnother(entry: Entry, known: readonly Entry[], json: unknown): boolean {
  const hasName = (one: Entry) =>
    one !== entry && one.kind === entry.kind && [one.name, ...one.also].includes(entry.name)
  return entry.state !== 'done' && known.some(hasName) && !entry.words.some((word) => mentions(json, word))
}
