/** The present state as a starting state in TypeScript, to paste into a test. */
import { diffStates } from '../observe/diff.js'
import { rowOf, type ShownCollection, type State } from '../state/collections.js'
import { exact } from '../state/state.js'
import { draftOf, type Row } from './draft.js'
import { filled, keysOf, type PartialSeed, seeds, stateOfSeed } from './seed.js'

/** What differs from the default starting state; the whole state where a part cannot say it, as when a record is gone. */
export async function seedOf(state: State): Promise<PartialSeed | State> {
  const base = seeds.small as State
  const parts = Object.entries(diffStates(base, state)).map(([name, { added, changed, removed }]) => {
    const collection = name as ShownCollection
    const { identity } = rowOf(collection)
    const keys = keysOf(collection)
    const some = (row: Row, fields: readonly string[]) =>
      Object.fromEntries(fields.map((field) => [field, row[field]]))
    /** Without what a seed fills in. */
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
  // A name that two records have exchanged, for example, is more than a part can say.
  const same = await stateOfSeed(seed, exact).then(
    (again) => differsInNewTokens(again, state),
    () => false,
  )
  return same ? seed : state
}

/** At most in those: a seed gives each of its users a token. */
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
