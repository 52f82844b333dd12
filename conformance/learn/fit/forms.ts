/** The forms of success bodies, as templates that take their values from the emulator's data on the same things. */
import { isDeepStrictEqual } from 'node:util'
import { at, holds } from '../../contract/templates.js'
import { groupBy, isObject, type JsonObject, labelOf } from '../../oracle/json.js'
import type { Pair } from '../copy/emulator.js'
import { likeness } from '../trace/compare.js'
import { leafTemplate, listPaths, type Sample } from './leaves.js'

type Json = unknown

/** A whole success body of the target. */
interface Shown extends Sample {
  readonly features: readonly string[]
  /** Whether the simulator's body has the same shape. */
  readonly same: boolean
}

/** Makes a template for each operation of which a third of the success bodies, or more, have another shape; new ones for `again`. */
export function inducedForms(pairs: readonly Pair[], again: readonly string[] = []): Record<string, Json> {
  const shown = pairs.flatMap(({ recorded, replayed }): (Shown & { operation: string })[] => {
    const { operation, suffix, query, seen } = recorded
    const { seen: own, cause } = replayed
    const isServed = seen.status === 200 && own.status === 200 && suffix === undefined
    // A selection shows only a part of the body.
    if (!isServed || cause?.source === undefined || /select/.test(query) || seen.json === undefined) return []
    const { source, features } = cause
    // An empty list and a filled one are different forms, although the comparison of shapes takes them for the same.
    const same = likeness(seen.json, own.json) === 1 && isNothing(seen.json) === isNothing(own.json)
    return [{ operation, value: seen.json, source, features, same }]
  })
  return Object.fromEntries(
    [...groupBy(shown, ({ operation }) => operation)].flatMap(([operation, all]) => {
      const odd = all.filter(({ same }) => !same)
      const others = odd.length > 0.3 * all.length || again.includes(operation)
      const { cases, rest } = casesOf(all)
      const select = operation === 'getUser' ? selectionIn(pairs, all[0]?.value) : null
      if (cases.length === 0 && !select) return others ? [[operation, template(all, '')]] : []
      const form = {
        $cases: cases,
        ...(others && { $else: template(rest, '') }),
        ...(select && { $select: select }),
      }
      return [[operation, form]]
    }),
  )
}

const isNothing = (json: Json) => Array.isArray(json) && json.length === 0

/** Forms for some callers or things, each with a condition that only its own answers fulfil; `rest` has the others. */
function casesOf(all: readonly Shown[]): { cases: Json[]; rest: readonly Shown[] } {
  const cases: Json[] = []
  let rest = all
  while (cases.length < 3) {
    const [, ...unusual] = kindsOf(rest)
    const isOneKind = (some: readonly Shown[]) =>
      unusual.some((kind) => some.every((one) => kind.includes(one)))
    const [best] = conditionsOf(rest)
      .map((when) => ({ when, some: rest.filter(({ features }) => holds(when, new Set(features))) }))
      // One answer to a caller with other rights is enough.
      .filter(({ when: [one = ''], some }) => some.length > (/^caller:/.test(one) ? 0 : 1) && isOneKind(some))
      .sort((a, b) => b.some.length - a.some.length || a.when.length - b.when.length)
    if (!best) break
    cases.push({ when: best.when, shape: template(best.some, '') })
    rest = rest.filter((one) => !best.some.includes(one))
  }
  return { cases, rest }
}

/** Groups of answers with the same shape; the largest group comes first. */
function kindsOf(all: readonly Shown[]): Shown[][] {
  const kinds: Shown[][] = []
  for (const one of all) {
    const kind = kinds.find(([first]) => first && likeness(first.value, one.value) === 1)
    if (kind) kind.push(one)
    else kinds.push([one])
  }
  return kinds.sort((a, b) => b.length - a.length)
}

/** Features on which a form may depend: the caller, the subject, and whether a call of `manageColumns` saves or reads. */
const telling = /^(caller|subject):|^columns:(given|missing)$/

/** The conditions to try: one feature, or one feature without another. */
function conditionsOf(all: readonly Shown[]): string[][] {
  const words = [...new Set(all.flatMap(({ features }) => features.filter((one) => telling.test(one))))]
  return [
    ...words.map((one) => [one]),
    ...words.flatMap((one) => words.filter((other) => other !== one).map((other) => [one, `!${other}`])),
  ]
}

