/** An answer as leaves: the record of one thing, flattened to paths and values. No member is known by name. */
import { arePairs, asRecords, folded, isObject, type JsonObject, labelOf, scalars } from './json.js'
import type { Leaf } from './things.js'

const LONG_LIST = 40
const DEEP = 8

const BETWEEN = /\s*[,;|]\s*/
/** Whether a text is one id, or several in a row. */
export const isJoined = (text: string): boolean => /^\d+(\s*[,;|]\s*\d+)*$/.test(text)

type Texts = ReadonlySet<unknown>
const none: Texts = new Set()

/**
 * The value at each path of a document. In a path, `*` stands for a name of the thing. `options`: names of its settings.
 * `ids`: of its projects; a record with one of them has a path of its own. `linked`: of projects that it may be linked to.
 */
export function leavesOf(json: unknown, names = none, options = none, ids = none, linked = none) {
  const leaves = new Map<string, Leaf>()
  const walk = (value: unknown, path: string, depth: number): void => {
    if (depth > DEEP) return
    if (Array.isArray(value)) walkList(value, path, depth)
    else if (!isObject(value)) {
      leaves.set(path, value as Leaf)
      // A text of the thing itself may hold the ids of several projects, as a list of them does.
      const isOwn = linked.size > 0 && !path.includes('[')
      if (isOwn && typeof value === 'string' && isJoined(value))
        for (const id of value.split(BETWEEN)) leaves.set(`${path}[]∋${id}`, true)
    } else
      for (const [key, one] of Object.entries(value))
        walk(one, `${path}.${names.has(key) ? '*' : key}`, depth + 1)
  }
  const walkList = (all: unknown[], path: string, depth: number): void => {
    if (all.length > LONG_LIST) return
    const list = asRecords(all)
    if (list.every((one) => typeof one !== 'object' || one === null))
      leaves.set(`${path}[]`, list.map(String))
    // Each record may have one text of a list.
    const records = list.every(isObject) ? list : []
    for (const [key, texts] of textsByMember(records)) leaves.set(`${path}[].${key}`, texts)
    const label = memberApart(records, names, options)
    const isPaired = arePairs(list)
    for (const [index, one] of list.entries()) {
      const place = label && isObject(one) ? `${path}[${label}=${one[label]}]` : `${path}[${index}]`
      walk(one, place, depth + 1)
      // The record of the thing itself may have a flag or a number that equals an id.
      const shown = isObject(one) ? Object.values(one) : []
      const id = scalars(one).some((value) => names.has(value))
        ? undefined
        : shown.find((value) => ids.has(String(value)))
      if (id !== undefined) walk(one, `${path}[=${id}]`, depth + 1)
      // The presence in a list matters more than the index. Values of several types are no ids.
      for (const [member, part] of isPaired ? [] : partsOf(one))
        leaves.set(`${path}[].${member}∋${part}`, true)
    }
  }
  walk(json, '', 0)
  return leaves
}

/** The texts of each member that is a text in all records of a list. */
function textsByMember(records: readonly JsonObject[]): (readonly [string, string[]])[] {
  const all = Object.keys(records[0] ?? {}).map((key) => [key, records.map((one) => one[key])] as const)
  return all.filter((one): one is [string, string[]] => one[1].every((value) => typeof value === 'string'))
}

/** The texts and numbers of an element, with the member that holds each. */
function* partsOf(element: unknown): Generator<[member: string, part: string | number]> {
  // A number beside a list is how many records the list has.
  const isRecord = (value: unknown) => isObject(value) && !Object.values(value).some(Array.isArray)
  for (const [member, value] of isObject(element) ? Object.entries(element) : [['', element] as const])
    for (const part of isRecord(value) ? Object.values(value as JsonObject) : [value])
      if (typeof part === 'string' || typeof part === 'number') yield [member, part]
}

/** The member whose texts tell the records of a list apart, as `option` does in a list of settings. */
function memberApart(records: readonly JsonObject[], names: Texts, options: Texts): string | undefined {
  const [only, ...others] = records
  if (only && others.length === 0) return Object.keys(only).find((key) => options.has(only[key]))
  return labelOf(records, (text) => text !== '' && !names.has(text))
}

/** The records of a document with one of these names, the fullest first: elements of lists, or values under the name as their key. */
export function recordsOf(json: unknown, names: Iterable<string>): unknown[] {
  const wanted = new Set([...names].map(folded))
  const isName = (value: unknown) => typeof value === 'string' && wanted.has(folded(value))
  const bears = (value: JsonObject, depth = 2): boolean =>
    Object.values(value).some(
      (one) =>
        isName(one) ||
        (isObject(one) && depth > 0 && bears(one, depth - 1)) ||
        (Array.isArray(one) && one.length < 4 && one.some(isName)),
    )
  const hasPairs = (value: JsonObject) =>
    Object.values(value).some((one) => Array.isArray(one) && arePairs(one) && one.some((pair) => bears(pair)))
  const found: unknown[] = []
  const search = (value: unknown, isElement: boolean): void => {
    if (Array.isArray(value)) {
      // A row of a table is a record without member names.
      if (isElement && value.length > 1 && value.some(isName)) found.push({ ...value })
      else for (const one of value) search(one, true)
    } else if (isObject(value)) {
      if ((isElement && bears(value)) || hasPairs(value)) found.push(value)
      else
        for (const [key, one] of Object.entries(value))
          if (isName(key) && isObject(one)) found.push({ '': key, ...one })
          else search(one, false)
    } else if (isElement && isName(value)) found.push(value)
  }
  search(json, false)
  return found.toSorted((a, b) => scalars(b).length - scalars(a).length)
}
