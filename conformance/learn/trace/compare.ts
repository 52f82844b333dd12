/** How far two answers to one call agree, apart from what must differ: ids, times and tokens. */
import { isDeepStrictEqual } from 'node:util'
import { memoised } from '../../contract/memoised.js'
import { isObject, type JsonObject } from '../../oracle/json.js'
import type { Recorded, Seen } from './recorded.js'

const isError = ({ status }: Seen) => status >= 400

/** Undefined in a respect that is only of errors, or only of successes, unless both answers are. */
export function agreement(a: Seen, b: Seen) {
  const errors = isError(a) && isError(b)
  const successes = !isError(a) && !isError(b)
  return {
    status: a.status === b.status,
    code: errors ? codeOf(a) === codeOf(b) : undefined,
    errorBody: errors ? isDeepStrictEqual(masked(a.json), masked(b.json)) : undefined,
    shape: successes ? likeness(a.json, b.json) === 1 : undefined,
  }
}

export type Agreement = ReturnType<typeof agreement>

/** All masked texts are alike, whichever secrets they stand for. */
const masked = (json: unknown) =>
  JSON.parse(JSON.stringify(json ?? null).replace(/"SECRET\.[\d.]+"/g, '"SECRET"'))

const codeOf = ({ json }: Seen): unknown => (isObject(json) ? json.code : undefined)

/** How much two answers differ: the status counts most, then the code, then the form, then the values. */
export function distance({ seen: x }: Pick<Recorded, 'seen'>, y: Seen): number {
  let sum = 0
  if (x.status !== y.status) sum += 100
  // A refusal for another reason is nearer than no refusal, whatever the two answers say.
  if (isError(x) !== isError(y)) sum += 30
  if (isError(x) && isError(y)) {
    if (codeOf(x) !== codeOf(y)) sum += 20
    const [left, right] = [x.json, y.json]
    const names = (json: unknown) => (isObject(json) ? Object.keys(json).sort().join() : '')
    if (names(left) !== names(right)) sum += 5
    const sameText = (name: string) => isObject(left) && isObject(right) && left[name] === right[name]
    for (const name of ['message', 'localized']) if (!sameText(name)) sum += 1
    if (!isDeepStrictEqual(x.json, y.json)) sum += 0.5
  }
  if (!isError(x) && !isError(y))
    sum +=
      10 * (1 - likeness(x.json, y.json)) +
      3 * valueDistance(x.json, y.json) +
      (orderIn(x.json) === orderIn(y.json) ? 0 : 0.3) +
      3 * sizeDistance(x.json, y.json)
  return sum + headerDistance(x, y)
}

/** The share of values at the same place that differ; two times differ where their formats differ. */
function valueDistance(a: unknown, b: unknown): number {
  const found = { common: 0, others: 0 }
  compare(a, b)
  return found.common === 0 ? 0 : found.others / found.common

  function compare(one: unknown, other: unknown): void {
    if (isBranch(one) && isBranch(other)) {
      // A list has members of its own, such as `length`.
      const names = new Set(Object.keys(other))
      for (const name of Object.keys(one)) if (names.has(name)) compare(one[name], other[name])
    } else if (!isBranch(one) && !isBranch(other)) {
      found.common += 1
      if (isTime(one) && isTime(other) ? formOf(one) !== formOf(other) : one !== other) found.others += 1
    }
  }
}

/** Whether a value is a list or an object. */
const isBranch = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

const isTime = (value: unknown) =>
  (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) || (typeof value === 'number' && value > 1e9)

const formOf = (time: unknown) => String(time).replace(/\d/g, '0')

/** How much more one answer shows than the other, from 0 to 1: it tells a page from the whole list, and a part from a record. */
function sizeDistance(a: unknown, b: unknown): number {
  const [left, right] = [sizeOf(a), sizeOf(b)]
  return 1 - (Math.min(left, right) + 1) / (Math.max(left, right) + 1)
}

const orderIn = memoised((json: unknown) => JSON.stringify(orderOf(json)))

