/**
 * Reads answers whose shape the document does not show. Everything here is opportunistic: what a target does not
 * reveal is never held against it.
 */
import { isObject, type JsonObject, same } from '../oracle/json.js'
import type { Request } from '../oracle/request.js'
import type { Answer } from './call.js'
import type { Entry } from './ledger.js'

export { isObject }

/** The members that show the columns and the value of a setting, until others have shown them. */
export const documented = { columns: 'columns', setting: 'value' }

/** None of what is no object. */
export const membersOf = (json: unknown): JsonObject => (isObject(json) ? json : {})

/** Every value in a JSON document, containers included, depth first. */
export const values = (json: unknown): unknown[] =>
  typeof json === 'object' && json !== null ? [json, ...Object.values(json).flatMap(values)] : [json]

/** Every object in it. */
export const objects = (json: unknown): JsonObject[] => values(json).filter(isObject)

/** All values of a page below members of a name. */
export const below = (json: unknown, name: Pick<RegExp, 'test'>): string[] =>
  objects(json)
    .flatMap((value) => Object.entries(value).filter(([key]) => name.test(key)))
    .flatMap(([, member]) => values(member))
    .filter((one) => typeof one !== 'object')
    .map(String)

/** Whether a text stands anywhere, inside a string or as a member name. */
export const mentions = (json: unknown, text: string): boolean =>
  values(json).some((value) =>
    typeof value === 'string' ? value.includes(text) : isObject(value) && Object.hasOwn(value, text),
  )

/** The innermost objects that have a text as one of their values. */
export const recordsWith = (json: unknown, text: string): JsonObject[] =>
  objects(json).filter((value) => Object.values(value).includes(text))

const pageMember =
  /^(page|page_?(size|number|no|count)|per_?page|total|total_?(count|pages|items)|next|next_?\w+|offset|limit|cursor|has_?more)$/i
const total = /^total(_?(count|items))?$/i
const further = /^(next|next_?\w+|has_?more)$/i

/** Whether a list looks like one page of several, so that another page may have more. */
export function isPaged(json: unknown): boolean {
  const lists = values(json).filter(Array.isArray)
  const lengths = lists.flatMap((list) => (list.length > 0 && list.every(isObject) ? [list.length] : []))
  // Records are left out, since they may have pages and limits of their own.
  const outer = isObject(json) ? [json, ...Object.values(json).filter(isObject)] : []
  const members = outer.flatMap((value) => Object.entries(value)).filter(([name]) => pageMember.test(name))
  const isWhole = members.some(([name, value]) => total.test(name) && lengths.includes(Number(value)))
  if (isWhole && !members.some(([name, value]) => further.test(name) && Boolean(value))) return false
  return members.length > 0 || lengths.some((length) => length >= 50)
}

const idNames = { user: /^(user_?)?id$/i, field: /^((custom_?)?field_?)?id$/i }
const anyId = /^((user|custom_?field|field)_?)?id$/i

/** The identifiers of a record as integers: `id` first, then such as `user_id` or `fieldId`. */
export const idsIn = (record: JsonObject, names = anyId): number[] =>
  Object.entries(record)
    .filter(([name]) => names.test(name))
    .toSorted(([one], [other]) => one.length - other.length)
    .flatMap(([, value]) => integerIn(value))

/** The integer that a value is or writes, in a list. */
export function integerIn(value: unknown): number[] {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [value] : []
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? [Number(value)] : []
}

export const idOf = (record: JsonObject, kind: 'user' | 'field', member = ''): number | null =>
  [...integerIn(record[member]), ...idsIn(record, idNames[kind])][0] ?? null

/**
 * The identifier of the record that has a text as one of its values: its own, or that of the nearest record around
 * it that has any. An envelope can have one too, so it is `sure` in the record alone, and beside its `attributes`.
 */
export function idAround(json: unknown, text: string, kind: 'user' | 'field', member?: string) {
  const places = pointersTo(json, (value) => isObject(value) && Object.values(value).includes(text))
  const found = places.flatMap((place) => {
    const around = recordsAround(json, `${place}/`)
    const nearest = around.findIndex(({ record }) => idOf(record, kind, member) !== null)
    const { record = {}, below = '' } = around[nearest] ?? {}
    const id = idOf(record, kind, member)
    return id === null ? [] : [{ id, sure: nearest === 0 || /^(attributes|fields|properties)$/i.test(below) }]
  })
  return found.find(({ sure }) => sure) ?? found[0] ?? null
}

/** Names of the members that show ids, where they are not usual ones. */
export type IdNames = { readonly [kind in 'user' | 'field']?: string }

/** The name at which ids stand beside the names of users, and of fields, as far as requests have used them. */
export function idNamesIn(requests: readonly Request[]): IdNames {
  const counts = new Map<string, number>()
  for (const { subject, kind, answer } of requests) {
    const members = subject?.id ? recordsWith(answer, subject.name).flatMap(Object.entries) : []
    for (const [name, value] of members) {
      const weight = String(value) === subject?.id ? 1 : Number.NEGATIVE_INFINITY
      counts.set(`${kind} ${name}`, (counts.get(`${kind} ${name}`) ?? 0) + weight)
    }
  }
  const right = [...counts].flatMap(([key, count]) => (count > 0 ? [key.split(' ') as [string, string]] : []))
  return Object.fromEntries(right.toReversed())
}

