/** The shape of a success body: names and types, without values, as far as values cannot change it. */
import { isObject } from '../../oracle/json.js'

type Json = unknown

/** What is made of an object is made once. */
export function memoised<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<object, V>()
  return (key) => {
    if (typeof key !== 'object' || key === null) return make(key)
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** What two bodies have in common in shape, from 0 to 1; 1 where nothing but values can be told apart. */
export function likeness(a: Json, b: Json): number {
  const left = shapePaths(a)
  const right = shapePaths(b)
  const all = new Set([...left.keys(), ...right.keys()])
  let same = 0
  let counted = 0
  for (const path of all) {
    const [one, other] = [left.get(path), right.get(path)]
    // A list that is empty on one side says nothing of its items.
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

/** Looked at once: an answer of a target is compared with thousands. */
const shapePaths = memoised((json) => pathsOf(shapeOf(json)))

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

type Shape =
  | { readonly kind: 'list'; readonly item: Shape | null }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, { shape: Shape; optional: boolean }> }
  | { readonly kind: 'null' | 'string' | 'number' | 'boolean' }

export function shapeOf(value: Json): Shape {
  if (Array.isArray(value))
    return {
      kind: 'list',
      item: value.map(shapeOf).reduce<Shape | null>((all, one) => (all ? merged(all, one) : one), null),
    }
  if (isObject(value))
    return {
      kind: 'object',
      members: new Map(
        Object.entries(value).map(([name, member]) => [name, { shape: shapeOf(member), optional: false }]),
      ),
    }
  if (value === null || value === undefined) return { kind: 'null' }
  return { kind: typeof value as 'string' }
}

/** One shape for all items of a list; members that some lack are optional. */
function merged(a: Shape, b: Shape): Shape {
  if (a.kind === 'null') return b
  if (b.kind === 'null') return a
  if (a.kind === 'list' && b.kind === 'list')
    return { kind: 'list', item: a.item && b.item ? merged(a.item, b.item) : (a.item ?? b.item) }
  if (a.kind !== 'object' || b.kind !== 'object') return a
  const members = new Map<string, { shape: Shape; optional: boolean }>()
  for (const name of new Set([...a.members.keys(), ...b.members.keys()])) {
    const [one, other] = [a.members.get(name), b.members.get(name)]
    const optional = !one || !other || one.optional || other.optional
    const shape = one && other ? merged(one.shape, other.shape) : (one ?? other)?.shape
    if (shape) members.set(name, { shape, optional })
  }
  return { kind: 'object', members }
}

function pathsOf(
  shape: Shape,
  at = '',
  optional = false,
  into = new Map<string, string>(),
): Map<string, string> {
  into.set(at, `${shape.kind}${optional ? '?' : ''}`)
  if (shape.kind === 'list' && shape.item) pathsOf(shape.item, `${at}/*`, false, into)
  if (shape.kind === 'object')
    for (const [name, member] of shape.members)
      pathsOf(member.shape, `${at}/${name}`, member.optional || optional, into)
  return into
}

/** Pointer and value of everything that is neither list nor object. */
export const leavesOf = memoised((json) => leavesIn(json))

function leavesIn(value: Json, at = '', into = new Map<string, Json>()): Map<string, Json> {
  if (typeof value !== 'object' || value === null) into.set(at, value)
  else for (const [name, member] of Object.entries(value)) leavesIn(member, `${at}/${name}`, into)
  return into
}
