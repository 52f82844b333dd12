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

/** How similar the shapes of two bodies are, from 0 to 1; 1 where only their values differ. */
export function likeness(a: Json, b: Json): number {
  const left = shapePaths(a)
  const right = shapePaths(b)
  const all = new Set([...left.keys(), ...right.keys()])
  let same = 0
  let counted = 0
  for (const path of all) {
    const [one, other] = [left.get(path), right.get(path)]
    // A list that is empty on one side shows no items to compare.
    if (
      (one === undefined && isBelow(path, right, left)) ||
      (other === undefined && isBelow(path, left, right))
    )
      continue
    if ((one ?? other)?.endsWith('?') && (one === undefined || other === undefined)) continue
    counted += 1
    if (one !== undefined && other !== undefined && fits(one, other)) same += 1
  }
  return counted === 0 ? 1 : same / counted
}

/** Computed once for each body, because an answer of a target is compared with thousands. */
const shapePaths = memoised((json: Json) => pathsOf([json]))

const fits = (one: string, other: string) => {
  const [x, y] = [one.replace('?', ''), other.replace('?', '')]
  return x === y || x === 'null' || y === 'null'
}

/** Whether a path lies in a list that has items only on the side `has`, or under a null of the other side. */
function isBelow(
  path: string,
  has: ReadonlyMap<string, string>,
  lacks: ReadonlyMap<string, string>,
): boolean {
  for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
    const above = path.slice(0, at)
    const kind = lacks.get(above)?.replace('?', '')
    if (kind === undefined) {
      if (at === 0) return false
      continue
    }
    if (kind === 'null') return true
    return (
      kind === 'list' &&
      path.slice(at + 1).split('/')[0] === '*' &&
      !lacks.has(`${above}/*`) &&
      has.has(`${above}/*`)
    )
  }
  return false
}

const kindOf = (value: Json) =>
  Array.isArray(value) ? 'list' : value === null || value === undefined ? 'null' : typeof value

/** The kind of value at each path; a `?` marks a member that some items of a list lack. All items share one path. */
function pathsOf(values: readonly Json[], at = '', isOptional = false, into = new Map<string, string>()) {
  const kind = values.map(kindOf).find((one) => one !== 'null') ?? 'null'
  const alike = values.filter((value) => kindOf(value) === kind)
  into.set(at, `${kind}${isOptional ? '?' : ''}`)
  const items = kind === 'list' ? alike.flat() : []
  if (items.length > 0) pathsOf(items, `${at}/*`, false, into)
  const objects = alike.filter(isObject)
  for (const name of new Set(objects.flatMap(Object.keys))) {
    const given = objects.filter((one) => name in one)
    const members = given.map((one) => one[name])
    pathsOf(members, `${at}/${name}`, isOptional || given.length < objects.length, into)
  }
  return into
}

/** The path and value of everything that is neither a list nor an object. */
export const leavesOf = memoised((json) => leavesIn(json))

function leavesIn(value: Json, at = '', into = new Map<string, Json>()): Map<string, Json> {
  if (typeof value !== 'object' || value === null) into.set(at, value)
  else for (const [name, member] of Object.entries(value)) leavesIn(member, `${at}/${name}`, into)
  return into
}
