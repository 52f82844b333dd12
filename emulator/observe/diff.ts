/** The differences between two states. */
import type { AnyRecord, ShownCollection, State } from '../state/collections.js'
import { rowOf, shownCollections } from '../state/collections.js'
import { contains } from './subset.js'

export interface CollectionDiff<R> {
  readonly added: readonly R[]
  readonly removed: readonly R[]
  readonly changed: readonly { readonly before: R; readonly after: R; readonly fields: readonly string[] }[]
}

/** Differences by collection; unchanged collections are absent. The last use of a token does not count. */
export type StateDiff = { readonly [C in ShownCollection]?: CollectionDiff<State[C][number]> }

export function diffStates(before: State, after: State): StateDiff {
  if (shownCollections.some((name) => !(before[name] && after[name])))
    throw new TypeError('diff: it takes whole states, as snapshot() returns them')
  const differences = shownCollections.flatMap((name) => {
    const difference = diffRows(name, before[name], after[name])
    const same = Object.values(difference).every((rows) => rows.length === 0)
    return same ? [] : [[name, difference]]
  })
  return Object.fromEntries(differences) as StateDiff
}

export const identityIn = (name: ShownCollection) => (row: AnyRecord) =>
  JSON.stringify(rowOf(name).identity.map((key) => row[key]))

type Rows = readonly AnyRecord[]

function diffRows(name: ShownCollection, before: Rows, after: Rows): CollectionDiff<AnyRecord> {
  const { incidental = [] } = rowOf(name)
  const identity = identityIn(name)
  const old = new Map(before.map((row) => [identity(row), row]))
  const present = new Set(after.map(identity))
  const differing = (previous: AnyRecord, row: AnyRecord) =>
    Object.keys(row).filter((key) => !incidental.includes(key) && !same(previous[key], row[key]))
  return {
    added: after.filter((row) => !old.has(identity(row))),
    removed: before.filter((row) => !present.has(identity(row))),
    changed: after.flatMap((row) => {
      const previous = old.get(identity(row))
      const fields = previous ? differing(previous, row) : []
      return previous && fields.length > 0 ? [{ before: previous, after: row, fields }] : []
    }),
  }
}

const same = (left: unknown, right: unknown) => contains(left, right) && contains(right, left)
