/** The changes of a tracker that a test expects, and their comparison with the actual changes. */
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import type { CollectionDiff, StateDiff } from '../observe/diff.js'
import { contains } from '../observe/subset.js'
import { type AnyRecord, type CollectionName, rowOf, shownCollections } from '../state/collections.js'

type RecordOf<D> = D extends CollectionDiff<infer R> ? R : never

/** A number of records, or a part of each record, in their order. */
type Expected<R> = number | readonly Partial<R>[]

/** Collections that are not mentioned must not have changed. Changed records are compared in their new state. */
export type ExpectedChanges = {
  readonly [C in keyof StateDiff]?: { readonly [K in Kind]?: Expected<RecordOf<NonNullable<StateDiff[C]>>> }
}

type Kind = 'added' | 'removed' | 'changed'
const kinds: readonly Kind[] = ['added', 'removed', 'changed']

function rowsOf(diff: StateDiff, collection: string): Record<Kind, readonly AnyRecord[]> {
  const { added = [], removed = [], changed = [] } = diff[collection as keyof StateDiff] ?? {}
  return { added, removed, changed: changed.map(({ after }) => after) }
}

/** Throws one line if there is no such collection or field. */
export function checkExpected(expected: ExpectedChanges): void {
  checked(expectedSchema, expected, 'toHaveChanged', 'collection')
  for (const [collection, changes] of Object.entries(expected)) {
    const place = `toHaveChanged: ${collection}`
    checked(changesSchema, changes, place)
    const { schema } = rowOf(collection as CollectionName)
    for (const [kind, some] of Object.entries(changes))
      if (Array.isArray(some))
        for (const each of some) checked(schema.partial().strict(), each, `${place}.${kind}`)
  }
}

const someRows = z.union([z.number(), z.array(z.unknown())]).optional()
const changesSchema = z.strictObject({ added: someRows, removed: someRows, changed: someRows })
const expectedSchema = z.strictObject(
  Object.fromEntries(shownCollections.map((name) => [name, z.unknown().optional()])),
)

export function agrees(diff: StateDiff, expected: ExpectedChanges): boolean {
  const collections = new Set([...Object.keys(diff), ...Object.keys(expected)])
  return [...collections].every((collection) => {
    const rows = rowsOf(diff, collection)
    const wanted = expected[collection as keyof ExpectedChanges] ?? {}
    return kinds.every((kind) => {
      const some = wanted[kind] ?? 0
      return typeof some === 'number' ? rows[kind].length === some : contains(rows[kind], some)
    })
  })
}

/** `users: 1 added (otto); recipients: 1 removed (Press)`. Names records, but shows no values that may be secret. */
export function diffText(diff: StateDiff): string {
  const parts = Object.keys(diff).map((collection) => {
    const rows = rowsOf(diff, collection)
    const told = kinds
      .filter((kind) => rows[kind].length > 0)
      .map((kind) => `${rows[kind].length} ${kind} (${rows[kind].map(nameOf).join(', ')})`)
    return `${collection}: ${told.join(', ')}`
  })
  return parts.length === 0 ? 'nothing' : parts.join('; ')
}

const nameOf = (row: AnyRecord) =>
  String(row.username ?? row.name ?? row.basename ?? row.option ?? Object.values(row).slice(0, 2).join('/'))
