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

/** Names and types of a body without its values. All items of a list share one shape, under the name `*`. */
interface Shape {
  readonly kind: string
  readonly members: ReadonlyMap<string, Shape>
  /** Whether some items of a list lack it. */
  readonly isOptional: boolean
}

/** How similar the shapes of two bodies are, from 0 to 1; 1 where only their values differ. */
export function likeness(a: Json, b: Json): number {
  const { equal, of } = compared(shapeOf(a), shapeOf(b))
  return of === 0 ? 1 : equal / of
}

/** Computed once for each body, because an answer of a target is compared with thousands. */
const shapeOf = memoised((json: Json) => merged([json]))

const kindOf = (value: Json) =>
  Array.isArray(value) ? 'list' : value === null || value === undefined ? 'null' : typeof value

function merged(values: readonly Json[], isOptional = false): Shape {
  const kind = values.map(kindOf).find((one) => one !== 'null') ?? 'null'
  const alike = values.filter((value) => kindOf(value) === kind)
  const items = kind === 'list' ? alike.flat() : []
  const members = new Map<string, Shape>(items.length > 0 ? [['*', merged(items)]] : [])
  const objects = alike.filter(isObject)
  for (const name of new Set(objects.flatMap(Object.keys))) {
    const given = objects.filter((one) => name in one)
    const isMissing = isOptional || given.length < objects.length
    members.set(
      name,
      merged(
        given.map((one) => one[name]),
        isMissing,
      ),
    )
  }
  return { kind, members, isOptional }
}

/** How many places of two shapes can be compared, and how many of them have the same type. */
function compared(a: Shape | undefined, b: Shape | undefined): { equal: number; of: number } {
  if (!a || !b) return { equal: 0, of: sizeOf(a ?? b) }
  const isUnknown = a.kind === 'null' || b.kind === 'null'
  const sum = { equal: isUnknown || a.kind === b.kind ? 1 : 0, of: 1 }
  // A null has no members to compare, and a list that is empty on one side has no items.
  const areLists = a.kind === 'list' && b.kind === 'list'
  const isEmpty = isUnknown || (areLists && (a.members.size === 0 || b.members.size === 0))
  for (const name of isEmpty ? [] : new Set([...a.members.keys(), ...b.members.keys()])) {
    const { equal, of } = compared(a.members.get(name), b.members.get(name))
    sum.equal += equal
    sum.of += of
  }
  return sum
}

const sizeOf = (shape: Shape | undefined): number =>
  shape === undefined || shape.isOptional
    ? 0
    : [...shape.members.values()].reduce((sum, member) => sum + sizeOf(member), 1)

/** The path and value of everything that is neither a list nor an object. */
export const leavesOf = memoised((json) => leavesIn(json))

function leavesIn(value: Json, at = '', into = new Map<string, Json>()): Map<string, Json> {
  if (typeof value !== 'object' || value === null) into.set(at, value)
  else for (const [name, member] of Object.entries(value)) leavesIn(member, `${at}/${name}`, into)
  return into
}
