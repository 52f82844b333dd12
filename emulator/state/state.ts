/** The whole state of a tracker, as JSON that is checked, and as an image that trackers may share. */
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { memoised } from '../../conformance/contract/memoised.js'
import type { AnyRecord, Collation, CollectionName, State } from './collections.js'
import { collectionNames, collections, references, referencesOf, rowOf } from './collections.js'
import { frozen, writableCopy } from './image.js'
import { type LastIds, lastIds } from './records.js'

const SCHEMA = 'tracker-kit/state@1'

export const stateSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  lastIds,
  ...Object.fromEntries(collectionNames.map((name) => [name, z.array(collections[name].schema)])),
})

/** The state in `input`. Throws one line that says what is wrong with it. */
export function parseState(input: unknown, collation: Collation): State {
  const state = checked(stateSchema, input, "Not a tracker's state", 'member') as unknown as State
  checkReferences(state, collation)
  return state
}

/** The records of a tracker at one moment. It needs only a few references, and trackers may share it. */
export interface Image {
  readonly lastIds: LastIds
  readonly tables: Readonly<Record<CollectionName, readonly object[]>>
}

/** The image of a valid state that nobody changes, as `parseState` returns it. Hundreds of trackers start with the same. */
export const imageOf = memoised((state: State): Image => {
  const tables = collectionNames.map((name) => [name, state[name].map((row) => frozen(writableCopy(row)))])
  return { lastIds: { ...state.lastIds }, tables: Object.fromEntries(tables) }
})

/** An image as plain JSON that belongs to the caller alone. */
export const stateOf = ({ lastIds, tables }: Image): State =>
  ({ schema: SCHEMA, lastIds: { ...lastIds }, ...writableCopy(tables) }) as unknown as State

/** Texts are equal only if they are identical. */
const same = (text: string) => text
export const exact: Collation = { username: same, customField: same }

/** Throws at the first record with a broken reference, or with a value that is not unique. */
export function checkReferences(state: State, collation: Collation): void {
  for (const name of collectionNames) unique(state, name, rowOf(name).identity, String)
  checkNames(state, collation)
  for (const name of collectionNames)
    for (const member of referencesOf(rowOf(name))) {
      const known = new Set<unknown>(state[references[member].collection].map(({ id }) => id))
      if (rowOf(name).refersToAll === member) known.add(0)
      const broken = (state[name] as readonly AnyRecord[]).find((row) => !known.has(row[member]))
      if (broken)
        throw new TypeError(`Not a tracker's state: ${name}: ${member} ${broken[member]} does not exist`)
    }
  for (const name of ['users', 'customFields'] as const) {
    const counter = rowOf(name).counter ?? 'user'
    const beyond = state[name].find(({ id }) => id > state.lastIds[counter])
    if (beyond)
      throw new TypeError(
        `Not a tracker's state: lastIds.${counter} is ${state.lastIds[counter]}, and ${beyond.id} is in use`,
      )
  }
}

/** Throws at the first name or secret that occurs twice according to the collation. */
export function checkNames(state: State, collation: Collation): void {
  for (const name of collectionNames) {
    const { unique: rule, secret } = rowOf(name)
    if (rule) {
      const by = rule.collation ? collation[rule.collation] : same
      unique(state, name, [rule.member], (value) => by(String(value)), rule.member === secret)
    }
  }
}

function unique(
  state: State,
  name: CollectionName,
  members: readonly string[],
  textOf: (value: unknown) => string,
  hidden = false,
): void {
  const seen = new Set<string>()
  for (const row of state[name] as readonly AnyRecord[]) {
    const key = members.map((member) => textOf(row[member])).join(', ')
    if (seen.has(key)) {
      const what = new Intl.ListFormat('en-GB').format(members.map((member) => member.replace(/_id$/, '')))
      const value = hidden ? `of one ${name.replace(/s$/, '')}` : `"${key}"`
      throw new TypeError(`Not a tracker's state: ${name}: the ${what} ${value} is there twice`)
    }
    seen.add(key)
  }
}
