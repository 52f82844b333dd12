/** The current state as a starting state in TypeScript, to paste into a test. */
import { diffStates } from '../observe/diff.js'
import { rowOf, type ShownCollection, type State } from '../state/collections.js'
import { exact } from '../state/state.js'
import { draftOf, type Row } from './draft.js'
import { filled, keysOf, type PartialSeed, seeds, stateOfSeed } from './seed.js'

/** The difference from the default starting state; the whole state if a difference cannot express it, as after a removal. */
export async function seedOf(state: State): Promise<PartialSeed | State> {
  const base = seeds.small as State
  const parts = Object.entries(diffStates(base, state)).map(([name, { added, changed, removed }]) => {
    const collection = name as ShownCollection
    const { identity } = rowOf(collection)
    const keys = keysOf(collection)
    const some = (row: Row, fields: readonly string[]) =>
      Object.fromEntries(fields.map((field) => [field, row[field]]))
    /** The record without what a seed fills in. */
    const short = (row: Row) => {
      const others = state[collection].filter((one) => one !== row)
      const whole = filled(draftOf({ ...state, [collection]: others }), collection, some(row, keys))
      const differs = (key: string) => JSON.stringify(whole[key]) !== JSON.stringify(row[key])
      return some(
        row,
        Object.keys(row).filter((key) => keys.includes(key) || differs(key)),
      )
    }
    const parts = changed.map(({ after, fields }) => some(after, [...identity, ...fields]))
    return { name, rows: [...parts, ...added.map(short)], removed }
  })
  if (parts.some(({ removed }) => removed.length > 0)) return state
  const seed = Object.fromEntries(parts.map(({ name, rows }) => [name, rows])) as PartialSeed
  // A seed cannot express every difference: for example, that two records have exchanged their names.
  const same = await stateOfSeed(seed, exact).then(
    (again) => differsInNewTokens(again, state),
    () => false,
  )
  return same ? seed : state
}

/** Whether the states differ at most in new tokens: a seed gives each of its users a token. */
function differsInNewTokens(from: State, to: State): boolean {
  const { tokens, ...others } = diffStates(from, to)
  return Object.keys(others).length === 0 && !tokens?.added.length && !tokens?.changed.length
}

export async function fixtureOf(state: State): Promise<string> {
  const seed = await seedOf(state)
  const [type, about] =
    'schema' in seed
      ? ['State', 'The whole state, since records of the default one are gone or replaced.']
      : ['PartialSeed', 'What differs from the default starting state.']
  return `import { createTracker, type ${type} } from 'tracker-kit'

/** ${about} */
const seed: ${type} = ${JSON.stringify(seed, null, 2)}

export const tracker = await createTracker({ seed })
`
}
