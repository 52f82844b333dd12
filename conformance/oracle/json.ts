/** JSON values of unknown shape. */
import { memoised, memoisedByText } from '../contract/memoised.js'

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isInteger = (value: unknown): value is number => Number.isInteger(value)

/** As `JSON.parse`, but each object has a text, also one with a member called `toString` or `valueOf`. */
export const fromJson = (text: string): unknown =>
  JSON.parse(text, /toString|valueOf|\\u/.test(text) ? withText : undefined)

const withText = (_: string, value: unknown) =>
  isObject(value) && ['toString', 'valueOf'].some((name) => Object.hasOwn(value, name))
    ? Object.defineProperty(value, Symbol.toPrimitive, { value: () => '[object Object]' })
    : value

/** The greatest depth of nesting that is read. */
const MOST_LEVELS = 500

/**
 * undefined: the text is not JSON. JSON that is nested too deeply reads as null. Nobody may change the value: many answers of
 * a trace have the same text, and each is read several times.
 */
export const parsed = memoisedByText((text): unknown => {
  try {
    const value = fromJson(text)
    const mayBeDeep = text.length > 2 * MOST_LEVELS && text.split(/[[{]/, MOST_LEVELS).length === MOST_LEVELS
    return mayBeDeep && isDeep(value) ? null : value
  } catch {
    return undefined
  }
})

/** The JSON of an answer, also of an object in a text. An object with a number as the name of each record is a list of the records. */
export const answerIn = (text: string): unknown =>
  /"\d+"\s*:\s*\{|"\{\\"/.test(text) ? withLists(parsed(text)) : parsed(text)

function withLists(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withLists)
  if (typeof json === 'string' && json.startsWith('{"')) return parsed(json) ?? json
  if (!isObject(json)) return json
  const members = Object.entries(json).map(([name, value]) => [name, withLists(value)] as const)
  const isRecord = ([name, value]: (typeof members)[number]) => /^\d+$/.test(name) && isObject(value)
  if (members.length === 0 || !members.every(isRecord)) return withText('', Object.fromEntries(members))
  return members.map(([name, value]) => {
    const isTold = Object.values(value as JsonObject).some((one) => String(one) === name)
    return isTold ? value : withText('', { '': name, ...(value as object) })
  })
}

function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= MOST_LEVELS; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    if (level.length === 0) return false
  }
  return true
}

/** Texts are compared without blanks at their ends and without regard to case. */
export const folded = (value: unknown): string => String(value).trim().toLowerCase()

/** A value, cut for use in a sentence. */
export const brief = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing'

/** Whether two values are equal; the members of an object have no order. */
export function same(a: unknown, b: unknown): boolean {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)]
  return one === other || (one?.length === other?.length && orderedText(a) === orderedText(b))
}

/** The JSON text of a value, with the members of each object in the order of their names. */
const orderedText = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(byName)) : one,
  )

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)

/** Every text and number in a document, in order. */
export const scalars = memoised((json: unknown): readonly (string | number)[] => {
  const found: (string | number)[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') found.push(value)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one)
  }
  collect(json)
  return found
})

/** A list, or the rows of a table as records with numbers as names. */
export const asRecords = (list: unknown[]): unknown[] =>
  list.every(Array.isArray) ? list.map((row) => ({ ...row })) : list

/** Whether the elements are names with values of several types. A name may be a number, too. */
export function arePairs(list: readonly unknown[]): boolean {
  if (!list.every((one) => isObject(one) && Object.keys(one).length === 2)) return false
  const isNumber = (value: unknown) => /^\d+$/.test(String(value))
  const typeOf = (value: unknown, at: number) => (isNumber(value) ? ['string', 'number'][at] : typeof value)
  const types = list.map((one) => Object.values(one as JsonObject).map(typeOf))
  return new Set(types.map(String)).size > 1
}

/** The outermost lists of a document, those of texts behind the others. The attributes of a thing are no list of things. */
export function listsIn(json: unknown): unknown[][] {
  if (Array.isArray(json)) return arePairs(json) ? [] : [asRecords(json)]
  const all = isObject(json) ? Object.values(json).flatMap(listsIn) : []
  return all.toSorted((a, b) => Number(isOfTexts(a)) - Number(isOfTexts(b)))
}
const isOfTexts = ([one]: readonly unknown[]) => typeof one === 'string'

/** A document without its lists of several records, which may be about other things than the document. */
export function withoutLists(json: unknown): unknown {
  if (Array.isArray(json)) return json.length > 1 && json.every(isObject) ? [] : json.map(withoutLists)
  if (!isObject(json)) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withoutLists(value)]))
}

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/**
 * A member whose texts tell the records of a list apart, preferably one that is called a name; undefined where there is none.
 * The order of the members decides only between members that are called alike.
 */
export function labelOf(records: readonly JsonObject[], isLabel = (_text: string) => true) {
  const labels = Object.keys(records[0] ?? {}).filter((key) => {
    const values = new Set(records.map((one) => one[key]))
    return (
      values.size === records.length && [...values].every((one) => typeof one === 'string' && isLabel(one))
    )
  })
  return labels.find((key) => /(name|option|key|label|title)$/i.test(key)) ?? labels[0]
}

/** The records of a list by the text that tells them apart, in order; empty where there is none. */
export function byLabel(list: readonly unknown[] = []): Map<string, JsonObject> {
  const records = list.filter(isObject)
  const label = labelOf(records)
  return new Map(label === undefined ? [] : records.map((one) => [String(one[label]), one]))
}