/** How many values a body has that are neither lists nor objects. */
const sizeOf = memoised((json: unknown): number =>
  isBranch(json) ? Object.values(json).reduce((sum: number, value) => sum + sizeOf(value), 0) : 1,
)

/** The names of the members in their order; for a list, those of its first item. */
function orderOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [orderOf(value[0])]
  return isObject(value) ? Object.entries(value).map(([name, member]) => [name, orderOf(member)]) : 0
}

/** The number of headers that differ, of those that decisions control; only their constant parts are compared. */
function headerDistance(a: Seen, b: Seen): number {
  const right = headerWords(b)
  return headerWords(a).filter((word, index) => word !== right[index]).length
}

const headerWords = memoised(({ headers }: Seen) => [
  headers['content-type']?.replace(/\s/g, '').toLowerCase() ?? '',
  headers['www-authenticate'] ?? '',
  ...['cache-control', 'etag', 'x-mantis-version', 'set-cookie'].map((name) => String(name in headers)),
])

/** The type at each path of a body, and whether some items of a list lack it. All items of a list share the path `*`. */
type Shape = ReadonlyMap<string, Place>
type Place = Readonly<{ kind: string; isOptional: boolean }>

/** How similar the shapes of two bodies are, from 0 to 1; 1 where only their values differ. */
export function likeness(a: unknown, b: unknown): number {
  const [left, right] = [shapeOf(a), shapeOf(b)]
  const all = new Set([...left.keys(), ...right.keys()])
  const hidden = [...all].filter((path) => isHidden(path, left, right)).map((path) => `${path}/`)
  let [equal, of] = [0, 0]
  for (const path of all) {
    if (isLackedByOne(path, left, right) || hidden.some((start) => path.startsWith(start))) continue
    const [one, other] = [left.get(path), right.get(path)]
    of += 1
    if (one && other && (one.kind === other.kind || [one.kind, other.kind].includes('null'))) equal += 1
  }
  return of === 0 ? 1 : equal / of
}

/** Whether only one of two bodies has a member that some items of a list lack. */
function isLackedByOne(path: string, left: Shape, right: Shape): boolean {
  const [one, other] = [left.get(path), right.get(path)]
  return (one ?? other)?.isOptional === true && !(one && other)
}

/** A null has no members to compare, and a list that is empty or absent on one side has no items. */
function isHidden(path: string, left: Shape, right: Shape): boolean {
  const kinds = [left, right].map((shape) => shape.get(path)?.kind)
  const isEmpty = kinds.every((kind) => kind === 'list') && left.has(`${path}/*`) !== right.has(`${path}/*`)
  return isEmpty || isLackedByOne(path, left, right) || (kinds.includes('null') && !kinds.includes(undefined))
}

/** Computed once for each body, because an answer of a target is compared with thousands. */
const shapeOf = memoised((json: unknown): Shape => placesIn([json]))

const kindOf = (value: unknown) =>
  Array.isArray(value) ? 'list' : value === null || value === undefined ? 'null' : typeof value

function placesIn(all: readonly unknown[], path = '', isOptional = false, found = new Map<string, Place>()) {
  const kind = all.map(kindOf).find((one) => one !== 'null') ?? 'null'
  const alike = all.filter((value) => kindOf(value) === kind)
  found.set(path, { kind, isOptional })
  const items = kind === 'list' ? alike.flat() : []
  if (items.length > 0) placesIn(items, `${path}/*`, false, found)
  const objects = alike.filter(isObject)
  for (const name of new Set(objects.flatMap(Object.keys))) {
    const given = objects.filter((one) => name in one)
    const below = given.map((one) => one[name])
    placesIn(below, `${path}/${name}`, isOptional || given.length < objects.length, found)
  }
  return found
}

/** The path and value of everything that is neither a list nor an object. */
export function leavesOf(value: unknown, at = '', into = new Map<string, unknown>()): Map<string, unknown> {
  if (isBranch(value))
    for (const [name, member] of Object.entries(value)) leavesOf(member, `${at}/${name}`, into)
  else into.set(at, value)
  return into
}
