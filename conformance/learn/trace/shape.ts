/** The shape of a success body: names and types without values, as far as it does not depend on the values. */
import { isObject } from '../../oracle/json.js'

type Json = unknown

/** Makes the value of each object only once. */
export function memoised<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<object, V>()
  return (key) => {
    if (typeof key !== 'object' || key === null) return make(key)
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** The type at each path of a body. All items of a list share the path `*`. */
type Shape = ReadonlyMap<string, Place>

interface Place {
  readonly kind: string
  /** Whether some items of a list lack it. */
  readonly isOptional: boolean
}

/** How similar the shapes of two bodies are, from 0 to 1; 1 where only their values differ. */
export function likeness(a: Json, b: Json): number {
  const [left, right] = [shapeOf(a), shapeOf(b)]
  const all = new Set([...left.keys(), ...right.keys()])
  const hidden = [...all].filter((path) => isHidden(path, left, right)).map((path) => `${path}/`)
  let [equal, of] = [0, 0]
  for (const path of all) {
    if (hidden.some((start) => path.startsWith(start))) continue
    const [one, other] = [left.get(path), right.get(path)]
    if ((one ?? other)?.isOptional && !(one && other)) continue
    of += 1
    if (one && other && (one.kind === other.kind || [one.kind, other.kind].includes('null'))) equal += 1
  }
  return of === 0 ? 1 : equal / of
}

/** A null has no members to compare, and a list that is empty on one side has no items. */
function isHidden(path: string, left: Shape, right: Shape): boolean {
  const kinds = [left, right].map((shape) => shape.get(path)?.kind)
  const isEmpty = kinds.every((kind) => kind === 'list') && left.has(`${path}/*`) !== right.has(`${path}/*`)
  return isEmpty || (kinds.includes('null') && !kinds.includes(undefined))
}

/** Computed once for each body, because an answer of a target is compared with thousands. */
const shapeOf = memoised((json: Json): Shape => placesIn([json]))

const kindOf = (value: Json) =>
  Array.isArray(value) ? 'list' : value === null || value === undefined ? 'null' : typeof value

function placesIn(values: readonly Json[], path = '', isOptional = false, found = new Map<string, Place>()) {
  const kind = values.map(kindOf).find((one) => one !== 'null') ?? 'null'
  const alike = values.filter((value) => kindOf(value) === kind)
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
export const leavesOf = memoised((json) => leavesIn(json))

function leavesIn(value: Json, at = '', into = new Map<string, Json>()): Map<string, Json> {
  if (typeof value !== 'object' || value === null) into.set(at, value)
  else for (const [name, member] of Object.entries(value)) leavesIn(member, `${at}/${name}`, into)
  return into
}