function template(samples: readonly Sample[], name: string, lacking: readonly Json[] = []): Json {
  const present = samples.filter(({ value }) => value !== undefined && value !== null)
  if (present.length === 0) return null
  if (present.every(({ value }) => Array.isArray(value))) return listTemplate(present, name)
  if (present.every(({ value }) => isObject(value))) return objectTemplate(present)
  const leaves = present.filter(({ value }) => typeof value !== 'object')
  const leaf = leafTemplate(leaves, name, lacking)
  // If some records have no value, only a value from the source can be right for the others.
  if (present.length === samples.length || typeof leaf === 'boolean') return leaf
  return isSourced(leaf) ? { ...(leaf as object), $else: null } : null
}

function objectTemplate(samples: readonly Sample[]): Json {
  const table = tableTemplate(samples)
  if (table !== null) return table
  const keys = new Set(samples.flatMap(({ value }) => Object.keys(value as object)))
  const members: Record<string, Json> = {}
  for (const key of keys) {
    const below = samples.map(({ value, source }) => ({ value: (value as JsonObject)[key], source }))
    const given = below.filter(({ value }) => value !== undefined)
    if (given.length === below.length) {
      members[key] = template(below, key)
      continue
    }
    const lacking = below.filter((one) => !given.includes(one)).map(({ source }) => source)
    const optional = template(given, key, lacking)
    // A member that some answers lack is there if its value is in the source, or if at least half of them have it.
    if (isSourced(optional)) members[`${key}?`] = optional
    else if (given.length * 2 >= below.length) members[key] = optional
  }
  return members
}

/** A template for an object that has a member for each row of a list, named by one value of the row; null if it has none. */
function tableTemplate(samples: readonly Sample[]): Json {
  const keysOf = ({ value }: Sample) => Object.keys(value as object)
  const filled = samples.filter((sample) => keysOf(sample).length > 0)
  const alike = new Set(samples.map((sample) => keysOf(sample).sort().join('\n')))
  if (filled.length === 0 || alike.size === 1) return null
  for (const path of new Set(filled.flatMap(({ source }) => listPaths(source)))) {
    const rowsOf = ({ source }: Sample) => rowsAt(source, path).filter(isObject)
    const names = new Set(filled.flatMap(rowsOf).flatMap(Object.keys))
    for (const key of names) {
      const fits = samples.filter((sample) => {
        const given = rowsOf(sample).map((row) => String(row[key]))
        return isDeepStrictEqual(new Set(given), new Set(keysOf(sample)))
      })
      if (fits.length < 0.7 * samples.length || !fits.some((sample) => filled.includes(sample))) continue
      const items = fits.flatMap((sample) =>
        rowsOf(sample).map((row) => ({
          value: (sample.value as JsonObject)[String(row[key])],
          source: { item: row, all: sample.source },
        })),
      )
      return { $from: path, $key: key, $each: template(items, '') }
    }
  }
  return null
}

/** The list at a path of a source; empty where the source has none. */
function rowsAt(source: Json, path: string): readonly Json[] {
  const rows = at(source, path)
  return Array.isArray(rows) ? rows : []
}

const isSourced = (value: Json) => isObject(value) && '$from' in value

function listTemplate(samples: readonly Sample[], name: string): Json {
  const filled = samples.filter(({ value }) => (value as Json[]).length > 0)
  if (filled.length === 0) return []
  const { path: from, isMirrored } = sourceList(samples)
  const fixed = samples[0]?.value as Json[]
  const isWord = (item: Json) => typeof item === 'number' || (typeof item === 'string' && item.length < 40)
  const isFixed = samples.length > 1 && samples.every(({ value }) => isDeepStrictEqual(value, fixed))
  if (from === null && isFixed && fixed.every(isWord)) return fixed
  const positions = isMirrored ? null : positionsTemplate(samples)
  if (positions !== null) return positions
  if (from !== null) {
    // The simulator lacks the things that other scenarios have created.
    const known = filled.flatMap(({ value, source }) =>
      (value as Json[]).flatMap((item) => {
        const row = matching(item, rowsAt(source, from))
        return row === undefined ? [] : [{ value: item, source: { item: row } }]
      }),
    )
    return { $from: from, $each: template(known, name) }
  }
  const items = filled.flatMap(({ value, source }) =>
    (value as Json[]).map((item) => ({ value: item, source })),
  )
  return samples.some(({ value }) => (value as Json[]).length === 0) ? [] : [template(items, name)]
}

