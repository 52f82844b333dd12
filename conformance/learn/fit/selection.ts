/** What an answer to a selection of members leaves out of the record of a user, and what it keeps. */
import { isObject } from '../../oracle/json.js'
import type { Pair } from '../copy/copy.js'

type Json = unknown

/** An answer to a selection, with the words of its query. */
interface Part {
  readonly json: Json
  readonly words: ReadonlySet<string>
}

/**
 * For each record that has fewer members in answers to a selection than in a whole answer, by its path: the members
 * that stay although no query asked for them. Null where there is no such record.
 */
export function selectionIn(pairs: readonly Pair[], whole: Json): Record<string, string[]> | null {
  const parts = pairs.flatMap(({ recorded: { operation, query, seen } }) => {
    if (operation !== 'getUser' || seen.status !== 200 || !/select/.test(query)) return []
    const asked = [...new URLSearchParams(query).values()].join()
    return [{ json: seen.json, words: new Set(asked.split(/\W+/)) }]
  })
  const shrunk = parts.filter(({ json }) => isLess(json, whole))
  const found: Record<string, string[]> = {}
  limits(whole, shrunk, '', found)
  return Object.keys(found).length > 0 ? found : null
}

const isLess = (part: Json, whole: Json): boolean =>
  isObject(part) &&
  isObject(whole) &&
  Object.keys(whole).some((name) => !(name in part) || isLess(part[name], whole[name]))

function limits(whole: Json, parts: readonly Part[], path: string, found: Record<string, string[]>): void {
  if (!isObject(whole) || parts.length === 0) return
  const names = Object.keys(whole)
  const present = names.filter((name) => parts.every(({ json }) => isObject(json) && name in json))
  const kept = present.filter((name) => parts.some(({ words }) => !words.has(name)))
  if (present.length < names.length) found[path] = kept
  for (const name of kept) {
    const below = parts.map(({ json, words }) => ({ json: (json as Record<string, Json>)[name], words }))
    limits(whole[name], below, path === '' ? name : `${path}.${name}`, found)
  }
}
