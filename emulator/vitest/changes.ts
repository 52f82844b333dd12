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

function rowsOf(diff: StateDiff, collection: string) {
  const { added = [], removed = [], changed = [] } = diff[collection as keyof StateDiff] ?? {}
  const whole = (row: AnyRecord) => ({ row, fields: [] as readonly string[] })
  const present = changed.map(({ after, fields }) => ({ row: after as AnyRecord, fields }))
  return { added: added.map(whole), removed: removed.map(whole), changed: present }
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
      const actual = rows[kind].map(({ row }) => row)
      return typeof some === 'number' ? actual.length === some : contains(actual, some)
    })
  })
}

/** `users: 1 added (otto), 1 changed (nina: realname "N")`, with what changed or was expected, but no secrets. */
export function diffText(diff: StateDiff, expected: ExpectedChanges = {}): string {
  const parts = Object.keys(diff).map((name) => {
    const collection = name as keyof StateDiff
    const { secret } = rowOf(collection)
    const rows = rowsOf(diff, collection)
    const told = kinds.flatMap((kind) => {
      const some = expected[collection]?.[kind]
      const asked = typeof some === 'object' ? some.flatMap(Object.keys) : []
      const texts = rows[kind].map(({ row, fields }) => {
        const shown = (member: string) => (member === secret ? '(not shown)' : JSON.stringify(row[member]))
        const values = [...new Set([...fields, ...asked])].map((member) => `${member} ${shown(member)}`)
        return nameOf(row) + (values.length > 0 ? `: ${values.join(', ')}` : '')
      })
      return texts.length > 0 ? [`${texts.length} ${kind} (${texts.join('; ')})`] : []
    })
    return `${name}: ${told.join(', ')}`
  })
  return parts.length === 0 ? 'nothing' : parts.join('; ')
}

const nameOf = (row: AnyRecord) =>
  String(row.username ?? row.name ?? row.basename ?? row.option ?? Object.values(row).slice(0, 2).join('/'))
