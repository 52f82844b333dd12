/** What differs between two states. */
import type { CollectionName, State } from '../state/store.js'
import { contains } from './subset.js'

/** Mail is looked at in the outbox, so it is not part of a difference. */
type Compared = Exclude<CollectionName, 'notifications'>

export interface CollectionDiff<R> {
  readonly added: readonly R[]
  readonly removed: readonly R[]
  readonly changed: readonly {
    readonly before: R
    readonly after: R
    /** Names of the fields that differ. */
    readonly fields: readonly string[]
  }[]
}

/** By collection; one without a difference is not there. When a token was last used does not count. */
export type StateDiff = { readonly [C in Compared]?: CollectionDiff<State[C][number]> }

/** Which fields tell which record it is. */
export const identities: Readonly<Record<Compared, readonly string[]>> = {
  users: ['id'],
  tokens: ['id'],
  projects: ['id'],
  memberships: ['user_id', 'project_id'],
  customFields: ['id'],
  customFieldLinks: ['field_id', 'project_id'],
  plugins: ['basename'],
  recipients: ['id'],
  columnConfigurations: ['user_id', 'project_id', 'type'],
  userSettings: ['user_id', 'option'],
  extensionSettings: ['option'],
}

type Row = Readonly<Record<string, unknown>>

export function diffStates(before: State, after: State): StateDiff {
  const differences = Object.entries(identities).flatMap(([name, keys]) => {
    const difference = diffRows(before[name as Compared], after[name as Compared], keys)
    const same = Object.values(difference).every((rows) => rows.length === 0)
    return same ? [] : [[name, difference]]
  })
  return Object.fromEntries(differences) as StateDiff
}

function diffRows(
  before: readonly Row[],
  after: readonly Row[],
  keys: readonly string[],
): CollectionDiff<Row> {
  const identity = (row: Row) => JSON.stringify(keys.map((key) => row[key]))
  const old = new Map(before.map((row) => [identity(row), row]))
  const present = new Set(after.map(identity))
  return {
    added: after.filter((row) => !old.has(identity(row))),
    removed: before.filter((row) => !present.has(identity(row))),
    changed: after.flatMap((row) => {
      const previous = old.get(identity(row))
      const fields = previous ? differingFields(previous, row) : []
      return previous && fields.length > 0 ? [{ before: previous, after: row, fields }] : []
    }),
  }
}

const differingFields = (before: Row, after: Row) =>
  Object.keys(after).filter((key) => key !== 'used_at' && !same(before[key], after[key]))

const same = (left: unknown, right: unknown) => contains(left, right) && contains(right, left)