/** A template for each position, if a text tells in every answer which record stands there, as in the fields of a form. */
function positionsTemplate(samples: readonly Sample[]): Json[] | null {
  const lists = samples.map(({ value }) => (value as Json[]).filter(isObject))
  const [first = []] = lists
  const label = labelOf(first) ?? ''
  const textsOf = (list: readonly JsonObject[]) => list.map((one) => one[label])
  const isLike = (list: readonly JsonObject[]) => isDeepStrictEqual(textsOf(list), textsOf(first))
  if (samples.length < 2 || first.length < 2 || label === '' || !lists.every(isLike)) return null
  return first.map((_, index) =>
    objectTemplate(samples.map(({ source }, at) => ({ value: lists[at]?.[index], source }))),
  )
}

/** The path of the source's list that the target's shows, or null. `isMirrored`: both lists are mostly equally long. */
function sourceList(samples: readonly Sample[]): { path: string | null; isMirrored: boolean } {
  const lengthOf = ({ value }: Sample) => (value as Json[]).length
  const filled = samples.filter((one) => lengthOf(one) > 0)
  const paths = [...new Set(filled.flatMap(({ source }) => listPaths(source)))]
  const [best] = paths
    .map((path) => {
      const rowsOf = ({ source }: Sample) => rowsAt(source, path)
      const items = filled.flatMap((one) => (one.value as Json[]).map((item) => matching(item, rowsOf(one))))
      const hits = items.filter((row) => row !== undefined).length
      const isAsLong = (one: Sample) => rowsOf(one).length === lengthOf(one)
      // A list of all things is not the list of those that belong to one.
      const isTooLong = (one: Sample) => lengthOf(one) === 0 && rowsOf(one).length > 0
      const isLikely = hits * 2 > items.length && samples.filter(isTooLong).length * 2 < samples.length
      const asLong = samples.filter(isAsLong).length
      return { path, isLikely, isMirrored: asLong * 2 > samples.length, score: hits + asLong }
    })
    .filter(({ isLikely }) => isLikely)
    .sort((a, b) => b.score - a.score)
  return best ?? { path: null, isMirrored: false }
}

/** The row that an item of the target's list most likely shows; undefined where there is none. */
function matching(item: Json, rows: readonly Json[]): Json {
  if (!isObject(item))
    return rows.find(
      (row) =>
        row === item || (isObject(row) && Object.values(row).some((value) => String(value) === String(item))),
    )
  const telling = Object.values(item).filter(
    (value) => (typeof value === 'string' && value.length > 1) || (typeof value === 'number' && value > 1),
  )
  const hits = (row: Json) =>
    isObject(row) ? telling.filter((value) => Object.values(row).includes(value)).length : 0
  const most = Math.max(1, ...rows.map(hits))
  return rows.find((row) => hits(row) === most)
}

/** An answer to a selection, with the words of its query. */
type Part = Readonly<{ json: Json; words: ReadonlySet<string> }>

/** The members that stay in answers to a selection that did not ask for them, by the path of their record; null without any. */
export function selectionIn(pairs: readonly Pair[], whole: Json): Record<string, string[]> | null {
  const answers = pairs.flatMap(({ recorded: { operation, query, caller, seen } }) => {
    const isServed = operation === 'getUser' && seen.status === 200
    return isServed && isLess(seen.json, whole) ? [{ query, caller, json: seen.json }] : []
  })
  // A caller with fewer rights is shown less without any selection.
  const limited = new Set(answers.map(({ query, caller }) => (query === '' ? caller : '')))
  const parts = answers.flatMap(({ query, caller, json }) => {
    if (!/select/.test(query) || limited.has(caller)) return []
    const asked = [...new URLSearchParams(query).values()].join()
    return [{ json, words: new Set(asked.split(/\W+/)) }]
  })
  const found: Record<string, string[]> = {}
  limits(whole, parts, '', found)
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
    const below = parts.map(({ json, words }) => ({ json: (json as JsonObject)[name], words }))
    limits(whole[name], below, path === '' ? name : `${path}.${name}`, found)
  }
}
