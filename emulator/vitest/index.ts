/** For tests with vitest: a fresh tracker for each test, and a matcher for its changes. */
import { test as base, expect } from 'vitest'
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import type { CollectionDiff, StateDiff } from '../observe/diff.js'
import { contains } from '../observe/subset.js'
import { type AnyRecord, type CollectionName, rowOf, shownCollections } from '../state/collections.js'
import { each } from '../state/records.js'
import type { State } from '../state/store.js'
import { createTracker } from '../tracker.js'
import type { Tracker, TrackerOptions } from '../types.js'

interface TrackerMatchers<R = unknown> {
  /**
   * Whether the tracker has changed as expected since its start, or since a snapshot: by numbers of records, or parts
   * of each. Collections that are not mentioned must be unchanged. Without an argument: whether anything has changed.
   *
   * @example expect(tracker).toHaveChanged({ users: { added: 1 } })
   */
  toHaveChanged(expected?: ExpectedChanges, since?: State): R
}

declare global {
  namespace Chai {
    // Vitest adds these to its own assertions, whose type parameters differ between versions.
    interface Assertion extends TrackerMatchers<void> {}
  }
}

expect.extend({
  toHaveChanged(tracker: Tracker, expected?: ExpectedChanges, since?: State) {
    if (typeof tracker?.diff !== 'function')
      throw new TypeError('toHaveChanged: it takes a tracker, awaited and whole')
    if (expected !== undefined) checkExpected(expected)
    const diff = tracker.diff(since)
    const pass = expected === undefined ? Object.keys(diff).length > 0 : agrees(diff, expected)
    const wanted = expected === undefined ? 'anything' : JSON.stringify(expected)
    return {
      pass,
      message: () =>
        `expected the tracker ${pass ? 'not ' : ''}to have changed in ${wanted}; it has changed in ${diffText(diff, expected)}`,
    }
  },
})

/**
 * vitest's `test` with the fixture `tracker`: each test has its own tracker in the starting state of the options. A
 * test fails if the emulator itself failed.
 */
export function trackerTest(options: TrackerOptions = {}) {
  let first: Promise<Tracker> | undefined
  return base.extend<{ tracker: Tracker }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures in use from the pattern
    tracker: async ({}, use) => {
      first ??= createTracker(options)
      const tracker = (await first).fork()
      await use(tracker)
      const failed = tracker.journal.find(({ refusal }) => refusal?.condition === 'internal')
      if (failed) throw new Error(`Call ${failed.sequence}, ${failed.operation}: ${failed.refusal?.detail}`)
    },
  })
}

/** `trackerTest` with the defaults. */
export const test = trackerTest()

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
function checkExpected(expected: ExpectedChanges): void {
  checked(expectedSchema, expected, 'toHaveChanged', 'collection')
  for (const [collection, changes] of Object.entries(expected)) {
    const place = `toHaveChanged: ${collection}`
    checked(changesSchema, changes, place)
    const { schema } = rowOf(collection as CollectionName)
    for (const [kind, some] of Object.entries(changes))
      if (Array.isArray(some))
        for (const part of some) checked(schema.partial().strict(), part, `${place}.${kind}`)
  }
}

const error = 'must be a number of records, or a list with parts of them'
const someRows = z.union([z.number(), z.array(z.unknown())], { error }).optional()
const changesSchema = z.strictObject({ added: someRows, removed: someRows, changed: someRows })
const expectedSchema = z.strictObject(each(z.unknown().optional(), ...shownCollections))

function agrees(diff: StateDiff, expected: ExpectedChanges): boolean {
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
function diffText(diff: StateDiff, expected: ExpectedChanges = {}): string {
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