/** The records around a place, the innermost first, each with the name of its member in which the place is. */
export const recordsAround = (json: unknown, place: string): { record: JsonObject; below: string }[] =>
  [...place.matchAll(/\/([^/]*)/g)].reverse().flatMap(({ 1: below = '', index }) => {
    const record = valueAt(json, place.slice(0, index))
    return isObject(record) ? [{ record, below }] : []
  })

/**
 * The value that a settings page shows for an option, as the member of its record or under its name; undefined when not
 * found.
 */
export function settingIn(json: unknown, option: string, member: string = documented.setting): unknown {
  for (const value of objects(json)) {
    const isPair = member in value && value[member] !== option
    if (isPair && Object.values(value).includes(option)) return value[member]
    const own = Object.hasOwn(value, option) ? value[option] : undefined
    if (own !== undefined && !isObject(own) && !Array.isArray(own)) return own
  }
  return undefined
}

/** The other settings of the list, or the object, in which a settings page has an option; those that are texts. */
export function otherSettingsIn(json: unknown, option: string, member: string) {
  const names = values(json).flatMap((value): unknown[] => {
    if (isObject(value)) return typeof value[option] === 'string' ? Object.keys(value) : []
    const records = Array.isArray(value) ? value.filter(isObject) : []
    const like = records.find((item) => member in item && Object.values(item).includes(option)) ?? {}
    const key = Object.keys(like).find((name) => like[name] === option)
    return key === undefined ? [] : records.map((item) => item[key])
  })
  return [...new Set(names)].flatMap((name) => {
    const value = typeof name !== 'string' || name === option ? undefined : settingIn(json, name, member)
    return typeof value === 'string' ? [{ option: name as string, value }] : []
  })
}

/** Column lists in force, as an answer shows them: a bare list of strings, or a member. */
export const columnLists = (json: unknown, member: string = documented.columns): string[][] =>
  isTextList(json) ? [json] : objects(json).flatMap((one) => textsOf(one[member]))

/** The list itself if it has texts, or the first texts that tell its records or rows apart; empty where there are none. */
function textsOf(list: unknown): string[][] {
  if (isTextList(list)) return [list]
  if (!Array.isArray(list)) return []
  return Object.keys({ ...list[0] })
    .map((name) => list.map((one) => membersOf({ ...one })[name]))
    .filter(isTextList)
    .filter((texts) => new Set(texts).size === texts.length)
    .slice(0, 1)
}

/** Whether an answer shows a value, maybe as a text. */
export const isValue = (shown: unknown, value: unknown): boolean =>
  Array.isArray(value) ? textsOf(shown).some((texts) => same(texts, value)) : String(shown) === String(value)

/** The name of the only member that has come to show a value between two answers; undefined where none or several have. */
export function memberThatBecame(before: unknown, after: unknown, value: unknown): string | undefined {
  const changed = pointersTo(after, (one) => isValue(one, value)).filter((at) => {
    const former = valueAt(before, at)
    return former !== undefined && !isValue(former, value)
  })
  const [at, ...more] = changed
  return more.length === 0 ? at?.split('/').at(-1) : undefined
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')

/** JSON pointers of all values that satisfy a predicate. */
export function pointersTo(json: unknown, wanted: (value: unknown) => boolean, at = ''): string[] {
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : []
  const inside = members.flatMap(([name, value]) => pointersTo(value, wanted, `${at}/${name}`))
  return wanted(json) ? [at, ...inside] : inside
}

/** The value at a pointer of `pointersTo`; undefined where there is none. */
export function valueAt(json: unknown, pointer: string): unknown {
  const isIn = (value: unknown, name: string): value is JsonObject =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  const [, ...names] = pointer.split('/')
  return names.reduce((value, name) => (isIn(value, name) ? value[name] : undefined), json)
}

export const namesOf = ({ name, also }: Entry) => [name, ...also]

/** The words by which a list shows a thing of the run. */
export const wordsOf = ({ name, also, words }: Entry) => (words.length > 0 ? words : [name, ...also])
export const isListed = ({ json }: Answer, entry: Entry) =>
  wordsOf(entry).some((word) => word.trim() !== '' && mentions(json, word))

/** Whether a list shows all fields by their names, and none that could be this one. */
export function lacks(listed: Answer, entry: Entry, known: readonly Entry[]): boolean {
  if (listed.status !== 200 || listed.json === undefined || isListed(listed, entry)) return false
  if (entry.name === '' || isPaged(listed.json)) return false
  // A truncated name may be this thing, unless it is another one of the run.
  const isOther = (text: string) => known.some((one) => one !== entry && namesOf(one).includes(text))
  const isLike = (text: unknown) =>
    typeof text === 'string' && text.toLowerCase().includes(entry.tag) && !isOther(text)
  if (values(listed.json).some(isLike)) return false
  const names = objects(listed.json).flatMap((record) =>
    Object.entries(record).filter(([key]) => /^((custom_?)?field_?)?name$/i.test(key)),
  )
  // A tracker may remove a name that is only markup.
  return names.length > 0 && names.every(([, text]) => typeof text === 'string' && text.trim() !== '')
}

/** Whether an answer shows another thing of the run that already had this name. */
export function isBesideAnother(entry: Entry, known: readonly Entry[], json: unknown): boolean {
  const hasName = (one: Entry) =>
    one !== entry && one.kind === entry.kind && namesOf(one).includes(entry.name)
  return entry.state !== 'done' && known.some(hasName) && !entry.words.some((word) => mentions(json, word))
}
