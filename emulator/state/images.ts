/** Compares states, so that a simulation computes again only what depends on their differences. */
import { memoised } from '../../conformance/contract/memoised.js'
import { type CollectionName, collectionNames } from './collections.js'
import type { Image } from './state.js'

/** All collections but the one that mail changes and that no answer shows. */
const seen = collectionNames.filter((name) => name !== 'notifications')

/** The records that only one of two states has, for each collection that answers show. */
export const differences = memoised((a: Image) =>
  memoised((b: Image): ReadonlyMap<CollectionName, readonly object[]> => {
    const names = seen.filter((name) => a.tables[name] !== b.tables[name])
    const found = names.map((name) => [name, [...onlyIn(a, b, name), ...onlyIn(b, a, name)]] as const)
    return new Map(found.filter(([, records]) => records.length > 0))
  }),
)

function onlyIn(a: Image, b: Image, name: CollectionName): readonly object[] {
  const [rows, others]: [readonly object[], readonly object[]] = [a.tables[name], b.tables[name]]
  return rows.filter((row, at) => row !== others[at] && !others.includes(row))
}

/** The known state if it has the same records; this shows that later answers are the same. */
export const alike = (known: Image | undefined, state: Image): Image =>
  known && (known === state || differences(known)(state).size === 0) ? known : state

/** The state after a call, where a record that equals one of the former state or a known one is the same object. */
export function unified({ lastIds, tables }: Image, before: Image, known: Map<string, object>): Image {
  if (seen.every((name) => tables[name] === before.tables[name])) return before
  const all = Object.entries(tables).map(([name, rows]) => {
    const old = before.tables[name as CollectionName]
    return [name, rows === old ? rows : rows.map((record) => (old.includes(record) ? record : first(record)))]
  })
  return { lastIds, tables: Object.fromEntries(all) }

  function first(record: object): object {
    const text = JSON.stringify(record)
    const found = known.get(text) ?? record
    known.set(text, found)
    return found
  }
}

/** The state after a call that has changed `from` to `to` and does not depend on how `from` differs from `state`. */
export function withEffect(state: Image, from: Image, to: Image): Image {
  const tables = Object.entries(state.tables).map(([table, rows]) => {
    const name = table as CollectionName
    if (from.tables[name] === to.tables[name]) return [name, rows]
    const [gone, made] = [onlyIn(from, to, name), onlyIn(to, from, name)]
    // As many new records as lost ones: they were changed.
    if (gone.length === made.length) return [name, rows.map((row) => made[gone.indexOf(row)] ?? row)]
    return [name, [...rows.filter((row) => !gone.includes(row)), ...made]]
  })
  return { lastIds: to.lastIds, tables: Object.fromEntries(tables) }
}
